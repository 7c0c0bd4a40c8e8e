/** Creates objects without undefined fields, for optional fields. */

/** `T` with every field that may be undefined optional, and never undefined where it is present. */
export type Present<T> = {
  [K in keyof T as undefined extends T[K] ? never : K]: T[K];
} & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/**
 * A new object with the fields of `fields` whose value is not undefined, in their order. Null, false, 0 and '' are
 * values. Nested objects are taken as they are.
 *
 * `exactOptionalPropertyTypes` tells a missing field from an undefined one, and so do `in`, `Object.keys` and spreads:
 * `{ ...base, ...present({ a }) }` keeps `base.a` where `a` is undefined.
 */
export function present<const T extends object>(fields: T): Present<T> {
  const kept: Record<PropertyKey, unknown> = {};
  for (const key of Reflect.ownKeys(fields)) {
    const value = (fields as Record<PropertyKey, unknown>)[key];
    if (value === undefined) continue;
    if (key === '__proto__')
      Object.defineProperty(kept, key, { value, enumerable: true, writable: true, configurable: true });
    else kept[key] = value;
  }
  return kept as Present<T>;
}
