/** Reads the charset that an HTML or XML document declares in its first bytes. */

/** Bytes that are searched: the HTML standard requires 1024, real pages put the declaration a little later. */
const PROBE = 4096;
/** The declaration of an ASCII-compatible document; a UTF-16 one is known by its mark or its zeros. */
const META = /<meta\b[^>]*?\bcharset\s*=\s*["']?\s*([\w.:-]+)/gi;
const XML = /^\s*<\?xml\b[^>]*?\bencoding\s*=\s*["']([\w.:-]+)["']/i;

/**
 * The label as `TextDecoder` accepts it, undefined when there is none or it is unknown.
 * Understands `<meta charset>`, `<meta http-equiv=content-type content="…; charset=…">` and the XML declaration;
 * a declaration inside a comment does not count. A document readable as ASCII that calls itself UTF-16 is UTF-8.
 * Source: WHATWG HTML, "prescan a byte stream to determine its encoding".
 */
export function htmlCharset(bytes: Uint8Array): string | undefined {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, PROBE)).toString('latin1');
  const visible = head.replace(/<!--[\s\S]*?(?:-->|$)/g, '');
  for (const label of [...[...visible.matchAll(META)].map((match) => match[1]!), XML.exec(visible)?.[1]]) {
    const known = label === undefined ? undefined : decoderFor(label);
    if (known) return known.startsWith('utf-16') ? 'utf-8' : known;
  }
  return undefined;
}

function decoderFor(label: string): string | undefined {
  try {
    return new TextDecoder(label).encoding;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return undefined;
  }
}
