/**
 * An immutable map by id with fast access to the entry of the lowest rank. Every operation takes logarithmic time, so
 * that ten thousand jobs fit in a state that is replaced at every event.
 */

export interface Ranked {
  readonly rank: number;
}

/** A treap: ordered by id, balanced by a weight drawn from the id. Undefined: empty. */
export type RankedMap<T extends Ranked = Ranked> = Node<T> | undefined;

/** An entry of the map. */
export interface RankedEntry<T extends Ranked> {
  readonly id: string;
  readonly item: T;
}

interface Node<T extends Ranked> extends RankedEntry<T> {
  readonly weight: number;
  readonly left: RankedMap<T>;
  readonly right: RankedMap<T>;
  /** The entry of the lowest rank in this part of the tree; of equal ranks the one of the lowest id. */
  readonly first: RankedEntry<T>;
}

export function ranked<T extends Ranked>(map: RankedMap<T>, id: string): T | undefined {
  let node = map;
  while (node && node.id !== id) node = id < node.id ? node.left : node.right;
  return node?.item;
}

/** The same map with the entry added or replaced; an undefined item takes it out. */
export function withRanked<T extends Ranked>(map: RankedMap<T>, id: string, item: T | undefined): RankedMap<T> {
  if (item === undefined) return ranked(map, id) === undefined ? map : without(map, id);
  return put(map, { id, item }, weightOf(id));
}

/** The entry of the lowest rank. */
export const firstRanked = <T extends Ranked>(map: RankedMap<T>): RankedEntry<T> | undefined => map?.first;

/** Takes out every entry up to and with `rank`, the lowest first. */
export function takeRanked<T extends Ranked>(
  map: RankedMap<T>,
  rank: number,
): readonly [taken: readonly RankedEntry<T>[], rest: RankedMap<T>] {
  const taken: RankedEntry<T>[] = [];
  let rest = map;
  for (let first = rest?.first; first && first.item.rank <= rank; first = rest?.first) {
    taken.push(first);
    rest = without(rest, first.id);
  }
  return [taken, rest];
}

function put<T extends Ranked>(node: RankedMap<T>, entry: RankedEntry<T>, weight: number): Node<T> {
  if (!node) return join(entry, weight, undefined, undefined);
  if (entry.id === node.id) return join(entry, weight, node.left, node.right);
  if (entry.id < node.id) {
    const left = put(node.left, entry, weight);
    return left.weight > node.weight
      ? join(left, left.weight, left.left, join(node, node.weight, left.right, node.right))
      : join(node, node.weight, left, node.right);
  }
  const right = put(node.right, entry, weight);
  return right.weight > node.weight
    ? join(right, right.weight, join(node, node.weight, node.left, right.left), right.right)
    : join(node, node.weight, node.left, right);
}

function without<T extends Ranked>(node: RankedMap<T>, id: string): RankedMap<T> {
  if (!node) return undefined;
  if (id === node.id) return merge(node.left, node.right);
  return id < node.id
    ? join(node, node.weight, without(node.left, id), node.right)
    : join(node, node.weight, node.left, without(node.right, id));
}

/** Every id of `left` comes before every id of `right`. */
function merge<T extends Ranked>(left: RankedMap<T>, right: RankedMap<T>): RankedMap<T> {
  if (!left || !right) return left ?? right;
  return left.weight > right.weight
    ? join(left, left.weight, left.left, merge(left.right, right))
    : join(right, right.weight, merge(left, right.left), right.right);
}

function join<T extends Ranked>(
  { id, item }: RankedEntry<T>,
  weight: number,
  left: RankedMap<T>,
  right: RankedMap<T>,
): Node<T> {
  let first: RankedEntry<T> = { id, item };
  if (left && precedes(left.first, first)) first = left.first;
  if (right && precedes(right.first, first)) first = right.first;
  return { id, item, weight, left, right, first };
}

const precedes = (a: RankedEntry<Ranked>, b: RankedEntry<Ranked>): boolean =>
  a.item.rank < b.item.rank || (a.item.rank === b.item.rank && a.id < b.id);

/** FNV-1a with a final mix: ids that differ in one digit must not line up. */
function weightOf(id: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < id.length; at++) hash = Math.imul(hash ^ id.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  return (hash ^ (hash >>> 13)) >>> 0;
}
