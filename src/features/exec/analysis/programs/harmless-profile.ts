/** The description of a read-only program: its options, its operands, and what else it reads. */
import type { OptionList } from './options.ts';

export interface HarmlessProfile extends OptionList {
  /** Its words are no options but a language of their own, which `word-checks.ts` reads. */
  readonly raw?: true;
  /** How many operands, in front, are plain text (a pattern, a name); `all`: every one. Default 0. */
  readonly text?: number | 'all';
  /** With one of these options the text operands are files as well. */
  readonly textUnless?: readonly string[];
  /** What the other operands are. Default `none`: there may be no others. */
  readonly rest?: 'files' | 'none';
  /** Comparing folders follows the links in them. */
  readonly onlyFiles?: true;
  /** Most operands there may be. */
  readonly max?: number;
  /** One more operand would be a file it writes: nothing that some take for one may stand behind the first. */
  readonly writesNext?: true;
  /** Fewest files: on what is piped into it it is not harmless. */
  readonly onlyNamed?: true;
  /** Files of the home folder it reads its settings from: where there is one, what it does is not known. */
  readonly settings?: readonly string[];
  /** Reads the folder it is started in when no file is named; a list: only with one of these options. */
  readonly readsFolder?: true | readonly string[];
  /**
   * It reads a repository, whose own settings could make it start anything: judged and written anew by
   * `git/judge-git.ts`.
   */
  readonly repository?: true;
  /** Only for names in `tools.exec.safeBins`. */
  readonly configured?: true;
  /** Names of the file behind this name besides its own, as distributions link them. */
  readonly linkedTo?: readonly string[];
}
