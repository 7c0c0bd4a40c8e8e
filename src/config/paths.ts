/** Dotted paths into a configuration: `agents.list[0].name`, `agents.defaults.models["openai/gpt-4.1"].alias`. */

export type Path = readonly string[];

/** Array indexes come out as digits. Throws nothing: an empty text is the root. */
export function parsePath(text: string): Path {
  const keys: string[] = [];
  const part = /\["((?:[^"\\]|\\.)*)"\]|\[([^[\]]*)\]|([^.[\]]+)/g;
  for (const [, quoted, bracketed, plain] of text.matchAll(part))
    keys.push(quoted === undefined ? (bracketed ?? plain ?? '') : unquote(quoted));
  return keys;
}

/** The inverse of `parsePath`. */
export function formatPath(path: Path): string {
  return path.reduce((text, key) => {
    if (/^\d+$/.test(key) && text !== '') return `${text}[${key}]`;
    if (/[.[\]"]/.test(key) || key === '') return `${text}[${JSON.stringify(key)}]`;
    return text === '' ? key : `${text}.${key}`;
  }, '');
}

export function isPlainObject(value: unknown): value is Record<string, unknown> {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    (Object.getPrototypeOf(value) === Object.prototype || Object.getPrototypeOf(value) === null)
  );
}

/** The value at a path, undefined when something on the way is missing. */
export function getAt(value: unknown, path: Path): unknown {
  let at = value;
  for (const key of path) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, key)) return undefined;
    at = (at as Record<string, unknown>)[key];
  }
  return at;
}

export function startsWith(path: Path, prefix: Path): boolean {
  return prefix.length <= path.length && prefix.every((key, index) => path[index] === key);
}

/** One setting to change; an `undefined` value removes it. Paths are in present names; the file may use old ones. */
export interface Edit {
  readonly path: Path;
  readonly value: unknown;
}

/** A copy of `value` with one setting changed, made without looking at any file. */
export function withEdit(value: unknown, { path, value: next }: Edit): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return next;
  if (Array.isArray(value)) {
    const copy: unknown[] = [...value];
    if (rest.length === 0 && next === undefined) copy.splice(Number(key), Number(key) < copy.length ? 1 : 0);
    else
      copy[Number(key)] =
        copy[Number(key)] === undefined ? nest(rest, next) : withEdit(copy[Number(key)], { path: rest, value: next });
    return copy;
  }
  if (!isPlainObject(value)) return next === undefined ? value : nest(path, next);
  const { [key]: present, ...others } = value;
  if (next === undefined && (rest.length === 0 || present === undefined)) return rest.length === 0 ? others : value;
  return { ...value, [key]: present === undefined ? nest(rest, next) : withEdit(present, { path: rest, value: next }) };
}

/** `value` inside the objects and lists the remaining keys ask for. */
export function nest(path: Path, value: unknown): unknown {
  return path.reduceRight<unknown>((inner, key) => (key === '0' ? [inner] : { [key]: inner }), value);
}

function unquote(text: string): string {
  try {
    return JSON.parse(`"${text}"`) as string;
  } catch (error) {
    if (error instanceof SyntaxError) return text;
    throw error;
  }
}
