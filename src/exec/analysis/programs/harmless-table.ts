/** Programs that only read and print, with every option they keep that property under. */
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
  readonly most?: number;
  /** One more operand would be a file it writes: nothing that some take for one may stand behind the first. */
  readonly writesNext?: true;
  /** Fewest files: on what is piped into it it is not harmless. */
  readonly onlyNamed?: true;
  /** Files of the home folder it reads its settings from: where there is one, what it does is not known. */
  readonly settings?: readonly string[];
  /** Reads the folder it is started in when no file is named; a list: only with one of these options. */
  readonly readsFolder?: true | readonly string[];
  /** It reads a repository, whose own settings could make it start anything: judged and written anew by `git/judge-git.ts`. */
  readonly repository?: true;
  /** Only for names in `tools.exec.safeBins`. */
  readonly configured?: true;
  /** Names of the file behind this name besides its own, as distributions link them. */
  readonly linkedTo?: readonly string[];
}

/** One file that is many programs; the name it is started by says which. */
export const MULTI_CALL = ['busybox', 'toybox', 'coreutils', 'uutils', 'snap', 'rustup', 'rustup-init', 'mise', 'asdf', 'volta-shim', 'pyenv'] as const;
/** Of these, the ones whose applets keep to the options below. */
export const PLAIN_MULTI_CALL = ['busybox', 'toybox', 'coreutils', 'uutils'] as const;

const HASHES = { flags: 'btz', long: ['binary', 'text', 'tag', 'zero'], rest: 'files' } as const satisfies HarmlessProfile;
const ENDS = {
  flags: 'qvz', values: 'nc', numeric: true, rest: 'files', configured: true,
  long: ['quiet', 'silent', 'verbose', 'zero-terminated'],
  longValues: ['lines', 'bytes'],
} as const satisfies HarmlessProfile;

