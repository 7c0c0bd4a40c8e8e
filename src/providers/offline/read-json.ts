/** Reads what a tool answered as JSON, field by field: whatever is not what it should be is not there. Pure. */
import { parseJson } from '../../sdk/index.ts';

export type Fields = Readonly<Record<string, unknown>>;

/** Undefined: it is no object. */
export function fieldsOf(text: string): Fields | undefined {
  return asFields(parseJson(text));
}

export const asFields = (value: unknown): Fields | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : undefined;
/** Items that are no objects are left out. */
export const listOf = (value: unknown): readonly Fields[] =>
  Array.isArray(value) ? value.map(asFields).filter((item) => item !== undefined) : [];
export const wordOf = (value: unknown): string => (typeof value === 'string' ? value.trim() : '');
export const numbersOf = (value: unknown): readonly number[] =>
  Array.isArray(value) ? value.filter((item): item is number => Number.isFinite(item)) : [];
