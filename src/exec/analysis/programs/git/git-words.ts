/** The commands of git that only read a repository, with every option under which they keep to that. A long name takes its value behind `=` here; in a word of its own it is looked at like an operand. */
import type { OptionList } from '../options.ts';

export interface GitReader extends OptionList {
  /** Set before what was written, so that nothing that was written can be undone by it. */
  readonly adds?: readonly string[];
  /** Only with one of these options may there be operands; without, they name what it makes or takes away. Absent: revisions and paths. */
  readonly operandsWith?: readonly string[];
}

const COMMITS = {
  flags: 'gi', values: 'nLSG', numeric: true,
  long: [
    'oneline', 'graph', 'all', 'branches', 'tags', 'remotes', 'decorate', 'no-decorate', 'follow', 'reverse', 'merges', 'no-merges', 'first-parent', 'abbrev-commit', 'no-abbrev-commit', 'full-history', 'topo-order', 'date-order', 'author-date-order',
    'invert-grep', 'all-match', 'regexp-ignore-case', 'extended-regexp', 'fixed-strings', 'perl-regexp', 'left-right', 'cherry-pick', 'cherry-mark', 'boundary', 'walk-reflogs', 'no-walk', 'parents', 'children', 'show-pulls', 'simplify-merges', 'ancestry-path', 'relative-date',
  ],
  longMaybe: ['max-count', 'skip', 'since', 'until', 'after', 'before', 'author', 'committer', 'grep', 'min-parents', 'max-parents', 'date', 'exclude', 'glob', 'format', 'pretty', 'branches', 'tags', 'remotes', 'decorate'],
} as const satisfies OptionList;
const DIFFS = {
  flags: 'puszwbRacMC', values: 'U',
  long: [
    'patch', 'no-patch', 'raw', 'patch-with-stat', 'numstat', 'shortstat', 'summary', 'name-only', 'name-status', 'check', 'full-index', 'binary', 'text', 'minimal', 'patience', 'histogram', 'ignore-all-space', 'ignore-space-change', 'ignore-space-at-eol',
    'ignore-blank-lines', 'ignore-cr-at-eol', 'function-context', 'no-color', 'no-renames', 'no-prefix', 'exit-code', 'quiet', 'cc', 'root', 'pickaxe-all', 'pickaxe-regex', 'compact-summary', 'no-indent-heuristic', 'find-copies-harder',
  ],
  longMaybe: ['unified', 'diff-filter', 'diff-algorithm', 'inter-hunk-context', 'word-diff-regex', 'src-prefix', 'dst-prefix', 'stat', 'color', 'word-diff', 'color-words', 'color-moved', 'abbrev', 'find-renames', 'find-copies', 'dirstat', 'relative'],
} as const satisfies OptionList;
const both = (a: OptionList, b: OptionList): OptionList => ({
  flags: `${a.flags ?? ''}${b.flags ?? ''}`, values: `${a.values ?? ''}${b.values ?? ''}`, numeric: true,
  long: [...(a.long ?? []), ...(b.long ?? [])], longMaybe: [...(a.longMaybe ?? []), ...(b.longMaybe ?? [])],
});
/** No diff is made by a program somebody named, and no file is turned into text by one. */
const OWN_DIFF = ['--no-ext-diff', '--no-textconv'] as const;
const NO_SUBMODULES = '--ignore-submodules=all';

export const GIT_READERS: Readonly<Record<string, GitReader>> = {
  status: { flags: 'sbzunoalrm', long: ['short', 'branch', 'show-stash', 'long', 'ahead-behind', 'no-ahead-behind', 'no-renames', 'null'], longMaybe: ['porcelain', 'untracked-files', 'ignored', 'column', 'find-renames'], adds: [NO_SUBMODULES] },
  log: { ...both(COMMITS, DIFFS), adds: [...OWN_DIFF, NO_SUBMODULES] },
  show: { ...both(COMMITS, DIFFS), adds: [...OWN_DIFF, NO_SUBMODULES] },
  diff: { ...both({ long: ['cached', 'staged', 'merge-base'] }, DIFFS), adds: [...OWN_DIFF, NO_SUBMODULES] },
  blame: { flags: 'lteswfnpcM', values: 'L', long: ['root', 'show-stats', 'porcelain', 'line-porcelain', 'show-name', 'show-number', 'show-email'], longMaybe: ['date', 'since'], adds: ['--no-textconv'] },
  grep: {
    flags: 'iwvEFGPnclLhHoaIpWqz', values: 'eABCm', numeric: true,
    long: ['cached', 'untracked', 'ignore-case', 'word-regexp', 'invert-match', 'extended-regexp', 'fixed-strings', 'basic-regexp', 'perl-regexp', 'line-number', 'column', 'count', 'files-with-matches', 'name-only', 'files-without-match', 'only-matching', 'text', 'heading', 'break', 'show-function', 'function-context', 'all-match', 'quiet', 'and', 'or', 'not', 'no-color'],
    longMaybe: ['max-depth', 'after-context', 'before-context', 'context', 'max-count', 'color'], adds: ['--no-textconv', '--no-recurse-submodules'],
  },
  'ls-files': { flags: 'cdmostuvzk', long: ['cached', 'deleted', 'modified', 'others', 'stage', 'unmerged', 'killed', 'directory', 'no-empty-directory', 'exclude-standard', 'full-name', 'error-unmatch', 'eol', 'deduplicate'], values: 'x', longMaybe: ['exclude'] },
  'ls-tree': { flags: 'drtlz', long: ['name-only', 'name-status', 'full-name', 'full-tree', 'long', 'object-only'], longMaybe: ['abbrev'] },
  'rev-parse': { flags: 'q', long: ['show-toplevel', 'git-dir', 'absolute-git-dir', 'is-inside-work-tree', 'is-inside-git-dir', 'is-bare-repository', 'show-prefix', 'show-cdup', 'verify', 'quiet', 'symbolic', 'symbolic-full-name', 'all', 'branches', 'tags', 'remotes', 'is-shallow-repository'], longMaybe: ['short', 'abbrev-ref'] },
  'rev-list': { ...both(COMMITS, { long: ['count', 'objects', 'no-object-names'] }) },
  'merge-base': { flags: 'a', long: ['all', 'octopus', 'is-ancestor', 'independent'] },
  'show-ref': { flags: 'sdq', long: ['head', 'heads', 'branches', 'tags', 'hash', 'verify', 'dereference', 'quiet'], longMaybe: ['abbrev'] },
  'cat-file': { flags: 'tspe' },
  'count-objects': { flags: 'vH', long: ['verbose', 'human-readable'], operandsWith: [] },
  shortlog: { flags: 'nsec', long: ['numbered', 'summary', 'email', 'committer', 'no-merges', 'merges', 'all'], longMaybe: ['since', 'until', 'author'] },
  describe: { long: ['all', 'tags', 'contains', 'long', 'always', 'exact-match', 'first-parent'], longMaybe: ['match', 'candidates', 'abbrev'] },
  branch: { flags: 'arvl', long: ['all', 'remotes', 'verbose', 'show-current', 'no-color', 'list'], longMaybe: ['color', 'contains', 'no-contains', 'merged', 'no-merged', 'points-at', 'sort'], operandsWith: ['list'] },
  tag: { flags: 'lin', long: ['list', 'ignore-case'], longMaybe: ['sort', 'contains', 'no-contains', 'merged', 'no-merged', 'points-at', 'color'], operandsWith: ['l', 'list'] },
  remote: { flags: 'v', long: ['verbose'], operandsWith: [] },
  reflog: { ...COMMITS, operandsWith: [] },
};
