/** A configuration put together from several files, remembering for every value which file holds it and where. */
import { isPlainObject, type Path } from './paths.ts';

/** Where a value is written: a file and the path inside that file. */
export interface Origin {
  readonly file: string;
  readonly path: Path;
}

export type Sourced =
  | { readonly kind: 'object'; readonly origins: readonly Origin[]; readonly children: ReadonlyMap<string, Sourced> }
  | { readonly kind: 'array'; readonly origins: readonly Origin[]; readonly items: readonly Sourced[] }
  | { readonly kind: 'leaf'; readonly origins: readonly Origin[]; readonly value: unknown };

/** A parsed value as written in one file. */
export function sourced(value: unknown, origin: Origin): Sourced {
  const origins = [origin];
  const child = (key: string, item: unknown): Sourced =>
    sourced(item, { file: origin.file, path: [...origin.path, key] });
  if (Array.isArray(value))
    return { kind: 'array', origins, items: value.map((item, index) => child(String(index), item)) };
  if (isPlainObject(value))
    return {
      kind: 'object',
      origins,
      children: new Map(Object.entries(value).map(([key, item]) => [key, child(key, item)])),
    };
  return { kind: 'leaf', origins, value };
}

/**
 * `over` on top of `under`: objects merge, arrays join, anything else is replaced. The first origin is the one in
 * force.
 */
export function merge(under: Sourced, over: Sourced): Sourced {
  const origins = [...over.origins, ...under.origins];
  if (under.kind === 'object' && over.kind === 'object') {
    const children = new Map(under.children);
    for (const [key, child] of over.children) {
      const below = children.get(key);
      children.set(key, below ? merge(below, child) : child);
    }
    return { kind: 'object', origins, children };
  }
  if (under.kind === 'array' && over.kind === 'array')
    return { kind: 'array', origins, items: [...under.items, ...over.items] };
  return { ...over, origins };
}

/** The plain value. */
export function plainValue(node: Sourced): unknown {
  if (node.kind === 'leaf') return node.value;
  if (node.kind === 'array') return node.items.map(plainValue);
  return Object.fromEntries([...node.children].map(([key, child]) => [key, plainValue(child)]));
}

/** The node at a path, undefined when there is none. */
export function nodeAt(root: Sourced, path: Path): Sourced | undefined {
  let node: Sourced | undefined = root;
  for (const key of path) node = node && childOf(node, key);
  return node;
}

export function childOf(node: Sourced, key: string): Sourced | undefined {
  if (node.kind === 'object') return node.children.get(key);
  return node.kind === 'array' ? node.items[Number(key)] : undefined;
}
