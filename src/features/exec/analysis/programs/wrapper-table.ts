/** Programs that start another program given after their options, with those options. */
import type { OptionList } from './options.ts';

export interface WrapperProfile extends OptionList {
  /** Operands of its own in front of the program: a duration, a mask, a lock file. */
  readonly operands?: number;
  /** It changes when or how urgently a program runs and nothing else. */
  readonly quiet?: true;
}

export const WRAPPERS: Readonly<Record<string, WrapperProfile>> = {
  // Not `-S` (splits a text into words), `-C` (another folder), `-P`, `-a`.
  env: { flags: 'i', values: 'u', long: ['ignore-environment'], longValues: ['unset'], quiet: true },
  nice: { values: 'n', longValues: ['adjustment'], numeric: true, quiet: true },
  // Writes `nohup.out` where output goes to a terminal.
  nohup: {},
  timeout: {
    flags: 'fpv',
    values: 'ks',
    long: ['foreground', 'preserve-status', 'verbose'],
    longValues: ['kill-after', 'signal'],
    operands: 1,
    quiet: true,
  },
  // Not `-o`, which writes a file.
  time: { flags: 'pqv', values: 'f', long: ['portability', 'quiet', 'verbose'], longValues: ['format'], quiet: true },
  stdbuf: { values: 'ioe', longValues: ['input', 'output', 'error'], quiet: true },
  setsid: { flags: 'cfw', long: ['ctty', 'fork', 'wait'] },
  ionice: { flags: 't', values: 'cn', long: ['ignore'], longValues: ['class', 'classdata'] },
  chrt: { flags: 'bfiorRv', long: ['batch', 'fifo', 'idle', 'other', 'rr', 'reset-on-fork', 'verbose'], operands: 1 },
  taskset: { flags: 'ac', long: ['all-tasks', 'cpu-list'], operands: 1 },
  flock: {
    flags: 'sxeonuFv',
    values: 'wE',
    operands: 1,
    long: ['shared', 'exclusive', 'unlock', 'nonblock', 'nb', 'close', 'no-fork', 'verbose'],
    longValues: ['timeout', 'wait', 'conflict-exit-code'],
  },
};
