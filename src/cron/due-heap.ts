/** Which job is due first, for ten thousand of them: a heap by instant, in which a job's newer instant replaces its older one. */

export interface DueHeap {
  /** The job's only instant from now on; undefined takes it out. */
  set(id: string, atMs: number | undefined): void;
  /** When the first is due. */
  first(): number | undefined;
  /** Takes out everything due at or before `nowMs`, earliest first. */
  take(nowMs: number): string[];
  clear(): void;
}

interface Item { readonly atMs: number; readonly id: string }

export function createDueHeap(): DueHeap {
  const valid = new Map<string, Item>();
  const items: Item[] = []; // with items that were replaced since; they go when they come up
  const before = (a: Item, b: Item): boolean => a.atMs < b.atMs || (a.atMs === b.atMs && a.id < b.id);

  function push(item: Item): void {
    let at = items.push(item) - 1;
    for (let up = (at - 1) >> 1; at > 0 && before(item, items[up]!); up = (at - 1) >> 1) {
      items[at] = items[up]!;
      at = up;
    }
    items[at] = item;
  }

  function pop(): void {
    const item = items.pop()!;
    if (items.length === 0) return;
    let at = 0;
    for (let down = smaller(1); down < items.length && before(items[down]!, item); down = smaller(2 * at + 1)) {
      items[at] = items[down]!;
      at = down;
    }
    items[at] = item;
  }

  const smaller = (left: number): number => (left + 1 < items.length && before(items[left + 1]!, items[left]!) ? left + 1 : left);

  function top(): Item | undefined {
    while (items.length > 0 && valid.get(items[0]!.id) !== items[0]) pop();
    return items[0];
  }

  return {
    set(id, atMs) {
      if (atMs === undefined) return void valid.delete(id);
      const item = { atMs, id };
      valid.set(id, item);
      push(item);
      // Jobs that are changed often must not fill it with what they were.
      if (items.length > 64 + 2 * valid.size) {
        const all = [...valid.values()];
        items.length = 0;
        all.forEach(push);
      }
    },
    first: () => top()?.atMs,
    take(nowMs) {
      const due: string[] = [];
      for (let item = top(); item && item.atMs <= nowMs; item = top()) {
        valid.delete(item.id);
        due.push(item.id);
      }
      return due;
    },
    clear() {
      valid.clear();
      items.length = 0;
    },
  };
}