export const HARMLESS: Readonly<Record<string, HarmlessProfile>> = {
  // What the shell has itself, and what the system has for those who ask for the program.
  true: { raw: true }, false: { raw: true }, ':': { raw: true }, echo: { raw: true }, printf: { raw: true }, test: { raw: true }, '[': { raw: true },
  pwd: { flags: 'LP' },

  // Filters.
  jq: {
    flags: 'rcnesSajCMR', text: 1, configured: true, settings: ['.jq'],
    long: [
      'raw-output', 'compact-output', 'null-input', 'exit-status', 'slurp', 'sort-keys', 'ascii-output', 'join-output', 'color-output',
      'monochrome-output', 'raw-input', 'tab', 'stream',
    ],
  },
  tr: { flags: 'cCdst', long: ['complement', 'delete', 'squeeze-repeats', 'truncate-set1'], text: 'all', most: 2, configured: true },
  cut: {
    flags: 'snz', values: 'bcdf', rest: 'files', configured: true,
    long: ['only-delimited', 'complement', 'zero-terminated'],
    longValues: ['bytes', 'characters', 'delimiter', 'fields', 'output-delimiter'],
  },
  sort: {
    flags: 'bdfgiMhnRrVuzcCms', values: 'kt', rest: 'files', configured: true,
    long: [
      'ignore-leading-blanks', 'dictionary-order', 'ignore-case', 'general-numeric-sort', 'ignore-nonprinting', 'month-sort', 'human-numeric-sort',
      'numeric-sort', 'reverse', 'version-sort', 'unique', 'zero-terminated', 'stable',
    ],
    longValues: ['key', 'field-separator'],
  },
  // A second operand of uniq is a file it writes.
  uniq: {
    flags: 'cdiuzD', values: 'fsw', rest: 'files', most: 1, writesNext: true, configured: true,
    long: ['count', 'repeated', 'ignore-case', 'unique', 'zero-terminated'],
    longValues: ['skip-fields', 'skip-chars', 'check-chars'],
  },
  head: ENDS, tail: ENDS,
  wc: { flags: 'clmwL', long: ['bytes', 'chars', 'lines', 'words', 'max-line-length'], rest: 'files', configured: true },
  grep: {
    flags: 'EFGPivwxcLloqshHnTzZabIr', values: 'emABC', numeric: true, text: 1, textUnless: ['e', 'regexp'],
    rest: 'files', readsFolder: ['r', 'recursive'], configured: true,
    long: [
      'extended-regexp', 'fixed-strings', 'basic-regexp', 'perl-regexp', 'ignore-case', 'no-ignore-case', 'invert-match', 'word-regexp',
      'line-regexp', 'count', 'files-without-match', 'files-with-matches',
      'only-matching', 'quiet', 'silent', 'no-messages', 'byte-offset', 'with-filename', 'no-filename', 'line-number', 'initial-tab', 'null', 'text',
      'recursive', 'line-buffered',
    ],
    // Not `context`: to BSD the word behind it is no value of it.
    longValues: ['regexp', 'max-count', 'after-context', 'before-context', 'include', 'exclude', 'exclude-dir', 'label', 'binary-files'],
    longMaybe: ['color', 'colour'],
  },
  awk: { values: 'F', text: 1, rest: 'files', linkedTo: ['mawk', 'gawk', 'original-awk', 'nawk'] },
  sed: {
    flags: 'nErsu', values: 'e', text: 1, textUnless: ['e', 'expression'], rest: 'files',
    long: ['quiet', 'silent', 'regexp-extended'],
    longValues: ['expression'],
  },

  // Readers of files and folders.
  // Not `I` and `w`: to BSD the word behind them is a file.
  ls: {
    flags: 'aAbBcCfFgGhiklmnNopqQrRsStuUvxX1d', rest: 'files', readsFolder: true,
    long: [
      'all', 'almost-all', 'escape', 'ignore-backups', 'directory', 'file-type', 'full-time', 'group-directories-first', 'no-group',
      'human-readable', 'si', 'inode', 'kibibytes', 'numeric-uid-gid', 'literal', 'quote-name', 'reverse', 'recursive', 'size',
    ],
    longValues: ['block-size', 'format', 'ignore', 'hide', 'indicator-style', 'quoting-style', 'sort', 'time', 'time-style', 'tabsize', 'width'],
    longMaybe: ['color', 'classify'],
  },
  cat: { flags: 'AbeEnstTuv', long: ['show-all', 'number-nonblank', 'show-ends', 'number', 'squeeze-blank', 'show-tabs', 'show-nonprinting'], rest: 'files' },
  nl: { flags: 'p', values: 'bfhilnsvw', rest: 'files' },
  // What is piped into it goes to a file first.
  tac: { flags: 'br', values: 's', rest: 'files', onlyNamed: true },
  stat: { flags: 'Lft', values: 'c', long: ['dereference', 'file-system', 'terse'], longValues: ['format', 'printf'], rest: 'files' },
  file: { flags: 'bhikLNnr0', long: ['brief', 'mime', 'mime-type', 'mime-encoding', 'dereference', 'no-dereference', 'no-pad', 'extension'], rest: 'files', settings: ['.magic', '.magic.mgc'] },
  du: {
    flags: 'abchkmsxS0', values: 'dtB', rest: 'files', readsFolder: true,
    long: ['all', 'apparent-size', 'bytes', 'total', 'human-readable', 'si', 'summarize', 'one-file-system', 'separate-dirs', 'null', 'inodes'],
    longValues: ['max-depth', 'threshold', 'block-size', 'exclude'],
    longMaybe: ['time'],
  },
  df: {
    flags: 'ahHiklPT', values: 'Btx', rest: 'files',
    long: ['all', 'human-readable', 'si', 'inodes', 'local', 'portability', 'print-type', 'total'],
    longValues: ['block-size', 'type', 'exclude-type'],
    longMaybe: ['output'],
  },
  find: { raw: true },
  realpath: {
    flags: 'emLPqsz', rest: 'files',
    long: ['canonicalize-existing', 'canonicalize-missing', 'logical', 'physical', 'quiet', 'strip', 'no-symlinks', 'zero'],
  },
  readlink: {
    flags: 'femnqsvz', rest: 'files',
    long: ['canonicalize', 'canonicalize-existing', 'canonicalize-missing', 'no-newline', 'quiet', 'silent', 'verbose', 'zero'],
  },
  sha256sum: HASHES, sha1sum: HASHES, sha512sum: HASHES, md5sum: HASHES,
  diff: {
    flags: 'abBcdeEinNpqstTuwyZ', values: 'CUFIW', rest: 'files', most: 2, onlyFiles: true,
    long: [
      'brief', 'report-identical-files', 'side-by-side', 'ed', 'rcs', 'ignore-case', 'ignore-tab-expansion', 'ignore-trailing-space',
      'ignore-space-change', 'ignore-all-space', 'ignore-blank-lines', 'strip-trailing-cr', 'text', 'minimal', 'suppress-common-lines', 'new-file',
      'expand-tabs', 'show-c-function',
    ],
    longValues: ['width', 'label', 'ignore-matching-lines'], longMaybe: ['unified', 'context', 'color'],
  },
  cmp: { flags: 'bls', values: 'n', long: ['print-bytes', 'verbose', 'silent', 'quiet'], longValues: ['bytes'], rest: 'files', most: 2, onlyFiles: true },

  git: { repository: true },

  // Facts about names, numbers, the machine.
  date: { flags: 'uRI', values: 'd', long: ['utc', 'universal', 'rfc-email'], longValues: ['date', 'rfc-3339'], longMaybe: ['iso-8601'], text: 'all', most: 1 },
  whoami: {}, nproc: { long: ['all'] }, arch: {}, uptime: { flags: 'ps', long: ['pretty', 'since'] }, groups: { text: 'all' },
  id: { flags: 'agGnruz', long: ['user', 'group', 'groups', 'name', 'real', 'zero'], text: 'all' },
  uname: {
    flags: 'amnrspvio',
    long: ['all', 'kernel-name', 'nodename', 'kernel-release', 'kernel-version', 'machine', 'processor', 'hardware-platform', 'operating-system'],
  },
  // Its other options ask a server for names.
  hostname: { flags: 'Is', long: ['short', 'all-ip-addresses'] },
  sleep: { text: 'all' },
  seq: { flags: 'w', values: 'fs', numeric: true, long: ['equal-width'], longValues: ['format', 'separator'], text: 'all' },
  basename: { flags: 'az', values: 's', long: ['multiple', 'zero'], longValues: ['suffix'], text: 'all' },
  dirname: { flags: 'z', long: ['zero'], text: 'all' },
  which: { flags: 'as', text: 'all', linkedTo: ['which.debianutils'] },
};
