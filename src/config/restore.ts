/**
 * Puts back what was hidden where a value comes back with the marker in the place it was shown in. What has no such
 * place stays marked, and is refused. Pure.
 */
import { isDeepStrictEqual } from 'node:util';
import { namesVariable } from './env-substitute.ts';
import { parseJson5 } from './json5.ts';
import { getAt, isPlainObject, type Path } from './paths.ts';
import { holdsMarker, REDACTED, redactValue } from './redact.ts';
import type { JsonSchema } from './schema-hints.ts';

/** `present` is what stands in the files, `shown` the same as people see it. */
interface Place {
  readonly present: unknown;
  readonly shown: unknown;
}

export const shownPlace = (present: unknown, schema: JsonSchema): Place => ({
  present,
  shown: redactValue(present, schema),
});

export function restoreAt(value: unknown, { present, shown }: Place, path: Path): unknown {
  return holdsMarker(value) ? restore(value, { present: getAt(present, path), shown: getAt(shown, path) }) : value;
}

function restore(value: unknown, place: Place): unknown {
  const { present, shown } = place;
  if (typeof value === 'string') return isHidden(value, place) ? present : value;
  if (Array.isArray(value))
    return Array.isArray(present) && Array.isArray(shown)
      ? value.map((item: unknown, index) => restore(item, pairOf(index, value, { present, shown })))
      : value;
  if (!isPlainObject(value) || !isPlainObject(present) || !isPlainObject(shown)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      key,
      Object.hasOwn(shown, key) ? restore(item, { present: present[key], shown: shown[key] }) : item,
    ]),
  );
}

/** The name of a variable stays shown in the file, and hides what it stands for in the settings in force. */
const isHidden = (value: string, { present, shown }: Place): boolean =>
  holdsMarker(value) &&
  (value === shown || (value === REDACTED && typeof present === 'string' && namesVariable(present)));

const NOWHERE: Place = { present: undefined, shown: undefined };

/**
 * Which item of the list that was shown this one is: the one with its id, the same in the same place behind the same
 * neighbour, or the only one like it.
 */
function pairOf(
  index: number,
  items: readonly unknown[],
  { present, shown }: { readonly present: readonly unknown[]; readonly shown: readonly unknown[] },
): Place {
  const item = items[index];
  const at = (found: number): Place => (found === -1 ? NOWHERE : { present: present[found], shown: shown[found] });
  const id = idOf(item);
  if (id !== undefined)
    return at(
      shown.filter((other) => idOf(other) === id).length === 1 ? shown.findIndex((other) => idOf(other) === id) : -1,
    );
  if (
    items.length === shown.length &&
    isDeepStrictEqual(item, shown[index]) &&
    isDeepStrictEqual(items[index - 1], shown[index - 1])
  )
    return at(index);
  return at(
    shown.filter((other) => isDeepStrictEqual(other, item)).length === 1
      ? shown.findIndex((other) => isDeepStrictEqual(other, item))
      : -1,
  );
}

const idOf = (item: unknown): unknown => (isPlainObject(item) ? item['id'] : undefined);

/** The places of a document that hold the marker and can be restored, with what belongs there. */
export function restorations(raw: string, place: Place): readonly { readonly path: Path; readonly value: unknown }[] {
  const parsed = parseJson5(raw);
  if (!parsed.ok || !holdsMarker(parsed.value)) return [];
  return differences(parsed.value, restore(parsed.value, place), []);
}

function differences(
  before: unknown,
  after: unknown,
  path: Path,
): readonly { readonly path: Path; readonly value: unknown }[] {
  if (typeof before !== 'object' || before === null) return Object.is(before, after) ? [] : [{ path, value: after }];
  return Object.entries(before).flatMap(([key, item]) =>
    differences(item, (after as Record<string, unknown>)[key], [...path, key]),
  );
}
