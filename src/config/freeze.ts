/** Makes a loaded configuration immutable, so that it cannot change during a turn. */

/** Freezes the value and everything in it; returns it. */
export function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  for (const child of Object.values(value)) deepFreeze(child);
  return Object.freeze(value);
}
