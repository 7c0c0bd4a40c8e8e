/** Variables of a command as models write them: a list of `NAME=value`, or an object. */
import { z } from 'zod';

const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;
const HOW = 'write each variable as NAME=value, e.g. ["CI=1"]';

/**
 * Shown as a list because Gemini refuses an object whose property names are not known beforehand;
 * objects are understood as well, which is how other agents spell it.
 */
export const envInput = z
  .unknown()
  .transform((value, ctx): Readonly<Record<string, string>> => {
    const pairs = pairsOf(value);
    if (pairs?.every(([name]) => NAME.test(name))) return Object.fromEntries(pairs);
    ctx.addIssue({ code: 'custom', message: HOW });
    return z.NEVER;
  })
  .meta({ type: 'array', items: { type: 'string' } });

function pairsOf(value: unknown): readonly (readonly [string, string])[] | undefined {
  if (Array.isArray(value)) return value.map((entry) => split(String(entry)));
  if (typeof value !== 'object' || value === null) return undefined;
  const input = Object.entries(value).filter(([, item]) => item !== null && item !== undefined);
  return input.every(([, item]) => typeof item !== 'object')
    ? input.map(([name, item]) => [name, String(item)])
    : undefined;
}

/** Without `=` it is no variable; the empty name says so. */
const split = (entry: string): readonly [string, string] => {
  const at = entry.indexOf('=');
  return at < 0 ? ['', ''] : [entry.slice(0, at).trim(), entry.slice(at + 1)];
};
