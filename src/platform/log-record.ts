/** One log line as data: plain, bounded, with errors in full. */
import { sizedExcerpt } from '../core/cut.ts';
import { AppError } from '../core/errors.ts';
import type { LogFields } from '../core/log.ts';

/** One line of the log; `time` as ISO 8601. */
export interface LogRecord {
  readonly time: string;
  readonly level: string;
  readonly event: string;
  readonly [field: string]: unknown;
}

/** Characters of one string; the rest is cut, so that a line stays a line. */
const MAX_TEXT = 4096;
const MAX_ITEMS = 50;
const MAX_DEPTH = 6;
/** Names of the record's own; a field of the same name gets an underscore behind it. */
const RESERVED = new Set(['time', 'level', 'event']);

/** Names that would hide the head are prefixed, errors become their message, code and cause. */
export function logRecord(head: { time: number; level: string; event: string }, fields: LogFields): LogRecord {
  const record: Record<string, unknown> = {
    time: new Date(head.time).toISOString(),
    level: head.level,
    event: head.event,
  };
  for (const [name, value] of Object.entries(fields)) {
    if (value !== undefined) record[RESERVED.has(name) ? `${name}_` : name] = plain(value, 0);
  }
  return record as LogRecord;
}

/** Anything as JSON-safe data of bounded size. */
function plain(value: unknown, depth: number): unknown {
  switch (typeof value) {
    case 'string':
      return sizedExcerpt(value, MAX_TEXT);
    case 'bigint':
    case 'symbol':
      return String(value);
    case 'function':
      return `[function ${value.name}]`;
    case 'object':
      return value === null ? null : plainObject(value, depth);
    default:
      return value;
  }
}

function plainObject(value: object, depth: number): unknown {
  if (value instanceof Error) return describeError(value, depth);
  if (depth >= MAX_DEPTH) return '[deeper]';
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'Invalid Date' : value.toISOString();
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
  if (value instanceof Map) return plainObject(Object.fromEntries(value), depth);
  if (value instanceof Set) return plainObject([...value], depth);
  if (Array.isArray(value)) {
    const items = value.slice(0, MAX_ITEMS).map((item) => plain(item, depth + 1));
    return value.length > MAX_ITEMS ? [...items, `… ${value.length - MAX_ITEMS} more`] : items;
  }
  const entries = Object.entries(value).slice(0, MAX_ITEMS);
  return Object.fromEntries(entries.map(([name, item]) => [name, plain(item, depth + 1)]));
}

/** Code, message and the chain of causes; the stack only where the fault may be ours. */
function describeError(error: Error, depth: number): Record<string, unknown> {
  const code = 'code' in error ? error.code : undefined;
  const ours = !(error instanceof AppError) || error.code === 'internal';
  return {
    name: error.name,
    ...(code !== undefined && { code: plain(code, depth) }),
    message: plain(error.message, depth),
    ...(error instanceof AppError && error.details && { details: plain(error.details, depth + 1) }),
    ...(ours && error.stack && depth === 0 && { stack: plain(error.stack, depth) }),
    ...(error.cause !== undefined && { cause: depth >= MAX_DEPTH ? '[deeper]' : plain(error.cause, depth + 1) }),
  };
}
