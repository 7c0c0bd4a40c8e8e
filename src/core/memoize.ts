/** Remembers what is made of an object that never changes, such as a loaded configuration. */

/** Calls `make` once per object, and keeps the result as long as the object exists. */
export function memoize<K extends object, V>(make: (from: K) => V): (from: K) => V {
  const made = new WeakMap<K, { readonly value: V }>();
  return (from) => {
    const known = made.get(from) ?? { value: make(from) };
    made.set(from, known);
    return known.value;
  };
}
