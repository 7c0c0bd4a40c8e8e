/** JSON as nested bullets, the way a person would take notes of it. */

/** Levels shown; below, a value is one line of JSON. */
const MAX_DEPTH = 6;
const MAX_LINE = 1000;
const INLINE = 80;

/** Undefined when the text is not JSON. `maxChars` bounds the work; the result may be somewhat longer and is not cut. */
export function jsonToBullets(text: string, { maxChars }: { maxChars: number }): { markdown: string } | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return undefined;
  }
  const lines: string[] = [];
  let room = maxChars;
  const add = (line: string): boolean => {
    lines.push(line);
    room -= line.length + 1;
    return room > 0;
  };
  write(value, { depth: 0, add });
  return { markdown: lines.join('\n') };
}

interface Place { readonly depth: number; readonly label?: string; readonly add: (line: string) => boolean }

/** False when there is no room for more. */
function write(value: unknown, { depth, label, add }: Place): boolean {
  const bullet = `${'  '.repeat(depth)}- ${label === undefined ? '' : `${label}:`}`;
  const whole = oneLine(value, depth);
  if (whole !== undefined) return add(depth === 0 && label === undefined && !isComposite(value) ? whole : `${bullet}${label === undefined ? '' : ' '}${whole}`);
  const below = label === undefined && depth === 0 ? 0 : depth + 1;
  if (below > depth && !add(bullet.trimEnd())) return false;
  const entries = Array.isArray(value) ? value.map((item: unknown, index) => [isComposite(item) ? `${index + 1}` : undefined, item] as const) : Object.entries(value as object);
  return entries.every(([name, item]) => write(item, { depth: below, add, ...(name !== undefined && { label: clean(name) }) }));
}

/** A value that fits on a line; undefined for one that wants bullets of its own. */
function oneLine(value: unknown, depth: number): string | undefined {
  if (typeof value === 'string') return value === '' ? '(empty)' : clean(value);
  if (value === null) return 'none';
  if (!isComposite(value)) return String(value);
  const size = Array.isArray(value) ? value.length : Object.keys(value).length;
  if (size === 0) return '(empty)';
  if (depth >= MAX_DEPTH) return clean(JSON.stringify(value));
  const scalars = Array.isArray(value) && !value.some(isComposite) ? value.map((item) => oneLine(item, depth)).join(', ') : undefined;
  return scalars !== undefined && scalars.length <= INLINE && depth > 0 ? scalars : undefined;
}

const isComposite = (value: unknown): value is object => typeof value === 'object' && value !== null;

function clean(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length > MAX_LINE ? `${line.slice(0, MAX_LINE)}…` : line;
}
