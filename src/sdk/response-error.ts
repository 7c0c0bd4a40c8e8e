/** Extracts the error message from a vendor's response: JSON of many forms, a proxy's page, or plain text. */

/** Where vendors put it, the likeliest first. */
const PLACES = ['error', 'message', 'err_msg', 'error_message', 'detail', 'msg', 'base_resp', 'status_msg'] as const;
const DEEPEST = 5;

/** Empty when it says nothing to people. */
export function responseError(body: string): string {
  const text = body.trim();
  if (/^<(?:!doctype|html|\?xml)/i.test(text)) return '';
  if (text.startsWith('<')) return text.replaceAll(/<[^<>]*>/g, ' ').trim();
  const value = json(text);
  return value === undefined ? text : (sentenceIn(value, 0) ?? '');
}

function sentenceIn(value: unknown, depth: number): string | undefined {
  if (typeof value === 'string') return value.trim() || undefined;
  if (typeof value !== 'object' || value === null || depth > DEEPEST) return undefined;
  if (Array.isArray(value)) return sentenceIn(value[0], depth + 1);
  const fields = value as Readonly<Record<string, unknown>>;
  for (const place of PLACES) {
    const found = sentenceIn(fields[place], depth + 1);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Undefined for what is none: plain words, or cut off. */
function json(text: string): unknown {
  try {
    return /^[{[]/.test(text) ? JSON.parse(text) : undefined;
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof RangeError) return undefined;
    throw error;
  }
}
