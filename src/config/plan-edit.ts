/** Decides which characters of which file an edit of the whole configuration comes down to. */
import { isDeepStrictEqual } from 'node:util';
import { AppError } from '../core/errors.ts';
import type { Change } from './json5-text.ts';
import { migrate, type Move } from './migrate.ts';
import { formatPath, getAt, isPlainObject, nest, startsWith, withEdit, type Edit, type Path } from './paths.ts';
import { type JoinedRules, NO_RULES } from './setting-rules.ts';
import { childOf, nodeAt, plainValue, type Origin, type Sourced } from './sourced.ts';

export interface FileChange {
  readonly file: string;
  readonly change: Change;
}

/** What stands in the files, and what it means today. */
export interface Written {
  readonly root: Sourced;
  readonly moves: readonly Move[];
  /** In present names. */
  readonly migrated: unknown;
}

/** The changes, in order. Throws `AppError('invalid')` when the place cannot hold the value. */
export function planEdit(
  { root, moves, migrated }: Written,
  { path, value }: Edit,
  { kept = 0, rules = NO_RULES }: { readonly kept?: number; readonly rules?: JoinedRules } = {},
): readonly FileChange[] {
  const old = oldName(path, moves);
  const other = old && saidOtherwise(old, { root, migrated });
  if (other) return inPresentWords(other, { root, moves, migrated }, { path, value });
  const beneath = moves
    .filter((move) => move.to.length > path.length && startsWith(move.to, path))
    .flatMap((move) => removals(root, move.from));
  if (value === undefined)
    return [...beneath, ...removals(root, path), ...(old ? removals(root, old.name) : [])].map((change) =>
      pruned(change, kept),
    );
  const written = nodeAt(root, path) ? path : (old?.name ?? besideItsKind(path, { root, moves, rules }) ?? path);
  const node = nodeAt(root, written);
  return [...beneath, ...(node ? rewrite(node, value) : [create(root, written, value)])];
}

interface OldName {
  readonly name: Path;
  readonly move: Move;
}

/** How the file spells a path, when it does so by an old name. */
function oldName(path: Path, moves: readonly Move[]): OldName | undefined {
  const move = moves.filter((candidate) => startsWith(path, candidate.to)).sort((a, b) => b.to.length - a.to.length)[0];
  return move && { name: [...move.from, ...path.slice(move.to.length)], move };
}

/**
 * The move that not only renamed what the file says but put it in other words: `perSession: true` for `scope:
 * "session"`.
 */
function saidOtherwise({ move }: OldName, { root, migrated }: Pick<Written, 'root' | 'migrated'>): Move | undefined {
  const node = nodeAt(root, move.to) ? undefined : nodeAt(root, move.from);
  return node && !heldBy(getAt(migrated, move.to), plainValue(node)) ? move : undefined;
}

function heldBy(whole: unknown, part: unknown): boolean {
  if (!isPlainObject(part) || !isPlainObject(whole)) return isDeepStrictEqual(whole, part);
  return Object.entries(part).every(([key, item]) => heldBy(whole[key], item));
}

/** The old words give way to all that they meant, in present names, with the edit made. */
function inPresentWords({ from }: Move, { root, moves, migrated }: Written, edit: Edit): readonly FileChange[] {
  const meant = moves.filter((move) => formatPath(move.from) === formatPath(from));
  const news = meant.map(({ to }) => ({
    path: to,
    value: startsWith(edit.path, to)
      ? withEdit(getAt(migrated, to), { path: edit.path.slice(to.length), value: edit.value })
      : getAt(migrated, to),
  }));
  const set = news.flatMap(({ path, value }) => {
    const node = nodeAt(root, path);
    return value === undefined ? [] : node ? rewrite(node, value) : [create(root, path, value)];
  });
  return [...set, ...removals(root, from).map((change) => pruned(change, 0))];
}

/**
 * Where the file has the neighbours of a setting under an old name, that is where it goes too, as long as it means the
 * same there.
 */
function besideItsKind(
  path: Path,
  { root, moves, rules }: Pick<Written, 'root' | 'moves'> & { readonly rules: JoinedRules },
): Path | undefined {
  const blocks = path
    .map((_, index) => path.slice(0, index))
    .reverse()
    .filter((block) => block.length > 0);
  for (const block of blocks) {
    if (nodeAt(root, block)) return undefined;
    const neighbour = moves.find(
      ({ from, to }) =>
        from.length > 1 && from.at(-1) === to.at(-1) && formatPath(to.slice(0, -1)) === formatPath(block),
    );
    const there = neighbour && [...neighbour.from.slice(0, -1), ...path.slice(block.length)];
    if (there) return getAt(migrate(nest(there, true), rules).value, path) === true ? there : undefined;
  }
  return undefined;
}

