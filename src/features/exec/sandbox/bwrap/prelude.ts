/** The first shell code inside the sandbox: sets limits and variables, then starts the shell of the command. Pure. */
import { unpacked } from '../carried.ts';
import type { SandboxSetting } from '../sandbox-setting.ts';

const OPEN_FILES = 4096;
/**
 * The kernel's limits lie above those of the watcher, so that a box is ended by name instead of lingering at the edge.
 */
export const HEADROOM = 1.25;
/** bubblewrap and the shell that sets the limits. */
const OWN_PROCESSES = 4;

const CLOSE_ALL =
  'for handle in /proc/self/fd/*; do handle=${handle##*/}; case $handle in [012]) ;; *) eval "exec ' +
  '$handle>&-" ;; esac; done; unset handle';
const CLOSE_FIRST = [3, 4, 5, 6, 7, 8, 9].map((handle) => `exec ${handle}>&-`).join('; ');

export const maxProcesses = ({ processes }: Pick<SandboxSetting['limits'], 'processes'>): number =>
  Math.ceil(processes * HEADROOM) + OWN_PROCESSES;

export interface PreludeRequest {
  readonly limits: SandboxSetting['limits'];
  /** Fit to be names of variables. */
  readonly names: readonly string[];
  readonly countsProcesses: boolean;
  /** It is bash, which can close handles above 9; other shells take the number for a program. */
  readonly bash: boolean;
}

/**
 * Text for a POSIX shell (bash: `--posix`, for the unit of file sizes), whose arguments are the folder and the program
 * to go on with. Nothing in it comes from a value.
 */
export function prelude({ limits, names, countsProcesses, bash }: PreludeRequest): string {
  const kilobytes = Math.floor(limits.memoryMb * 1024 * HEADROOM);
  const max = maxProcesses(limits);
  const blocks = Math.floor(limits.diskMb * 2048);
  return [
    // Whatever the process that started the box has left open is not for those inside.
    bash ? CLOSE_ALL : CLOSE_FIRST,
    ...['c 0', `f ${blocks}`, `d ${kilobytes}`, `n ${OPEN_FILES}`].map((limit) => `ulimit -${limit} 2>/dev/null`),
    // Shells differ in the letter.
    ...(countsProcesses ? [`(ulimit -u ${max}) 2>/dev/null && ulimit -u ${max} || ulimit -p ${max}`] : []),
    ...names.map((name) => unpacked(name)),
    // Not before: who makes the box may not be let into every folder of whom it is for.
    'cd -- "$1" || exit 126; unset OLDPWD; shift',
    'exec "$@"',
  ].join('\n');
}
