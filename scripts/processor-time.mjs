/** Measures the CPU seconds of this process and of all processes it started, including running ones. */
import { readdirSync, readFileSync } from 'node:fs';

const TICKS_PER_SECOND = 100;
const [USER, SYSTEM, CHILDREN_USER, CHILDREN_SYSTEM] = [11, 12, 13, 14];

/**
 * Of this process, of its children that have exited, and of those that still run (a browser, say) with theirs;
 * undefined where the system does not tell.
 */
export function ownSeconds() {
  const own = secondsOf('self');
  return own === undefined ? undefined : own + ofRunning(childrenOfThread('self', process.pid));
}

/**
 * Of the tests of this process: the one that runs, whether all have ended, the last count, what was used before the
 * first of them, file → seconds and CPU seconds, entry of the temporary folder → the file that made it. Counted by
 * `processor-by-file.mjs`.
 */
export const taken = {
  running: { name: 'the load of the files', file: '' },
  ended: false,
  counted: undefined,
  beforeTests: undefined,
  files: {},
  makers: {},
};

const ofRunning = (pids) =>
  pids.reduce(
    (sum, pid) =>
      sum + (secondsOf(pid) ?? 0) + ofRunning(threadsOf(pid).flatMap((thread) => childrenOfThread(pid, thread))),
    0,
  );

function secondsOf(pid) {
  const fields = textOf(`/proc/${pid}/stat`)?.split(') ').at(-1).split(' ');
  return (
    fields &&
    [USER, SYSTEM, CHILDREN_USER, CHILDREN_SYSTEM].reduce((sum, place) => sum + Number(fields[place]), 0) /
      TICKS_PER_SECOND
  );
}

/** Node starts processes from its main thread, Chromium from others too. */
const childrenOfThread = (pid, thread) =>
  textOf(`/proc/${pid}/task/${thread}/children`)?.split(' ').filter(Boolean) ?? [];

const threadsOf = (pid) => orUndefined(() => readdirSync(`/proc/${pid}/task`)) ?? [];

const textOf = (path) => orUndefined(() => readFileSync(path, 'utf8'));

/** A process may exit at any moment, and other systems have no /proc. */
function orUndefined(attempt) {
  try {
    return attempt();
  } catch (error) {
    if (error.code !== 'ENOENT' && error.code !== 'ESRCH') throw error;
    return undefined;
  }
}
