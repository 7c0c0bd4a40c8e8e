/** Finds elements in the XML of office files in one pass, without a tree. Custom entities are refused. */
import type { OpenZip } from '../archive/open-zip.ts';
import { decodeBytes } from '../../platform/charset/decode-bytes.ts';
import { Unreadable } from '../document.ts';

/** The part as text, undefined when it is missing. */
export async function xmlPart(zip: OpenZip, name: string): Promise<string | undefined> {
  const content = await zip.content(name);
  if (!content) return undefined;
  const xml = decodeBytes(content, { declared: 'utf-8' })?.text ?? '';
  refuseEntities(xml);
  return xml;
}

/** Office programs never write them; they are how a few lines grow to gigabytes. */
function refuseEntities(xml: string): void {
  if (/<!(?:ENTITY|DOCTYPE)/i.test(xml))
    throw new Unreadable('bomb', 'It defines XML entities, a sign of a decompression bomb; it is not read.');
}

/** Start tags, end tags and text in order. */
export interface XmlToken {
  readonly kind: 'open' | 'close' | 'text';
  /** Of the element, with its prefix; empty for text. */
  readonly name: string;
  /** Attributes as written, or the text with entities resolved. */
  readonly content: string;
  readonly isEmpty: boolean;
}

const TOKEN = /<(\/?)([\w.:-]+)([^<>]*?)(\/?)>|([^<]+)/g;

export function* xmlTokens(xml: string): Generator<XmlToken> {
  for (const [, slash, name, attributes = '', empty, text] of xml.matchAll(TOKEN)) {
    if (name === undefined) yield { kind: 'text', name: '', content: resolved(text ?? ''), isEmpty: false };
    else yield { kind: slash ? 'close' : 'open', name, content: attributes, isEmpty: empty === '/' };
  }
}

export function attribute(attributes: string, name: string): string | undefined {
  const value = new RegExp(String.raw`(?:^|\s)${name}="([^"]*)"`).exec(attributes)?.[1];
  return value === undefined ? undefined : resolved(value);
}

const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

const resolved = (text: string): string =>
  text.replace(
    /&(?:#x([\da-f]{1,6})|#(\d{1,7})|(\w{2,4}));/gi,
    (whole, hex: string | undefined, decimal: string | undefined, name: string | undefined) => {
      if (name !== undefined) return NAMED[name] ?? whole;
      const point = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
      return point <= 0x10ffff ? String.fromCodePoint(point) : '\uFFFD';
    },
  );