/** Takes a setting out of every file that has it. */
function removals(root: Sourced, path: Path): FileChange[] {
  const origins = nodeAt(root, path)?.origins ?? [];
  // An included file that is the value as a whole goes with the key that includes it.
  return origins
    .filter((origin) => origin.path.length > 0)
    .map(({ file, path: local }) => ({ file, change: { kind: 'delete', path: local } }));
}

/**
 * What is unset takes the blocks along that held nothing else, but for the first `kept` of its path: what is listed
 * there by name means something empty too.
 */
const pruned = ({ file, change }: FileChange, kept: number): FileChange => ({
  file,
  change: change.kind === 'delete' && change.path.length > kept + 1 ? { ...change, prune: kept } : change,
});

/** The fewest changes that turn what is there into `value`. */
function rewrite(node: Sourced, value: unknown): FileChange[] {
  if (isDeepStrictEqual(plainValue(node), value)) return [];
  const home = node.origins[0]!;
  if (node.kind === 'object' && isPlainObject(value)) return rewriteObject(node, value, home);
  if (node.kind === 'array' && Array.isArray(value)) return rewriteList(node, value, home);
  return [{ file: home.file, change: { kind: 'set', path: home.path, value } }];
}

function rewriteObject(node: Sourced & { kind: 'object' }, value: Record<string, unknown>, home: Origin): FileChange[] {
  const gone = [...node.children.keys()]
    .filter((key) => value[key] === undefined)
    .flatMap((key) => removals(node, [key]));
  const kept = Object.entries(value)
    .filter(([, item]) => item !== undefined)
    .flatMap(([key, item]): FileChange[] => {
      const child = node.children.get(key);
      return child
        ? rewrite(child, item)
        : [{ file: home.file, change: { kind: 'set', path: [...home.path, key], value: item } }];
    });
  return [...gone, ...kept];
}

function rewriteList(node: Sourced & { kind: 'array' }, value: readonly unknown[], home: Origin): FileChange[] {
  const present = node.items.map(plainValue);
  let start = 0;
  while (start < present.length && start < value.length && isDeepStrictEqual(present[start], value[start])) start += 1;
  let same = 0;
  while (
    same < present.length - start &&
    same < value.length - start &&
    isDeepStrictEqual(present.at(-1 - same), value.at(-1 - same))
  )
    same += 1;
  const remove = present.length - start - same;
  const items = value.slice(start, value.length - same);
  if (remove === items.length) return items.flatMap((item, index) => rewrite(node.items[start + index]!, item));
  if (node.origins.length > 1 && (remove > 0 || same > 0)) {
    throw new AppError(
      'invalid',
      'This list is put together from ' +
        `${[...new Set(node.origins.map((origin) => origin.file))].join(' and ')}; change it in an editor.`,
    );
  }
  // In a joined list the last part is ours, so its own length is where additions go.
  const local =
    node.origins.length > 1 ? node.items.filter((item) => item.origins[0]!.file === home.file).length : start;
  return [{ file: home.file, change: { kind: 'splice', path: home.path, start: local, remove, items } }];
}

/** Adds a setting, with the objects around it that are missing. */
function create(root: Sourced, path: Path, value: unknown): FileChange {
  let parent = root;
  let depth = 0;
  for (
    let next = childOf(parent, path[0]!);
    next;
    next = depth < path.length ? childOf(parent, path[depth]!) : undefined
  ) {
    parent = next;
    depth += 1;
  }
  const where = formatPath(path.slice(0, depth));
  const [key, ...rest] = path.slice(depth);
  const home = parent.origins[0]!;
  if (parent.kind === 'leaf')
    throw new AppError('invalid', `${where} is a single value and cannot hold "${key}"; set ${where} as a whole.`);
  if (parent.kind === 'object')
    return { file: home.file, change: { kind: 'set', path: [...home.path, key!], value: nest(rest, value) } };
  if (key !== String(parent.items.length))
    throw new AppError(
      'invalid',
      `${where} has ${parent.items.length} elements; the next index is ${parent.items.length}.`,
    );
  const own = parent.items.filter((item) => item.origins[0]!.file === home.file).length;
  return {
    file: home.file,
    change: { kind: 'splice', path: home.path, start: own, remove: 0, items: [nest(rest, value)] },
  };
}
