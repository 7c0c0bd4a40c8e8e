/**
 * The header fields of a request or an answer, as `Headers` has them. The `Headers` of Node loads its whole `fetch`:
 * 25 to 40 ms and 16 MiB, for a gateway whose models are asked without it. The build gives these to the models'
 * libraries, too (`scripts/join-modules.mjs`).
 */
import { validateHeaderName, validateHeaderValue } from 'node:http';

type Fields = Iterable<readonly string[]> | Readonly<Record<string, string>>;

/** Names in any case, each value joined; what HTTP forbids is refused. */
export class LightHeaders {
  readonly #values = new Map<string, string>();

  constructor(fields?: Fields | null) {
    for (const [name, value] of pairsOf(fields ?? {})) this.append(name, value);
  }

  append(name: string, value: string): void {
    const before = this.get(name);
    this.set(name, before === null ? value : `${before}, ${trimmed(value)}`);
  }

  set(name: string, value: string): void {
    const [key, text] = [keyOf(name), trimmed(value)];
    validateHeaderValue(name, text);
    this.#values.set(key, text);
  }

  get(name: string): string | null {
    return this.#values.get(keyOf(name)) ?? null;
  }

  has(name: string): boolean {
    return this.#values.has(keyOf(name));
  }

  delete(name: string): void {
    this.#values.delete(keyOf(name));
  }

  forEach(visit: (value: string, name: string, all: this) => void): void {
    for (const [name, value] of this) visit(value, name, this);
  }

  *entries(): IterableIterator<[string, string]> {
    yield* [...this.#values].sort(([one], [other]) => (one < other ? -1 : 1));
  }

  *keys(): IterableIterator<string> {
    for (const [name] of this) yield name;
  }

  *values(): IterableIterator<string> {
    for (const [, value] of this) yield value;
  }

  [Symbol.iterator](): IterableIterator<[string, string]> {
    return this.entries();
  }
}

function* pairsOf(fields: Fields): Iterable<readonly [string, string]> {
  const pairs = Symbol.iterator in fields ? (fields as Iterable<readonly string[]>) : Object.entries(fields);
  for (const pair of pairs) {
    const [name, value] = [...pair];
    if (pair.length !== 2 || name === undefined || value === undefined)
      throw new TypeError('A header field is a name and a value.');
    yield [name, value];
  }
}

function keyOf(name: string): string {
  validateHeaderName(name);
  return name.toLowerCase();
}

const WHITE_SPACE = '\t\n\r ';

/** Without the white space of HTTP around it, in one pass. */
function trimmed(value: string): string {
  const text = String(value);
  let [start, end] = [0, text.length];
  while (start < end && WHITE_SPACE.includes(text[start]!)) start++;
  while (end > start && WHITE_SPACE.includes(text[end - 1]!)) end--;
  return text.slice(start, end);
}
