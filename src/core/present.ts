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
  const source = fields as Record<PropertyKey, unknown>;
  const kept: Record<PropertyKey, unknown> = {};
  // Called dozens of times a turn: V8 knows the names of this loop by heart, of `Reflect.ownKeys` it makes a list.
  for (const key in source) if (Object.hasOwn(source, key)) keep(kept, key, source[key]);
  for (const key of Object.getOwnPropertySymbols(source)) keep(kept, key, source[key]);
  return kept as Present<T>;
}

function keep(kept: Record<PropertyKey, unknown>, key: PropertyKey, value: unknown): void {
  if (value === undefined) return;
  if (key === '__proto__')
    Object.defineProperty(kept, key, { value, enumerable: true, writable: true, configurable: true });
  else kept[key] = value;
}
