/** Remembers output items for clients that refer to them by id; bounded, and gone after a restart. */

/** Sums to a few megabytes at most; an agent's answer is some kilobytes. */
const MAX_ITEMS = 1_000;
const MAX_CHARACTERS = 2_000_000;

export interface ItemMemory<T> {
  keep(id: string, item: T, characters: number): void;
  find(id: string): T | undefined;
}

export function createItemMemory<T>(maxItems = MAX_ITEMS, maxCharacters = MAX_CHARACTERS): ItemMemory<T> {
  const items = new Map<string, { readonly item: T; readonly characters: number }>();
  let held = 0;

  const forget = (id: string): void => {
    held -= items.get(id)?.characters ?? 0;
    items.delete(id);
  };

  return {
    keep(id, item, characters) {
      forget(id);
      items.set(id, { item, characters });
      held += characters;
      while (items.size > maxItems || held > maxCharacters) forget(items.keys().next().value!);
    },
    find: (id) => items.get(id)?.item,
  };
}
