/** What a disk may contain after a power cut: four models of how a file system keeps unsynced writes. */
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

export interface DiskImage {
  readonly files: ReadonlyMap<string, Buffer>;
  readonly folders: ReadonlySet<string>;
}

type Of<K extends Operation['kind']> = Extract<Operation, { kind: K }>;
type Naming = Of<'make'> | Of<'rename'> | Of<'remove'>;
type Change = Of<'write'> | Of<'size'>;

const PAGE = 4096;

/** `random`: from 0 to 1. */
export function diskImageAt(
  { operations, before }: Recording,
  cut: number,
  model: Model,
  random: () => number,
): DiskImage {
  const begun = operations.filter((operation) => operation.begun <= cut);
  const waitedFor = lastSyncs(begun, cut);
  const isKept = (operation: Naming | Change): boolean => waitedFor(operation, model) > operation.ended;
  const changes = begun.filter(
    (operation): operation is Naming | Change => operation.kind !== 'sync' && operation.kind !== 'told',
  );
  const rest = changes.filter((operation) => !isKept(operation));
  const unsure = new Set(rest);
  const more = chance(rest, model, random);
  const kept = changes.flatMap((operation): readonly (Naming | Change)[] =>
    unsure.has(operation) ? (more.get(operation) ?? []) : [operation],
  );
  return written(kept, before);
}

/** When the last sync began that covers an operation, of those that were over by then; -1: none was. */
function lastSyncs(begun: readonly Operation[], cut: number): (operation: Naming | Change, model: Model) => number {
  let last = -1;
  const [byFile, byPath] = [new Map<number, number>(), new Map<string, number>()];
  const raise = <K>(times: Map<K, number>, key: K, at: number): unknown =>
    times.set(key, Math.max(at, times.get(key) ?? -1));
  for (const operation of begun) {
    if (operation.kind !== 'sync' || operation.ended > cut) continue;
    last = Math.max(last, operation.begun);
    if (operation.file !== undefined) raise(byFile, operation.file, operation.begun);
    if (operation.path !== undefined) raise(byPath, operation.path, operation.begun);
  }
  const folderAt = (path: string): number => byPath.get(dirname(path)) ?? -1;
  return (operation, model) => {
    if (operation.kind === 'write' || operation.kind === 'size') return byFile.get(operation.file) ?? -1;
    if (model !== 'names') return last;
    const own = folderAt(operation.path);
    return operation.kind === 'rename' ? Math.max(own, folderAt(operation.to)) : own;
  };
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

function written(kept: readonly (Naming | Change)[], before: ReadonlyMap<string, Buffer>): DiskImage {
  const contents = new Map<number, Growing>(
    [...before.values()].map((content, file) => [file, { bytes: Buffer.from(content), size: content.length }]),
  );
  const contentOf = (file: number): Growing => {
    const known = contents.get(file) ?? { bytes: Buffer.alloc(0), size: 0 };
    contents.set(file, known);
    return known;
  };
  const names = new Map<string, number>([...before.keys()].map((path, file) => [path, file]));
  const folders = new Set<string>();
  for (const operation of kept) {
    if (operation.kind === 'write' || operation.kind === 'size') change(contentOf(operation.file), operation);
    else named(operation, { names, folders });
  }
  const bytesOf = (file: number): Buffer => contentOf(file).bytes.subarray(0, contentOf(file).size);
  return { files: new Map([...names].map(([path, file]) => [path, bytesOf(file)])), folders };
}

/** A file that grows: written in place, for copying it whole at each write takes longer than all the rest. */
interface Growing {
  bytes: Buffer;
  size: number;
}

function change(file: Growing, operation: Change): void {
  const end = operation.kind === 'size' ? operation.bytes : operation.offset + operation.data.length;
  if (end > file.bytes.length) {
    const wider = Buffer.alloc(end * 2);
    file.bytes.copy(wider, 0, 0, file.size);
    file.bytes = wider;
  }
  if (operation.kind === 'write') operation.data.copy(file.bytes, operation.offset);
  else if (end < file.size) file.bytes.fill(0, end, file.size); // what is written behind it later leaves zeros between
  file.size = operation.kind === 'size' ? end : Math.max(file.size, end);
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
