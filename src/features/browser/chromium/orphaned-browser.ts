/** Records the running browser, so that the next run ends it after the gateway was killed. */
import { join } from 'node:path';
import type { Log } from '../../../core/log.ts';
import { startTimeOf, stillRuns } from '../../../platform/process-identity.ts';
import { readTextIfExists, removeIfExists, writeFileAtomic } from '../../../platform/files.ts';
import { commandLineOf, processesWith } from '../platform/port-listener.ts';
import { endOwner } from './owner-of-port.ts';
import { userDataOf } from './user-data.ts';

/** A process with its start time, so that a later process with the same id is not confused with it. */
export interface NamedProcess {
  readonly pid: number;
  readonly birth: string;
}

const recordOf = (folder: string): string => join(folder, 'running.json');

/**
 * Records the started process, and the browser itself if that is another process, because a wrapper script started it.
 * Empty: the start is imminent.
 */
export async function remember(folder: string, running: readonly NamedProcess[]): Promise<void> {
  const processes = running.map(({ pid, birth }) => ({ pid, birth }));
  await writeFileAtomic(recordOf(folder), JSON.stringify({ processes }), { sync: false });
}

export const forget = (folder: string): Promise<void> => removeIfExists(recordOf(folder));

/**
 * If a start is recorded, ends the processes that still run as a browser of this profile: the recorded ones, and those
 * that the gateway was killed too early to record. Their child processes end with them. Returns the ids of the ended
 * processes.
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

/** Undefined: no start is recorded. */
async function readRecord(folder: string): Promise<readonly NamedProcess[] | undefined> {
  const text = await readTextIfExists(recordOf(folder));
  if (text === undefined) return undefined;
  try {
    const { processes } = JSON.parse(text) as { readonly processes: readonly Partial<NamedProcess>[] };
    return processes.flatMap(({ pid, birth }) =>
      typeof pid === 'number' && typeof birth === 'string' ? [{ pid, birth }] : [],
    );
  } catch (error) {
    // An incomplete record.
    if (error instanceof SyntaxError || error instanceof TypeError) return [];
    throw error;
  }
}
