/** Detects whether a program makes progress, by the processor time of it and its children. */
import { readFile } from 'node:fs/promises';
import { pause } from '../../../platform/pause.ts';
import { errnoOf } from '../../../platform/storage-error.ts';

const SECOND = 1000;
/** A wrapper script, the browser, and its child processes. */
const LEVELS = 3;

/**
 * Resolves when the process and its children used no processor time in any of `seconds` consecutive seconds. A second
 * in which this process itself was not scheduled takes longer, so a busy machine does not make a browser look idle.
 * Never resolves if the system has no such figures, or after the signal fired.
 */
export async function whenIdle(
  pid: number,
  { seconds, signal }: { readonly seconds: number; readonly signal: AbortSignal },
): Promise<void> {
  let known = await ticksOf(pid);
  for (let idle = 0; known !== undefined && idle < seconds; ) {
    if (!(await pause(SECOND, signal))) break;
    const now = await ticksOf(pid);
    idle = now === known ? idle + 1 : 0;
    known = now;
  }
  if (known === undefined || signal.aborted) await new Promise(() => undefined);
}

/** Clock ticks of processor time used so far; undefined if unknown. */
async function ticksOf(pid: number, levels = LEVELS): Promise<number | undefined> {
  const stat = await textOf(`/proc/${pid}/stat`);
  if (stat === undefined) return undefined;
  // proc_pid_stat(5): fields 14 to 17, counted from the end of the name, which may contain anything.
  const own = sum(
    stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .slice(11, 15)
      .map(Number),
  );
  const children = levels > 1 ? ((await textOf(`/proc/${pid}/task/${pid}/children`)) ?? '').split(' ') : [];
  const theirs = await Promise.all(children.filter(Boolean).map((child) => ticksOf(Number(child), levels - 1)));
  return own + sum(theirs.map((ticks) => ticks ?? 0));
}

const sum = (all: readonly number[]): number => all.reduce((total, one) => total + one, 0);

/** The process ended meanwhile, or the system has no `/proc`. */
async function textOf(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'latin1');
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
    return undefined;
  }
}
