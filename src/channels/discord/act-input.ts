/** Parses and validates the parameters of an action; an error names the wrong parameter. Pure. */
import { AppError, head } from '../../sdk/index.ts';

export interface Input {
  text(name: string): string;
  optional(name: string): string | undefined;
  id(name: string): string;
  optionalId(name: string): string | undefined;
  number(name: string, range: readonly [number, number]): number | undefined;
  flag(name: string): boolean | undefined;
  /** `whole`: a text is one entry, whatever commas are in it. */
  list(name: string, how?: { readonly whole: true }): readonly string[];
  time(name: string): string | undefined;
}

export const wrong = (name: string, why: string): AppError => new AppError('invalid', `Parameter ${name} ${why}.`);

export function inputOf(parameters: Readonly<Record<string, unknown>>): Input {
  const present = (name: string): unknown =>
    parameters[name] === '' || parameters[name] === null ? undefined : parameters[name];
  const optional = (name: string): string | undefined => {
    const value = present(name);
    if (value === undefined || typeof value === 'string') return value;
    if (typeof value === 'number' || typeof value === 'boolean') return String(value);
    throw wrong(name, 'has to be text');
  };
  const required = <T>(name: string, value: T | undefined): T => {
    if (value === undefined) throw wrong(name, 'is missing');
    return value;
  };
  const optionalId = (name: string): string | undefined => {
    const value = optional(name)
      ?.trim()
      .replace(/^(?:channel|user|role|discord):/i, '')
      .replace(/^<[@#]?[!&]?(\d+)>$/, '$1');
    if (value !== undefined && !/^\d{1,25}$/.test(value))
      throw wrong(name, `has to be an id of digits, not a name (${head(value, 40)})`);
    return value;
  };
  return {
    optional,
    optionalId,
    text: (name) => required(name, optional(name)),
    id: (name) => required(name, optionalId(name)),
    number(name, [least, max]) {
      const value = present(name);
      if (value === undefined) return undefined;
      const number = Number(value);
      if (!Number.isFinite(number)) throw wrong(name, 'has to be a number');
      return Math.min(max, Math.max(least, number));
    },
    flag(name) {
      const value = present(name);
      if (value === undefined || typeof value === 'boolean') return value;
      if (value === 'true' || value === 'false') return value === 'true';
      throw wrong(name, 'has to be true or false');
    },
    list(name, how) {
      const value = present(name) ?? [];
      const entries = Array.isArray(value) ? value : how ? [value] : String(value).split(',');
      return entries.map((entry) => String(entry).trim()).filter((entry) => entry !== '');
    },
    time(name) {
      const value = optional(name);
      const at = value === undefined ? undefined : Date.parse(value);
      if (Number.isNaN(at)) throw wrong(name, 'has to be a time like 2026-05-01T18:00:00Z');
      return at === undefined ? undefined : new Date(at).toISOString();
    },
  };
}
