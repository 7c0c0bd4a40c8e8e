/**
 * Finds the repository of a git command, and checks that it is in a readable folder and nothing in it points outside.
 */
import { isCopyOf } from '../../../../../platform/inside.ts';
import type { AnalysisContext } from '../../analysis.ts';
import { inside, rootsOf } from '../readable.ts';
import { configTrouble } from './git-config.ts';

export interface Repository {
  /** Absolute and real. */ readonly folder: string;
  /** What stands in it. */
  readonly worktree: string;
}

const MAX_ENTRIES = 50_000;
const MAX_CONFIG_BYTES = 256 * 1024;
/** Parts of `.git` a reader does not follow: other working trees, other repositories. */
const APART = new Set(['hooks', 'modules', 'worktrees', 'lfs']);
/** Files that send git to another repository, or to other settings. */
const LEAD_AWAY = new Set(['commondir', 'config.worktree', 'objects/info/alternates', 'objects/info/http-alternates']);

/** `from`: absolute. Why not, one clause. */
export async function findRepository(
  from: string,
  context: AnalysisContext,
): Promise<Repository | { readonly why: string }> {
  const start = await context.inspect(from);
  if (start?.kind !== 'directory') return { why: 'its working folder does not exist' };
  const roots = await rootsOf(context);
  for (let worktree = start.real; inside(worktree, roots); worktree = parentOf(worktree)) {
    const entries = await context.entries(worktree);
    const git = entries?.find(({ name }) => name === '.git');
    if (git === undefined && worktree !== '/') continue;
    return git?.kind === 'directory'
      ? evaluated({ folder: `${worktree}/.git`, worktree }, context)
      : { why: 'its repository is in another folder' };
  }
  return { why: 'no repository was found in the folders that may be read without approval' };
}

const parentOf = (path: string): string => path.replace(/\/[^/]*$/, '') || '/';

async function evaluated(
  repository: Repository,
  context: AnalysisContext,
): Promise<Repository | { readonly why: string }> {
  const { folder, worktree } = repository;
  if (context.closedPaths.some((path) => inside(path, [worktree]) || isCopyOf(path, worktree)))
    return { why: 'it contains files of the gateway' };
  const led = await leadsAway(folder, context);
  if (led !== undefined) return { why: led };
  const config = await context.text(`${folder}/config`, MAX_CONFIG_BYTES);
  const why = config === undefined ? 'its settings cannot be read' : configTrouble(config);
  return why === undefined ? repository : { why };
}

/** Why something in it would have git look elsewhere; undefined: nothing does. */
async function leadsAway(folder: string, context: AnalysisContext): Promise<string | undefined> {
  const open = [''];
  let seen = 0;
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    const entries = await context.entries(`${folder}/${at}`);
    if (entries === undefined) return 'a part of it cannot be read';
    seen += entries.length;
    if (seen > MAX_ENTRIES) return `it has more than ${MAX_ENTRIES} files`;
    for (const { name, kind } of entries) {
      const path = at === '' ? name : `${at}/${name}`;
      if (kind === 'directory' && !(at === '' && APART.has(name))) open.push(path);
      if (kind === 'other' || LEAD_AWAY.has(path)) return `its .git/${path} may point outside the repository`;
    }
  }
  return undefined;
}
