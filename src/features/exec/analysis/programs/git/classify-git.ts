/** Decides whether a git call is read-only, and rewrites it so that repository settings cannot start programs. */
import { quoted } from '../../reading/command-text.ts';
import { readOptions, type ReadOptions } from '../options.ts';
import { pathAt, type Place } from '../place.ts';
import { findRepository } from './git-repository.ts';
import { GIT_READERS, type GitReader } from './git-words.ts';

/** What is run in its place. */
export interface GitPlan {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/**
 * Whatever the repository says: no watcher, no hook, no pager, no program that diffs or verifies, no rules from
 * elsewhere, no file
 * written on the way. Its filters cannot be switched off by name; a repository that has some is not read unasked.
 */
const SETTINGS = [
  'core.fsmonitor=false',
  'core.hooksPath=/dev/null',
  'core.pager=cat',
  'core.attributesFile=/dev/null',
  'core.excludesFile=/dev/null',
  'core.untrackedCache=keep',
  'diff.external=',
  'diff.autoRefreshIndex=false',
  'diff.submodule=short',
  'diff.ignoreSubmodules=all',
  'log.showSignature=false',
  'submodule.recurse=false',
  'status.submoduleSummary=false',
  'safe.bareRepository=explicit',
  'gc.auto=0',
  'maintenance.auto=false',
  'protocol.allow=never',
].flatMap((setting) => ['-c', setting]);

export async function classifyGit(args: readonly string[], place: Place): Promise<GitPlan | { readonly why: string }> {
  if (args.length === 1 && (args[0] === '--version' || args[0] === 'version'))
    return { args: ['--version'], env: NO_SETTINGS };
  const call = readCall(args);
  if ('why' in call) return call;
  const from = pathAt(call.folder, place);
  if (from === undefined) return { why: 'the repository it reads depends on earlier commands' };
  const repository = await findRepository(from, place.context);
  if ('why' in repository) return repository;
  return {
    args: [
      '--no-pager',
      '--no-optional-locks',
      ...SETTINGS,
      ...(call.folder === '.' ? [] : ['-C', call.folder]),
      call.name,
      ...(call.reader.adds ?? []),
      ...call.rest,
    ],
    env: environment(repository.folder, repository.worktree),
  };
}

/** Of nobody but the repository. */
const NO_SETTINGS = {
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_ATTR_NOSYSTEM: '1',
  GIT_CONFIG_COUNT: '0',
};

/** The repository that was looked at is the one that is read: nothing is left to be found by itself. */
const environment = (folder: string, worktree: string): Readonly<Record<string, string>> => ({
  GIT_DIR: folder,
  GIT_WORK_TREE: worktree,
  ...NO_SETTINGS,
  GIT_OPTIONAL_LOCKS: '0',
  GIT_TERMINAL_PROMPT: '0',
  GIT_NO_LAZY_FETCH: '1',
  GIT_ALLOW_PROTOCOL: '',
});

interface GitCall {
  readonly folder: string;
  readonly name: string;
  readonly reader: GitReader;
  readonly rest: readonly string[];
}

function readCall(args: readonly string[]): GitCall | { readonly why: string } {
  const before = readOptions(args, { flags: 'P', values: 'C', long: ['no-pager', 'no-optional-locks'], leading: true });
  if ('unknown' in before) return { why: `the option ${quoted(before.unknown)} is not on the list of safe options` };
  const folders = before.options.flatMap(({ name, value }) => (name === 'C' ? [value ?? ''] : []));
  const [name = '', ...rest] = before.operands;
  const reader = Object.hasOwn(GIT_READERS, name) ? GIT_READERS[name] : undefined;
  if (reader === undefined || folders.length > 1 || folders.includes(''))
    return { why: `${quoted(`git ${name}`)} is not on the list of read-only commands` };
  const read = readOptions(rest, reader);
  if ('unknown' in read) return { why: `the option ${quoted(read.unknown)} is not on the list of safe options` };
  const why = formatTrouble(rest, reader) ?? operandTrouble(read, reader);
  return why === undefined ? { folder: folders[0] ?? '.', name, reader, rest } : { why };
}

/**
 * A format, or an order, may have signatures verified, which starts a program; its value may stand in a word of its
 * own.
 */
function formatTrouble(words: readonly string[], { operandsWith }: GitReader): string | undefined {
  const verifies = words.some((word) => word.includes('%G') || (operandsWith !== undefined && /signature/i.test(word)));
  return verifies ? 'its format may verify signatures, which starts a program' : undefined;
}

/** Two files, one of them outside, would be compared without any repository. */
function operandTrouble({ operands, options }: ReadOptions, { operandsWith }: GitReader): string | undefined {
  if (operandsWith && operands.length > 0 && !options.some(({ name }) => operandsWith.includes(name)))
    return `${quoted(operands[0] ?? '')} may be something it changes`;
  const away = operands.find((word) => word === '-' || /^[/~]/.test(word) || /(?:^|[/:])\.\.(?:\/|$)/.test(word));
  return away === undefined ? undefined : `${quoted(away)} may be outside the repository`;
}
