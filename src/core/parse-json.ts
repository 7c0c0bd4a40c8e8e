/** Parses text that may not be JSON. */

/** Undefined: it is not JSON, which never means undefined itself. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
