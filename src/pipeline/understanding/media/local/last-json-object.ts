/** Finds the last JSON object in text that also holds log lines. */
import { parseJson } from '../../../../core/parse-json.ts';

/** An answer is short; what comes before this many characters of the end is log. */
const MAX_CHARS = 128 * 1024;
/** With more opening braces that lead nowhere it is something else; each may cost one look at the rest. */
const MAX_FALSE_STARTS = 16;

/** Objects inside others do not count; undefined when there is none. */
export function lastJsonObject(output: string): Readonly<Record<string, unknown>> | undefined {
  const text = output.slice(-MAX_CHARS);
  let found: Readonly<Record<string, unknown>> | undefined;
  let falseStarts = 0;
  for (let start = text.indexOf('{'); start >= 0 && falseStarts < MAX_FALSE_STARTS; ) {
    const end = closingBrace(text, start);
    const object = end === undefined ? undefined : parsed(text.slice(start, end + 1));
    if (object) found = object;
    else falseStarts += 1;
    start = text.indexOf('{', object && end !== undefined ? end + 1 : start + 1);
  }
  return found;
}

/** Where the brace at `start` is closed; braces in strings do not count. */
function closingBrace(text: string, start: number): number | undefined {
  let depth = 0;
  let inString = false;
  for (let at = start; at < text.length; at += 1) {
    const char = text[at];
    if (inString) {
      if (char === '\\') at += 1;
      else if (char === '"') inString = false;
    } else if (char === '"') inString = true;
    else if (char === '{') depth += 1;
    else if (char === '}' && --depth === 0) return at;
  }
  return undefined;
}

/** The object `text` spells; undefined when it spells anything else. */
export function parsed(text: string): Readonly<Record<string, unknown>> | undefined {
  const value = parseJson(text);
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : undefined;
}
