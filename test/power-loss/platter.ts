/**
 * What may be on the platter when the power goes: four models of how much a file system keeps of what nobody waited
 * for.
 */
import { dirname } from 'node:path';
import type { Operation, Recording } from './operations.ts';

/**
 * `synced`: what was waited for, and nothing else. `prefix`: and the beginning of the rest, in order. `pages`: and any
 * 4096-byte pieces of it, in any order.
 * `names`: what was waited for, and of names only those whose folder was synced; POSIX promises no more. In the others
 * a sync of any file brings
 * the names made before along, as journals of file systems do.
 */
export const MODELS = ['synced', 'prefix', 'pages', 'names'] as const;
export type Model = (typeof MODELS)[number];

export interface Platter {
  readonly files: ReadonlyMap<string, Buffer>;
  readonly folders: ReadonlySet<string>;
}

type Of<K extends Operation['kind']> = Extract<Operation, { kind: K }>;
type Naming = Of<'make'> | Of<'rename'> | Of<'remove'>;
type Change = Of<'write'> | Of<'size'>;

const PAGE = 4096;

/** `random`: from 0 to 1. */
export function platterAt({ operations, before }: Recording, cut: number, model: Model, random: () => number): Platter {
  const begun = operations.filter((operation) => operation.begun <= cut);
  const syncs = begun.filter(
    (operation): operation is Of<'sync'> => operation.kind === 'sync' && operation.ended <= cut,
  );
  const isKept = (operation: Naming | Change): boolean =>
    syncs.some((sync) => sync.begun > operation.ended && covers(sync, operation, model));
  const rest = begun.filter(
    (operation): operation is Naming | Change =>
      operation.kind !== 'sync' && operation.kind !== 'told' && !isKept(operation),
  );
  const more = chance(rest, model, random);
  const kept = begun.flatMap((operation): readonly (Naming | Change)[] =>
    operation.kind === 'sync' || operation.kind === 'told'
      ? []
      : rest.includes(operation)
        ? (more.get(operation) ?? [])
        : [operation],
  );
  return written(kept, before);
}

function covers(sync: Of<'sync'>, operation: Naming | Change, model: Model): boolean {
  if (operation.kind === 'write' || operation.kind === 'size') return sync.file === operation.file;
  if (model !== 'names') return true;
  return (
    sync.path !== undefined &&
    (sync.path === dirname(operation.path) || (operation.kind === 'rename' && sync.path === dirname(operation.to)))
  );
}

/**
 * Of what nobody waited for, what happens to be there. Names change in their order: a journal of names is written in
 * order.
 */
function chance(
  rest: readonly (Naming | Change)[],
  model: Model,
  random: () => number,
): ReadonlyMap<Naming | Change, readonly (Naming | Change)[]> {
  if (model === 'synced' || model === 'names') return new Map();
  const until = Math.floor(random() * (rest.length + 1));
  if (model === 'prefix') return new Map(rest.slice(0, until).map((operation) => [operation, [operation]]));
  const isChange = (operation: Naming | Change): operation is Change =>
    operation.kind === 'write' || operation.kind === 'size';
  return new Map(
    rest.map((operation, index) => [
      operation,
      isChange(operation) ? piecesOf(operation).filter(() => random() < 0.5) : index < until ? [operation] : [],
    ]),
  );
}

function piecesOf(change: Change): readonly Change[] {
  if (change.kind === 'size') return [change];
  const pieces: Change[] = [];
  for (let at = 0; at < change.data.length; ) {
    const end = Math.min(change.data.length, at + PAGE - ((change.offset + at) % PAGE));
    pieces.push({ ...change, offset: change.offset + at, data: change.data.subarray(at, end) });
    at = end;
  }
  return pieces;
}

function written(kept: readonly (Naming | Change)[], before: ReadonlyMap<string, Buffer>): Platter {
  const contents = new Map<number, Buffer>([...before.values()].map((content, file) => [file, content]));
  const names = new Map<string, number>([...before.keys()].map((path, file) => [path, file]));
  const folders = new Set<string>();
  for (const operation of kept) {
    if (operation.kind === 'write' || operation.kind === 'size')
      contents.set(operation.file, changed(contents.get(operation.file) ?? Buffer.alloc(0), operation));
    else named(operation, { names, folders });
  }
  return { files: new Map([...names].map(([path, file]) => [path, contents.get(file) ?? Buffer.alloc(0)])), folders };
}

function changed(content: Buffer, change: Change): Buffer {
  const size = change.kind === 'size' ? change.bytes : Math.max(content.length, change.offset + change.data.length);
  const next = Buffer.alloc(size);
  content.copy(next, 0, 0, Math.min(size, content.length));
  if (change.kind === 'write') change.data.copy(next, change.offset);
  return next;
}

function named(
  operation: Naming,
  { names, folders }: { readonly names: Map<string, number>; readonly folders: Set<string> },
): void {
  if (operation.kind === 'make') {
    if (operation.file === undefined) folders.add(operation.path);
    else names.set(operation.path, operation.file);
  } else if (operation.kind === 'remove') {
    names.delete(operation.path);
    folders.delete(operation.path);
  } else {
    const file = names.get(operation.path);
    names.delete(operation.path);
    if (file !== undefined) names.set(operation.to, file);
  }
}
