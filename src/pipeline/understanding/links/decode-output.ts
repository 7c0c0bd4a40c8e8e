/** What a command printed as text: by its byte order mark, the charset it declares, UTF-8, or its looks. Pure. */
import { decodeText } from '../../../platform/text-encoding.ts';

/** Bytes at the beginning in which a declaration counts: `<meta charset=…>`, `Content-Type: …; charset=…`, `<?xml encoding=…?>`. */
const DECLARATION_BYTES = 1024;
const DECLARED = /(?:charset|<\?xml[^>]{0,100}encoding)\s*=\s*["']?\s*([\w.:-]{1,40})/i;

const ESC = 0x1b;

/**
 * Undefined for what is not text. Valid UTF-8 is believed over a declaration: a tool that read a page in another charset
 * prints UTF-8 and may quote the page; only the seven-bit charsets look like it.
 */
export function decodeOutput(bytes: Uint8Array): string | undefined {
  const guess = decodeText(bytes);
  if (guess?.bom || bytes.includes(0)) return guess?.text;
  const label = declaredCharset(bytes);
  const is7Bit = label?.startsWith('iso-2022') && bytes.includes(ESC);
  if (label === undefined || (guess?.encoding === 'utf-8' && !is7Bit)) return guess?.text;
  return decodeAs(label, bytes) ?? guess?.text;
}

const declaredCharset = (bytes: Uint8Array): string | undefined => DECLARED.exec(new TextDecoder('latin1').decode(bytes.subarray(0, DECLARATION_BYTES)))?.[1]?.toLowerCase();

/** Undefined when there is no charset of that name. */
function decodeAs(label: string, bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder(label).decode(bytes);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
