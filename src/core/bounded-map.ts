/** Maps that keep a limited number of entries, the newest. */

/** Sets `key` as the newest entry; the oldest go while there are more than `max`. Returns `value`. */
export function setNewest<K, V>(map: Map<K, V>, key: K, value: V, max: number): V {
  map.delete(key);
  map.set(key, value);
  for (const oldest of map.keys()) {
    if (map.size <= max) break;
    map.delete(oldest);
  }
  return value;
}
