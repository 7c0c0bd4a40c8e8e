/** JSON5 text to a value, with an error a person can act on. */
import { parseJson } from '../core/parse-json.ts';
import JSON5 from 'json5';

export type Parsed = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly problem: string };

/** The problem never quotes the text: it may stand next to a secret. */
export function parseJson5(text: string): Parsed {
  const bare = text.startsWith('\ufeff') ? text.slice(1) : text;
  try {
    return { ok: true, value: parseJson(bare) ?? JSON5.parse(bare) };
  } catch (error) {
    if (error instanceof RangeError) return { ok: false, problem: 'nested too deeply' };
    if (!(error instanceof SyntaxError)) throw error;
    const at = /at (\d+):(\d+)/.exec(error.message);
    const what = /invalid end of input/.test(error.message) ? 'it ends too early' : 'something does not belong there';
    return {
      ok: false,
      problem: at ? `not valid JSON5 at line ${at[1]}, column ${at[2]}: ${what}` : `not valid JSON5: ${what}`,
    };
  }
}
