/** Records the running browser, so that the next run ends it after the gateway was killed. */
import { join } from 'node:path';
import type { Log } from '../../../core/log.ts';
import { startTimeOf, stillRuns } from '../../../platform/process-identity.ts';
import { readTextIfExists, removeIfExists, writeFileAtomic } from '../../../platform/files.ts';
import { commandLineOf, processesWith } from '../platform/port-listener.ts';
import { endOwner } from './owner-of-port.ts';
import { userDataOf } from './user-data.ts';

/** One process, named so that a later one with its id is not taken for it. */
export interface NamedProcess {
  readonly pid: number;
  readonly birth: string;
}

const recordOf = (folder: string): string => join(folder, 'running.json');

/**
 * What was started, and the browser itself where that is another process: a wrapper script starts it. Nothing yet:
 * it is about to be started.
 */
export async function remember(folder: string, running: readonly NamedProcess[]): Promise<void> {
  const processes = running.map(({ pid, birth }) => ({ pid, birth }));
  await writeFileAtomic(recordOf(folder), JSON.stringify({ processes }), { sync: false });
}

export const forget = (folder: string): Promise<void> => removeIfExists(recordOf(folder));

/**
 * Where a start is on record, ends what still runs as a browser of this profile: the processes on record, and those
 * the gateway did not live to record. Their helpers end with them. Returns the ids of those it ended.
 */
export async function endOrphan(folder: string, log: Log): Promise<readonly number[]> {
  const record = await readRecord(folder);
  if (record === undefined) return [];
  const ended: number[] = [];
  const word = `--user-data-dir=${userDataOf(folder)}`;
  for (const one of [...record, ...(await unrecorded(word))]) {
    const line = (await commandLineOf(one.pid)) ?? [];
    if (!line.includes(word) || !(await stillRuns(one.pid, one.birth))) continue;
    await endOwner(one);
    ended.push(one.pid);
  }
  if (ended.length > 0) log.info('browser.orphan-ended', { pids: ended, folder });
  await forget(folder);
  return ended;
}

async function unrecorded(word: string): Promise<readonly NamedProcess[]> {
  const found = await Promise.all(
    (await processesWith(word)).map(async (pid) => ({ pid, birth: await startTimeOf(pid) })),
  );
  return found.flatMap(({ pid, birth }) => (birth === undefined ? [] : [{ pid, birth }]));
}

/** Undefined: nothing was started. */
async function readRecord(folder: string): Promise<readonly NamedProcess[] | undefined> {
  const text = await readTextIfExists(recordOf(folder));
  if (text === undefined) return undefined;
  try {
    const { processes } = JSON.parse(text) as { readonly processes: readonly Partial<NamedProcess>[] };
    return processes.flatMap(({ pid, birth }) =>
      typeof pid === 'number' && typeof birth === 'string' ? [{ pid, birth }] : [],
    );
  } catch (error) {
    // A record that was cut short.
    if (error instanceof SyntaxError || error instanceof TypeError) return [];
    throw error;
  }
}
