/** Writes ZIP files for tests, valid or not, and the office files based on them. */
import { crc32, deflateRawSync } from 'node:zlib';

export interface ZipPart {
  readonly name: string;
  readonly content: string | Uint8Array;
  /** Marked as locked; the content is not. */
  readonly encrypted?: boolean;
  /** The size its header claims. */
  readonly claimedSize?: number;
  readonly stored?: boolean;
}

/** Bombs: of what repeats itself the fastest way leaves as little. */
const LARGE = 1_000_000;
/** All entries are of 2 January 2026, 03:04. */
const DATE = ((2026 - 1980) << 9) | (1 << 5) | 2;
const TIME = (3 << 11) | (4 << 5);

export function buildZip(parts: readonly ZipPart[]): Buffer {
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const part of parts) {
    const { name, content, encrypted = false, stored = false } = part;
    const raw = Buffer.from(content as string);
    const data = stored ? raw : deflateRawSync(raw, { level: raw.length > LARGE ? 1 : 6 });
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt16LE((encrypted ? 1 : 0) | 0x800, 2);
    fields.writeUInt16LE(stored ? 0 : 8, 4);
    fields.writeUInt16LE(TIME, 6);
    fields.writeUInt16LE(DATE, 8);
    fields.writeUInt32LE(crc32(raw), 10);
    fields.writeUInt32LE(data.length, 14);
    fields.writeUInt32LE(part.claimedSize ?? raw.length, 18);
    fields.writeUInt16LE(Buffer.byteLength(name), 22);
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), fields, Buffer.from(name), data]);
    const rest = Buffer.alloc(14);
    rest.writeUInt32LE(offset, 10);
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\x00'), fields, rest, Buffer.from(name)]));
    locals.push(local);
    offset += local.length;
  }
  const size = directory.reduce((sum, { length }) => sum + length, 0);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(parts.length, 4);
  end.writeUInt16LE(parts.length, 6);
  end.writeUInt32LE(size, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...locals, ...directory, Buffer.from('PK\x05\x06'), end]);
}

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';
const W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
const RELATIONSHIPS = 'http://schemas.openxmlformats.org/package/2006/relationships';
const OFFICE_RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

/** `body` is what stands inside `<w:body>`; `before` stands before the root element. */
export function buildDocx(
  body: string,
  { before = '', title = '', comments = '' }: { before?: string; title?: string; comments?: string } = {},
): Buffer {
  return buildZip([
    {
      name: '[Content_Types].xml',
      content:
        `${XML}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default ` +
        'Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default ' +
        'Extension="xml" ContentType="application/xml"/><Override PartName="/word/document.xml" ' +
        'ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>',
    },
    {
      name: '_rels/.rels',
      content:
        `${XML}<Relationships xmlns="${RELATIONSHIPS}"><Relationship Id="rId1" ` +
        `Type="${OFFICE_RELATIONS}/officeDocument" Target="word/document.xml"/></Relationships>`,
    },
    { name: 'word/document.xml', content: `${XML}${before}<w:document ${W}><w:body>${body}</w:body></w:document>` },
    ...(comments ? [{ name: 'word/comments.xml', content: comments }] : []),
    ...(title
      ? [
          {
            name: 'docProps/core.xml',
            content:
              `${XML}<cp:coreProperties xmlns:cp="x" ` +
              `xmlns:dc="y"><dc:title>${title}</dc:title></cp:coreProperties>`,
          },
        ]
      : []),
  ]);
}

export const wordParagraph = (text: string): string => `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`;

export function buildXlsx(): Buffer {
  return buildZip([
    { name: '[Content_Types].xml', content: XML },
    {
      name: 'xl/workbook.xml',
      content: `${XML}<workbook><sheets><sheet name="Q1 &amp; Q2" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    },
    {
      name: 'xl/_rels/workbook.xml.rels',
      content: `${XML}<Relationships><Relationship Id="rId1" Target="worksheets/sheet1.xml"/></Relationships>`,
    },
    {
      name: 'xl/sharedStrings.xml',
      content: `${XML}<sst><si><t>Item</t></si><si><r><t>Price, </t></r><r><t>net</t></r></si></sst>`,
    },
    {
      name: 'xl/worksheets/sheet1.xml',
      content:
        `${XML}<worksheet><sheetData><row r="1"><c r="A1" t="s"><v>0</v></c><c r="C1" ` +
        't="s"><v>1</v></c></row><row r="2"><c r="A2" t="inlineStr"><is><t>Tea</t></is></c><c ' +
        'r="C2"><v>4.5</v></c></row></sheetData></worksheet>',
    },
  ]);
}

export const buildPptx = (): Buffer =>
  buildZip([
    { name: '[Content_Types].xml', content: XML },
    { name: 'ppt/presentation.xml', content: XML },
    ...['Second', 'First'].map((text, index) => ({
      name: `ppt/slides/slide${2 - index}.xml`,
      content: `${XML}<p:sld><a:p><a:r><a:t>${text} slide</a:t></a:r></a:p></p:sld>`,
    })),
  ]);

export const buildOdt = (): Buffer =>
  buildZip([
    { name: 'mimetype', content: 'application/vnd.oasis.opendocument.text', stored: true },
    {
      name: 'content.xml',
      content:
        `${XML}<office:document-content><office:body><office:text><text:h ` +
        'text:outline-level="2">Notes</text:h><text:p>One<text:tab/>two &amp; ' +
        'three</text:p></office:text></office:body></office:document-content>',
    },
  ]);
