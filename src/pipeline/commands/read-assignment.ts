/** Parses `path=value`: JSON, a boolean, null, a number or quoted text; anything else is plain text. Pure. */

export interface Assignment {
  readonly path: string;
  readonly value: unknown;
}

/** Undefined without `=`, path or value. */
export function readAssignment(text: string): Assignment | undefined {
  const at = text.indexOf('=', quotedEnd(text));
  const path = text.slice(0, at).trim();
  const value = text.slice(at + 1).trim();
  return at < 0 || path === '' || value === '' ? undefined : { path, value: readValue(value) };
}

/** A quoted key (`models["a=b"]`) may hold the sign itself. */
const quotedEnd = (text: string): number => /^[^="]*\["(?:[^"\\]|\\.)*"\]/.exec(text)?.[0].length ?? 0;

function readValue(text: string): unknown {
  if (/^(?:true|false|null)$/.test(text) || /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(text) || /^[{["]/.test(text)) {
    try {
      return JSON.parse(text) as unknown;
    } catch (error) {
      if (error instanceof SyntaxError) return text; // it only looked like it
      throw error;
    }
  }
  return /^'.*'$/s.test(text) ? text.slice(1, -1) : text;
}
