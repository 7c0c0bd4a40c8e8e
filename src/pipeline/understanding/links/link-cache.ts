/** What commands printed for a link, kept for a while: the same command line for the same link is not run again. */

export interface LinkCache {
  get(key: string): string | undefined;
  put(key: string, text: string, keepMs: number): void;
}

const MAX_ENTRIES = 200;
/** UTF-16 units of all texts together. */
const MAX_SIZE = 4 * 1024 * 1024;

/** In memory; the oldest give way. `now` in milliseconds that never go back. */
export function createLinkCache(now: () => number): LinkCache {
  const entries = new Map<string, { text: string; until: number }>();
  let size = 0;
  const drop = (key: string): void => {
    size -= entries.get(key)?.text.length ?? 0;
    entries.delete(key);
  };
  return {
    get(key) {
      const entry = entries.get(key);
      if (entry && entry.until <= now()) drop(key);
      return entries.get(key)?.text;
    },
    put(key, text, keepMs) {
      drop(key);
      if (keepMs <= 0 || text.length > MAX_SIZE) return;
      entries.set(key, { text, until: now() + keepMs });
      size += text.length;
      for (const oldest of entries.keys()) {
        if (size <= MAX_SIZE && entries.size <= MAX_ENTRIES) return;
        drop(oldest);
      }
    },
  };
}
