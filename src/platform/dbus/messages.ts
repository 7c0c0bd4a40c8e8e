/** Messages of D-Bus: their header and body, from bytes and to bytes. */
import { AppError } from '../../core/errors.ts';
import { typesOf, ValueReader, ValueWriter } from './values.ts';

/** What a message is for. */
export type MessageKind = 'call' | 'return' | 'error' | 'signal';

/** One message; which fields are there depends on its kind. */
export interface DbusMessage {
  readonly kind: MessageKind;
  readonly serial: number;
  readonly path?: string | undefined;
  readonly interface?: string | undefined;
  readonly member?: string | undefined;
  readonly errorName?: string | undefined;
  readonly replySerial?: number | undefined;
  readonly destination?: string | undefined;
  readonly sender?: string | undefined;
  readonly signature?: string | undefined;
  readonly body: readonly unknown[];
}

const KINDS: readonly MessageKind[] = ['call', 'return', 'error', 'signal'];
const FIELDS = [
  [1, 'path', 'o'],
  [2, 'interface', 's'],
  [3, 'member', 's'],
  [4, 'errorName', 's'],
  [5, 'replySerial', 'u'],
  [6, 'destination', 's'],
  [7, 'sender', 's'],
  [8, 'signature', 'g'],
] as const;

const LITTLE = 0x6c;
/** Of the part whose length is fixed: up to and with the length of the fields. */
const FIXED = 16;
/** Nothing that is asked for here is larger. */
const MAX_BYTES = 1024 * 1024;

/** Throws where a value does not fit its type. */
export function bytesOf(message: DbusMessage): Buffer {
  const { kind, serial, signature = '', body } = message;
  const values = new ValueWriter();
  typesOf(signature).forEach((type, at) => values.write(type, body[at]));
  const bodyBytes = values.take();
  const fields = FIELDS.flatMap(([code, name, type]) => {
    const value = message[name];
    return value === undefined || value === '' ? [] : [[code, [type, value]]];
  });
  const header = new ValueWriter();
  header.write('(yyyyuu)', [LITTLE, KINDS.indexOf(kind) + 1, 0, 1, bodyBytes.length, serial]);
  header.write('a(yv)', fields);
  header.align(8);
  return Buffer.concat([header.take(), bodyBytes]);
}

/** The first whole message of what came, and its length; undefined: more has to come. Throws `bad_response`. */
export function readMessage(bytes: Buffer): { readonly message: DbusMessage; readonly length: number } | undefined {
  if (bytes.length < FIXED) return undefined;
  const [endian, kindCode] = bytes;
  const kind = KINDS[kindCode! - 1];
  if (endian !== LITTLE) throw new AppError('bad_response', 'D-Bus: the bus speaks another byte order');
  const bodyLength = bytes.readUInt32LE(4);
  const headerLength = FIXED + bytes.readUInt32LE(12);
  const bodyAt = Math.ceil(headerLength / 8) * 8;
  const length = bodyAt + bodyLength;
  if (length > MAX_BYTES) throw new AppError('bad_response', 'D-Bus: a message of more than 1 MiB');
  if (bytes.length < length) return undefined;
  const header = new ValueReader(bytes.subarray(0, headerLength));
  const [, , , , , serial] = header.read('(yyyyuu)') as number[];
  const byCode = new Map(header.read('a(yv)') as readonly (readonly [number, unknown])[]);
  const fields = Object.fromEntries(FIELDS.map(([code, name]) => [name, byCode.get(code)]));
  const { signature } = fields as Pick<DbusMessage, 'signature'>;
  const body = new ValueReader(bytes.subarray(bodyAt, length));
  const values = typesOf(signature ?? '').map((type) => body.read(type));
  // A kind of a later version is skipped by whoever reads it.
  return { message: { ...fields, kind: kind ?? 'signal', serial: serial!, body: values }, length };
}
