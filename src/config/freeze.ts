/** Makes a loaded configuration a value: nobody can change it under somebody else's turn. */

/** Freezes the value and everything in it; returns it. */
export function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  for (const child of Object.values(value)) deepFreeze(child);
  return Object.freeze(value);
}
