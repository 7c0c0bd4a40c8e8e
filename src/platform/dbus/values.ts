/**
 * Values of D-Bus as bytes, by their signature, in little endian. Structs and arrays are arrays, dictionaries are
 * objects; a variant is written as `[signature, value]` and read as its value.
 */
import { AppError } from '../../core/errors.ts';

const MAX_DEPTH = 32;

/** Bytes a value of each type begins at a multiple of. */
const ALIGN = Object.fromEntries(
  [...'y1g1v1n2q2b4i4u4h4s4o4a4x8t8d8(8{8'.matchAll(/(.)(\d)/g)].map(([, type, size]) => [type!, Number(size)]),
);

const broken = (why: string): AppError => new AppError('bad_response', `D-Bus: ${why}`);

/** The first complete type of a signature. */
function firstType(signature: string, depth = 0): string {
  const code = signature[0];
  if (code === undefined || depth > MAX_DEPTH) throw broken('bad signature');
  if (code === 'a') return `a${firstType(signature.slice(1), depth + 1)}`;
  if (code !== '(' && code !== '{') {
    if (!Object.hasOwn(ALIGN, code)) throw broken(`unknown type ${code}`);
    return code;
  }
  const end = code === '(' ? ')' : '}';
  let length = 1;
  while (signature[length] !== end) length += firstType(signature.slice(length), depth + 1).length;
  // Empty ones take no bytes, so that an array of them would never end.
  if (length === 1) throw broken('an empty struct');
  return signature.slice(0, length + 1);
}

/** The complete types of a signature, in order. */
export function typesOf(signature: string): readonly string[] {
  const types: string[] = [];
  for (let rest = signature; rest !== ''; rest = rest.slice(types.at(-1)!.length)) types.push(firstType(rest));
  return types;
}

/** Writes numbers of a fixed size. */
const NUMBERS: Readonly<Record<string, readonly [size: number, write: (to: Buffer, value: never) => void]>> = {
  y: [1, (to, value) => void to.writeUInt8(value)],
  n: [2, (to, value) => void to.writeInt16LE(value)],
  q: [2, (to, value) => void to.writeUInt16LE(value)],
  b: [4, (to, value) => void to.writeUInt32LE(value ? 1 : 0)],
  i: [4, (to, value) => void to.writeInt32LE(value)],
  u: [4, (to, value) => void to.writeUInt32LE(value)],
  h: [4, (to, value) => void to.writeUInt32LE(value)],
  x: [8, (to, value) => void to.writeBigInt64LE(BigInt(value))],
  t: [8, (to, value) => void to.writeBigUInt64LE(BigInt(value))],
  d: [8, (to, value) => void to.writeDoubleLE(value)],
};

/** Bytes of a message, growing. */
export class ValueWriter {
  #bytes = Buffer.alloc(256);
  #length = 0;

  take(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }

  align(to: number): void {
    this.#add(Buffer.alloc((to - (this.#length % to)) % to));
  }

  write(type: string, value: unknown): void {
    const code = type[0]!;
    this.align(ALIGN[code]!);
    const number = NUMBERS[code];
    if (number) {
      const bytes = Buffer.alloc(number[0]);
      number[1](bytes, value as never);
      this.#add(bytes);
    } else if (code === 's' || code === 'o') this.#text(String(value), 4);
    else if (code === 'g') this.#text(String(value), 1);
    else if (code === 'v') {
      const [signature, inner] = value as readonly [string, unknown];
      this.#text(signature, 1);
      this.write(signature, inner);
    } else if (code === 'a') this.#array(type.slice(1), value);
    else typesOf(type.slice(1, -1)).forEach((one, at) => this.write(one, (value as readonly unknown[])[at]));
  }

  #array(type: string, value: unknown): void {
    this.#add(Buffer.alloc(4));
    const lengthAt = this.#length - 4;
    this.align(ALIGN[type[0]!]!);
    const start = this.#length;
    const items = Array.isArray(value) ? value : Object.entries(value as object);
    for (const item of items) this.write(type, item);
    this.#bytes.writeUInt32LE(this.#length - start, lengthAt);
  }

  /** With its length before it and a zero behind it. */
  #text(text: string, lengthBytes: 1 | 4): void {
    const bytes = Buffer.from(text, 'utf8');
    const length = Buffer.alloc(lengthBytes);
    length.writeUIntLE(bytes.length, 0, lengthBytes);
    this.#add(Buffer.concat([length, bytes, Buffer.alloc(1)]));
  }

  #add(bytes: Buffer): void {
    while (this.#length + bytes.length > this.#bytes.length)
      this.#bytes = Buffer.concat([this.#bytes, Buffer.alloc(this.#bytes.length)]);
    this.#length += bytes.copy(this.#bytes, this.#length);
  }
}

/** Reads what somebody else wrote; what does not fit throws `bad_response`. */
export class ValueReader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  read(type: string, depth = 0): unknown {
    if (depth > MAX_DEPTH) throw broken('values nested too deep');
    const code = type[0]!;
    this.#align(ALIGN[code]!);
    switch (code) {
      case 'y':
        return this.#bytes[this.#take(1)];
      case 'n':
        return this.#bytes.readInt16LE(this.#take(2));
      case 'q':
        return this.#bytes.readUInt16LE(this.#take(2));
      case 'b':
        return this.#bytes.readUInt32LE(this.#take(4)) !== 0;
      case 'i':
        return this.#bytes.readInt32LE(this.#take(4));
      case 'u':
      case 'h':
        return this.#length();
      case 'x':
        return Number(this.#bytes.readBigInt64LE(this.#take(8)));
      case 't':
        return Number(this.#bytes.readBigUInt64LE(this.#take(8)));
      case 'd':
        return this.#bytes.readDoubleLE(this.#take(8));
      case 's':
      case 'o':
        return this.#text(this.#length());
      case 'g':
        return this.#text(this.#bytes[this.#take(1)]!);
      case 'v': {
        const signature = this.#text(this.#bytes[this.#take(1)]!);
        if (typesOf(signature).length !== 1) throw broken('a variant of more than one value');
        return this.read(signature, depth + 1);
      }
      case 'a':
        return this.#array(type.slice(1), depth);
      default:
        return typesOf(type.slice(1, -1)).map((one) => this.read(one, depth + 1));
    }
  }

  #array(type: string, depth: number): unknown {
    const length = this.#length();
    this.#align(ALIGN[type[0]!]!);
    const end = this.#at + length;
    if (end > this.#bytes.length) throw broken('an array longer than its message');
    const items: unknown[] = [];
    while (this.#at < end) items.push(this.read(type, depth + 1));
    return type[0] === '{' ? Object.fromEntries(items as [PropertyKey, unknown][]) : items;
  }

  #length(): number {
    return this.#bytes.readUInt32LE(this.#take(4));
  }

  #text(length: number): string {
    const at = this.#take(length + 1);
    return this.#bytes.toString('utf8', at, at + length);
  }

  #align(to: number): void {
    this.#at += (to - (this.#at % to)) % to;
  }

  #take(length: number): number {
    const at = this.#at;
    if (at + length > this.#bytes.length) throw broken('a message that ends early');
    this.#at += length;
    return at;
  }
}
