/** What a command printed as text: by its byte order mark, UTF-8, the charset it declares, or its looks. Pure. */
import { decodeBytes } from '../../../platform/charset/decode-bytes.ts';

/**
 * Bytes at the beginning in which a declaration counts: `<meta charset=…>`, `Content-Type: …; charset=…`, `<?xml
 * encoding=…?>`.
 */
const DECLARATION_BYTES = 1024;
const DECLARED = /(?:charset|<\?xml[^>]{0,100}encoding)\s{0,20}=\s{0,20}["']?\s{0,20}([\w.:-]{1,40})/i;

/**
 * Undefined for what is not text. A tool that read a page in another charset prints UTF-8 and may quote the page, so
 * valid UTF-8 is believed over a declaration.
 */
export const decodeOutput = (bytes: Uint8Array): string | undefined =>
  decodeBytes(bytes, { declared: declaredCharset(bytes), otherwise: 'windows-1252' })?.text;

const declaredCharset = (bytes: Uint8Array): string | undefined =>
  DECLARED.exec(new TextDecoder('latin1').decode(bytes.subarray(0, DECLARATION_BYTES)))?.[1];
