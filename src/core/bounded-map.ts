/** Maps that remember a bounded number of things, the newest of them. */

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
