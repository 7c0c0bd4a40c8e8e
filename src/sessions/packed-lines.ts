/**
 * Session entries in memory: those of the file packed in blocks, because 100 000 of them are 33 MB of text that is
 * hardly ever read; those that changed since as they are.
 */
import { deflateRawSync, inflateRawSync } from 'node:zlib';

/** Session key → the entry's JSON text. Whoever walks it may change it meanwhile. */
export interface EntryLines extends Iterable<readonly [string, string]> {
  get(key: string): string | undefined;
  set(key: string, json: string): unknown;
  delete(key: string): unknown;
  readonly size: number;
}

/** Entries read from a file: `pack` puts one in. */
export interface PackedLines extends EntryLines {
  /** Of one line, as every entry of a file is. */
  pack(key: string, json: string): void;
  /** Its entries as they are at the call, whatever becomes of them while somebody walks it. */
  frozen(): Iterable<Listed>;
}

/** Of a block: more pack no better, and one entry that is read unpacks them all, in a twentieth of a millisecond. */
const ROWS = 64;

/** About what a packed block takes. */
const CHUNK_BYTES = 4096;

/** An entry's text, or its number among the packed ones. */
type Place = string | number;

/** One entry of a list; its text is unpacked only for who asks. */
export interface Listed {
  readonly key: string;
  readonly updatedAt: number;
  json(): string;
}

/** Of entries that are there already. */
export function createPackedLines(entries: Iterable<readonly [string, string]> = []): PackedLines {
  const places = new Map<string, Place>(entries);
  const blocks = createBlocks();
  const textOf = (place: Place): string => (typeof place === 'string' ? place : blocks.text(place));

  /** Two lists take less than a list of pairs. */
  function* frozen(keys: readonly string[], at: readonly Place[]): Generator<Listed> {
    for (const [index, key] of keys.entries()) {
      const place = at[index]!;
      const updatedAt = typeof place === 'string' ? updatedAtIn(place) : blocks.updatedAt(place);
      yield { key, updatedAt, json: () => textOf(place) };
    }
  }

  return {
    get(key) {
      const place = places.get(key);
      return place === undefined ? undefined : textOf(place);
    },
    set: (key, json) => places.set(key, json),
    delete: (key) => places.delete(key),
    get size() {
      return places.size;
    },
    pack: (key, json) => void places.set(key, blocks.add(json)),
    frozen: () => frozen([...places.keys()], [...places.values()]),
    *[Symbol.iterator]() {
      for (const [key, place] of places) yield [key, textOf(place)];
    },
  };
}

/** Read off the text: parsing 10 000 entries to show ten would hold the event loop. */
function updatedAtIn(json: string): number {
  const name = '"updatedAt":';
  const at = json.lastIndexOf(name);
  return at === -1 ? 0 : Number.parseInt(json.slice(at + name.length, at + name.length + 14), 10) || 0;
}

/**
 * Of the pieces that packed blocks stand in: small ones among what a load allocates and frees would keep the system
 * from getting that back.
 */
const ARENA_BYTES = 256 * 1024;

/** In one piece, as long as it was. */
const unpack = ({ bytes, unpacked }: { readonly bytes: Buffer; readonly unpacked: number }): readonly string[] =>
  inflateRawSync(bytes, { chunkSize: Math.max(unpacked + 1, 64) })
    .toString('utf8')
    .split('\n');

/** Texts by number, in the order they were added; the last block is not full and not packed yet. */
function createBlocks() {
  const packed: { readonly bytes: Buffer; readonly unpacked: number }[] = [];
  const updated: number[] = [];
  const state: {
    last: string[];
    read: { readonly block: number; readonly texts: readonly string[] };
    room: Buffer;
    text: Buffer;
  } = { last: [], read: { block: -1, texts: [] }, room: Buffer.alloc(0), text: Buffer.alloc(0) };

  /** Neighbors are read one after the other. */
  function textsOf(block: number): readonly string[] {
    if (block === packed.length) return state.last;
    if (state.read.block !== block) state.read = { block, texts: unpack(packed[block]!) };
    return state.read.texts;
  }

  function pack(): void {
    const text = state.last.join('\n');
    const longest = text.length * 3; // as UTF-8
    if (state.text.length < longest) state.text = Buffer.allocUnsafeSlow(2 * longest);
    const unpacked = state.text.write(text);
    const bytes = deflateRawSync(state.text.subarray(0, unpacked), { level: 1, chunkSize: CHUNK_BYTES });
    packed.push({ bytes: kept(bytes), unpacked });
    state.last = [];
  }

  function kept(block: Buffer): Buffer {
    if (state.room.length < block.length) state.room = Buffer.allocUnsafeSlow(Math.max(ARENA_BYTES, block.length));
    const place = state.room.subarray(0, block.length);
    state.room = state.room.subarray(block.length);
    block.copy(place);
    return place;
  }

  return {
    add(text: string): number {
      const number = updated.push(updatedAtIn(text)) - 1;
      state.last.push(text);
      if (state.last.length === ROWS) pack();
      return number;
    },
    updatedAt: (number: number): number => updated[number]!,
    text: (number: number): string => textsOf(Math.floor(number / ROWS))[number % ROWS]!,
  };
}
