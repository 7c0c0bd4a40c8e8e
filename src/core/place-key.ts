/**
 * A configuration key that identifies a chat or channel: a key that looks like an id matches ids only, any other key
 * is a name. Pure.
 */

/**
 * How a platform's ids look, where configuration names its places by them. Matched against the key as written, and
 * without its prefixes.
 */
export interface IdForms {
  readonly chat: RegExp;
  /** Of a server or workspace. */
  readonly space?: RegExp;
  readonly person?: RegExp;
  /** A key that is not an id may be the name of a chat; absent: it matches nothing. */
  readonly names?: true;
}

/** A key of place settings, read: every place, one by its id, or one by its name. */
export type PlaceKey =
  | { readonly kind: 'every' }
  | { readonly kind: 'id'; readonly id: string }
  | { readonly kind: 'name'; readonly name: string };

/**
 * What is known about a chat: its ids, the most specific first, and its name, which is undefined if it is unknown or
 * not unique.
 */
export interface PlaceFacing {
  readonly ids: readonly (string | undefined)[];
  readonly name: string | undefined;
}

/**
 * The entry of a table for a chat. `maybe`: keys that may or may not match, because the name of the chat is unknown.
 */
export interface KeysFound {
  readonly keys: readonly string[];
  readonly maybe: readonly string[];
  /** Of `keys`, those that are names. */
  readonly named: readonly string[];
}

const EVERY = '*';
const MAX_KEY = 200;
const MAX_PREFIXES = 3;
const PREFIX = /^[a-z][\w-]{0,31}:/i;
const MENTION = /^<[#@][!&]?([^<>|]{1,100})(?:\|[^<>]{0,100})?>$/;

/** A key as it may be meant: as written, without `discord:` and `channel:`, out of `<#…>` and `<@…>`. */
export function spellings(written: string): readonly string[] {
  const text = written.trim();
  if (text.length > MAX_KEY) return [text];
  const found = [text];
  for (let rest = text; found.length <= MAX_PREFIXES && PREFIX.test(rest); )
    found.push((rest = rest.replace(PREFIX, '').trim()));
  const inner = MENTION.exec(found.at(-1)!)?.[1];
  return inner === undefined ? found : [...found, inner];
}

/** `channel`: whose key it is, for names with a prefix. */
export function readPlaceKey(written: string, form: RegExp, channel: string): PlaceKey {
  if (written.trim() === EVERY) return { kind: 'every' };
  const id = spellings(written).find((one) => form.test(one));
  if (id !== undefined) return { kind: 'id', id: id.replace(/^#/, '') };
  const [whole, ...rest] = spellings(written);
  const words = new Set([channel, 'channel', 'group', 'guild', 'server', 'team']);
  const prefixed = rest.find((_, index) => words.has(spellings(written)[index]!.split(':', 1)[0]!.toLowerCase()));
  return { kind: 'name', name: prefixed ?? whole! };
}

/** `#Release Notes` → `release-notes`, as platforms write names of channels. What it drops, two names may differ in. */
export const placeSlug = (name: string): string =>
  name
    .slice(0, MAX_KEY)
    .trim()
    .toLowerCase()
    .replace(/^#/, '')
    .replace(/\s+/g, '-')
    .replace(/[^\p{L}\p{N}_-]+/gu, '')
    .replace(/-+/g, '-')
    .replace(/^-|-$/g, '');

/** Ids of platforms differ in case only by mistake. */
export const isSameId = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();

/** The most specific first: by id, by name, `*`. If one name matches two keys approximately, neither applies. */
export function keysFor(
  written: readonly string[],
  { ids, name }: PlaceFacing,
  { form, channel }: { readonly form: RegExp; readonly channel: string },
): KeysFound {
  const read = written.map((key) => ({ key, as: readPlaceKey(key, form, channel) }));
  const byId = ids.flatMap((id) =>
    id === undefined ? [] : read.filter(({ as }) => as.kind === 'id' && isSameId(as.id, id)),
  );
  const named = read.flatMap(({ key, as }) => (as.kind === 'name' ? [{ key, name: as.name }] : []));
  const every = read.filter(({ as }) => as.kind === 'every');
  const byName = name === undefined ? [] : called(named, name);
  return {
    keys: [...byId, ...byName, ...every].map(({ key }) => key),
    named: byName.map(({ key }) => key),
    maybe: name === undefined ? named.map(({ key }) => key) : [],
  };
}

interface Named {
  readonly key: string;
  readonly name: string;
}

function called(named: readonly Named[], name: string): readonly Named[] {
  const exact = named.filter((one) => one.name.replace(/^#/, '') === name);
  if (exact.length > 0) return exact;
  const slug = placeSlug(name);
  const alike = slug === '' ? [] : named.filter((one) => placeSlug(one.name) === slug);
  return alike.length === 1 ? alike : [];
}
