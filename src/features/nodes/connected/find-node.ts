/** Finds a node by id, address, name, or the beginning of an id. */
import { AppError } from '../../../core/errors.ts';
import { head } from '../../../core/cut.ts';

/** The names that a node can be found by. */
export interface Named {
  readonly nodeId: string;
  readonly displayName?: string | undefined;
  readonly remoteIp?: string | undefined;
  readonly connected?: boolean | undefined;
}

const LEAST_PREFIX = 6;

/** Throws `AppError('not_found')` with the existing names, or `invalid` if several nodes match. */
export function findNode<N extends Named>(nodes: readonly N[], query: string): N {
  const wanted = query.trim();
  if (wanted === '') throw new AppError('invalid', 'node required');
  const exact = nodes.find(({ nodeId }) => nodeId === wanted);
  if (exact) return exact;
  const name = normalised(wanted);
  const matchers: readonly ((node: N) => boolean)[] = [
    ({ remoteIp }) => remoteIp === wanted,
    ({ displayName }) => name !== '' && displayName !== undefined && normalised(displayName) === name,
    ({ nodeId }) => wanted.length >= LEAST_PREFIX && nodeId.startsWith(wanted),
  ];
  const found = [...new Set(matchers.flatMap((fits) => nodes.filter(fits)))];
  // Of several matches, e.g. two nodes on one machine, the only connected one is taken.
  const there = found.filter(({ connected }) => connected === true);
  const [only, ...others] = there.length === 1 ? there : found;
  if (!only) throw new AppError('not_found', `unknown node: ${head(wanted, 128)} (known: ${namesOf(nodes)})`);
  if (others.length > 0)
    throw new AppError('invalid', `ambiguous node: ${head(wanted, 128)} (matches: ${namesOf([only, ...others])})`);
  return only;
}

/** Lower case; a run of characters other than letters and digits becomes one dash. */
export const normalised = (name: string): string =>
  name
    .toLowerCase()
    .split(/[^a-z0-9]/)
    .filter((part) => part !== '')
    .join('-');

const MAX_SHOWN = 20;

const namesOf = (nodes: readonly Named[]): string =>
  nodes.length === 0
    ? 'none'
    : nodes
        .slice(0, MAX_SHOWN)
        .map(({ displayName, nodeId }) => (displayName ? `${displayName} ${nodeId.slice(0, 12)}` : nodeId))
        .join(', ');
