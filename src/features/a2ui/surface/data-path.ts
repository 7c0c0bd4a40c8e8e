/** Paths into the data model of a surface: JSON pointers, or the older dotted notation. */

/** Anything JSON can say. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** Deeper paths are refused when they are read from a message, and find nothing here. */
export const MAX_PATH_SEGMENTS = 64;

/** `/a~1b/0` → `['a/b', '0']`; without a leading slash the path is relative to `context`, itself absolute. */
export function segmentsOf(path: string, context = ''): readonly string[] {
  const absolute = path.startsWith('/') ? path : path === '.' || path === '' ? context : `${context}/${path}`;
  return absolute
    .split('/')
    .filter((segment) => segment !== '')
    .map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** The absolute pointer of segments. */
export const pointerOf = (segments: readonly string[]): string =>
  segments.map((segment) => `/${segment.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');

/** What the data model holds at a path; undefined: nothing. Only own keys are found. */
export function valueAt(data: Json, segments: readonly string[]): Json | undefined {
  return walk(data, segments) ?? walk(data, undotted(segments));
}

function walk(data: Json, segments: readonly string[]): Json | undefined {
  let value: Json | undefined = data;
  for (const segment of segments) {
    value = containerOf(value);
    if (typeof value !== 'object' || value === null) return undefined;
    value =
      Object.hasOwn(value, segment) && (!Array.isArray(value) || isIndex(segment)) ? get(value, segment) : undefined;
    if (value === undefined) return undefined;
  }
  return value;
}

/** Lists have no type of their own in messages of 0.8; writers put them into strings, as JSON. */
export function containerOf(value: Json | undefined): Json | undefined {
  if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return value;
  try {
    return JSON.parse(value) as Json;
  } catch (error) {
    if (error instanceof SyntaxError) return value;
    throw error;
  }
}

/** A pointer whose every `~` begins an escape. */
export const isPointer = (path: string): boolean => !/~(?![01])/.test(path);

const get = (value: object, key: string): Json | undefined => (value as Readonly<Record<string, Json>>)[key];

/** `books[0].title` → `books`, `0`, `title`. */
const undotted = (segments: readonly string[]): readonly string[] =>
  segments.flatMap((segment) => segment.split(/[.[\]]/)).filter((segment) => segment !== '');

/** A new model with the value at this path; what is on the way and no container is replaced by one. */
export function withValueAt(data: Json, segments: readonly string[], value: Json | undefined): Json {
  const [first, ...rest] = segments;
  if (first === undefined) return value ?? {};
  const inner = rest.length === 0 ? value : withValueAt(childOf(data, first) ?? {}, rest, value);
  if (Array.isArray(data) && isIndex(first) && Number(first) <= data.length)
    return inner === undefined ? data.toSpliced(Number(first), 1) : data.toSpliced(Number(first), 1, inner);
  return withKey(data, first, inner);
}

const childOf = (data: Json, key: string): Json | undefined => walk(data, [key]);

/** A computed key in a literal is always an own key, whatever it is called: no prototype is touched. */
function withKey(data: Json, key: string, value: Json | undefined): Json {
  const object = typeof data === 'object' && data !== null ? { ...(data as Readonly<Record<string, Json>>) } : {};
  if (value !== undefined) return { ...object, [key]: value };
  const { [key]: _removed, ...kept } = object;
  return kept;
}

const isIndex = (segment: string): boolean => /^(?:0|[1-9]\d{0,8})$/.test(segment);
