/** Reads what a tool answered as JSON, field by field: whatever is not what it should be is not there. Pure. */

export type Fields = Readonly<Record<string, unknown>>;

/** Undefined: it is no object. */
export function fieldsOf(text: string): Fields | undefined {
  try {
    return asFields(JSON.parse(text));
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

export const asFields = (value: unknown): Fields | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : undefined;
/** Items that are no objects are left out. */
export const listOf = (value: unknown): readonly Fields[] =>
  Array.isArray(value) ? value.map(asFields).filter((item) => item !== undefined) : [];
export const wordOf = (value: unknown): string => (typeof value === 'string' ? value.trim() : '');
export const numbersOf = (value: unknown): readonly number[] =>
  Array.isArray(value) ? value.filter((item): item is number => Number.isFinite(item)) : [];
