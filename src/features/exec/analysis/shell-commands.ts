/** Shell builtins: those with a known effect, and all others. */
import { present } from '../../../core/present.ts';
import { classifyHarmless } from './programs/harmless.ts';
import type { Place } from './programs/place.ts';
import { quoted } from './reading/command-text.ts';
import type { Resolved, Unproven } from './resolved.ts';

/** They change the shell, or run what they are given, so what comes behind them is not what it seems. */
export const SHELL_ITSELF: ReadonlySet<string> = new Set([
  '.',
  'alias',
  'bg',
  'bind',
  'break',
  'builtin',
  'caller',
  'compgen',
  'complete',
  'compopt',
  'continue',
  'coproc',
  'declare',
  'dirs',
  'disown',
  'enable',
  'eval',
  'exec',
  'export',
  'fc',
  'fg',
  'function',
  'getopts',
  'hash',
  'help',
  'history',
  'jobs',
  'let',
  'local',
  'logout',
  'mapfile',
  'popd',
  'pushd',
  'read',
  'readarray',
  'readonly',
  'return',
  'select',
  'shift',
  'shopt',
  'source',
  'suspend',
  'times',
  'trap',
  'typeset',
  'ulimit',
  'umask',
  'unalias',
  'unset',
  'wait',
  'cd',
  'set',
  'type',
  'exit',
  'command',
  ':',
]);
/** Judged like the programs of the same name. */
const LIKE_PROGRAMS = new Set(['true', 'false', ':', 'echo', 'printf', 'test', '[', 'pwd']);

/** By its words: undefined where it has another effect than to go on, stop, or tell what a name is. */
const PLAIN: Readonly<Record<string, (args: readonly string[]) => boolean>> = {
  exit: (args) => args.length === 0 || (args.length === 1 && /^\d{1,3}$/.test(args[0] ?? '')),
  set: (args) => args.length > 0 && /^-[eu]+(?: -[eu]+)*$|^-[eu]*o pipefail$/.test(args.join(' ')),
  type: (args) => args.length > 0 && args.every(isName),
  command: ([option, ...names]) => (option === '-v' || option === '-V') && names.length > 0 && names.every(isName),
};
/** The shell does it itself, even where a program of that name exists. */
export const doneByShell = (name: string): boolean => LIKE_PROGRAMS.has(name) || SHELL_ITSELF.has(name);

const isName = (word: string): boolean => /^[\w+.][\w+.-]*$/.test(word);

/** Undefined: it is a program. `cd` is not judged here: it matters to all that follows. */
export async function shellCommand(words: readonly string[], place: Place): Promise<Resolved | Unproven | undefined> {
  const [name = '', ...args] = words;
  const segment = { argv: words, builtin: true, wrappers: [], interpreter: false } as const;
  if (LIKE_PROGRAMS.has(name)) {
    const { why, reads } = await classifyHarmless({ name, args }, place);
    return {
      reads,
      runs: words,
      segment: { ...segment, harmless: why === undefined, ...present({ why }) },
    };
  }
  if (Object.hasOwn(PLAIN, name) && PLAIN[name]?.(args))
    return { reads: false, runs: words, segment: { ...segment, harmless: true } };
  return SHELL_ITSELF.has(name)
    ? {
        why: `${quoted(words.slice(0, 3).join(' '))} is a shell builtin, whose effect on the rest is not known.`,
      }
    : undefined;
}
