/** Converts JSON to nested bullet lists. */
import { parseJson } from '../core/parse-json.ts';
import { excerpt } from '../core/cut.ts';

/** Levels shown; below, a value is one line of JSON. */
const MAX_DEPTH = 6;
const MAX_LINE = 1000;
const INLINE = 80;

/**
 * Undefined when the text is not JSON. `maxChars` bounds the work; the result may be somewhat longer and is not cut.
 */
export function jsonToBullets(text: string, { maxChars }: { maxChars: number }): { markdown: string } | undefined {
  const value = parseJson(text.replace(/^\uFEFF/, ''));
  if (value === undefined) return undefined;
  const line = oneLine(value, 0);
  if (line !== undefined) return { markdown: line };
  const lines: string[] = [];
  let room = maxChars;
  const add = (text: string): boolean => {
    lines.push(text);
    room -= text.length + 1;
    return room > 0;
  };
  addEntries(value as object, { depth: 0, add });
  return { markdown: lines.join('\n') };
}

/** False when there is no room for more. */
function addEntries(value: object, { depth, add }: { depth: number; add: (text: string) => boolean }): boolean {
  return entriesOf(value).every(([name, item]) => {
    const bullet = `${'  '.repeat(depth)}-${name === undefined ? '' : ` ${clean(name)}:`}`;
    const line = oneLine(item, depth + 1);
    return line === undefined
      ? add(bullet) && addEntries(item as object, { depth: depth + 1, add })
      : add(`${bullet} ${line}`);
  });
}

/** Items of a list have no names; those with an inside are numbered. */
function entriesOf(value: object): (readonly [string | undefined, unknown])[] {
  return Array.isArray(value)
    ? value.map((item: unknown, index) => [isComposite(item) ? String(index + 1) : undefined, item] as const)
    : Object.entries(value);
}

/** A value that fits on a line; undefined for one that wants bullets of its own. */
function oneLine(value: unknown, depth: number): string | undefined {
  if (typeof value === 'string') return value === '' ? '(empty)' : clean(value);
  if (value === null) return 'none';
  if (!isComposite(value)) return String(value);
  const size = Array.isArray(value) ? value.length : Object.keys(value).length;
  if (size === 0) return '(empty)';
  if (depth >= MAX_DEPTH) return clean(written(value));
  const scalars =
    Array.isArray(value) && !value.some(isComposite) ? value.map((item) => oneLine(item, depth)).join(', ') : undefined;
  return scalars !== undefined && scalars.length <= INLINE && depth > 0 ? scalars : undefined;
}

function written(value: object): string {
  try {
    return JSON.stringify(value);
  } catch (error) {
    // It was read without the stack, and is written with it.
    if (error instanceof RangeError) return '(nested too deeply)';
    throw error;
  }
}

const isComposite = (value: unknown): value is object => typeof value === 'object' && value !== null;

const clean = (text: string): string => excerpt(text.replaceAll(/\s+/g, ' ').trim(), MAX_LINE);
