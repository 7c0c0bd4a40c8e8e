/** Writes PDF files for tests: a line of text per page, in one standard font. */
import { deflateSync } from 'node:zlib';

export interface PdfShape {
  /** Lines of each page; an empty page shows nothing. */
  readonly pages: readonly (readonly string[])[];
  readonly title?: string;
  /** A JPEG that fills the page of the same number, as a scanner makes them. */
  readonly pictures?: readonly { readonly data: Buffer; readonly width: number; readonly height: number }[];
  /** Needs a password nobody knows. */
  readonly locked?: boolean;
  /** Objects nobody refers to. */
  readonly spareObjects?: number;
  /** Bytes of blanks each page's content unpacks to besides its lines. */
  readonly padding?: number;
}

export function buildPdf({
  pages,
  pictures = [],
  title,
  locked = false,
  spareObjects = 0,
  padding = 0,
}: PdfShape): Buffer {
  const first = 4;
  const last = first + pages.length * 2 + (title ? 1 : 0);
  const kids = pages.map((_, index) => `${first + index * 2} 0 R`).join(' ');
  const objects = [
    Buffer.from('<< /Type /Catalog /Pages 2 0 R >>'),
    Buffer.from(`<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`),
    Buffer.from('<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>'),
    ...pages.flatMap((lines, index) => [
      Buffer.from(
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 200] /Contents ${first + index * 2 + 1} 0 R ` +
          '/Resources << /Font << /F1 3 0 R >> ' +
          `${pictures[index] ? `/XObject << /P ${last + index} 0 R >> ` : ''}>> >>`,
      ),
      stream(lines, padding, pictures[index] !== undefined),
    ]),
    ...(title ? [Buffer.from(`<< /Title (${title}) >>`)] : []),
    ...pictures.map(({ data, width, height }) =>
      Buffer.concat([
        Buffer.from(
          `<< /Type /XObject /Subtype /Image /Width ${width} /Height ${height} /ColorSpace /DeviceRGB ` +
            `/BitsPerComponent 8 /Filter /DCTDecode /Length ${data.length} >>\nstream\n`,
        ),
        data,
        Buffer.from('\nendstream'),
      ]),
    ),
  ];
  return write(
    objects,
    spareObjects,
    [
      title ? `/Info ${first + pages.length * 2} 0 R` : '',
      locked
        ? `/Encrypt << /Filter /Standard /V 1 /R 2 /P -4 /O <${'41'.repeat(32)}> /U <${'42'.repeat(32)}> >> ` +
          '/ID [<00> <00>]'
        : '',
    ].join(' '),
  );
}

function stream(lines: readonly string[], padding: number, picture: boolean): Buffer {
  const drawn = lines.map((line, index) => `${index === 0 ? '20 150 Td' : '0 -20 Td'} (${line}) Tj`).join(' ');
  const data = deflateSync(
    Buffer.concat([
      Buffer.from(`${picture ? 'q 300 0 0 200 0 0 cm /P Do Q ' : ''}BT /F1 12 Tf ${drawn} ET`),
      Buffer.alloc(padding, ' '),
    ]),
    // Blanks: the fastest way leaves as little of them.
    { level: padding > 0 ? 1 : 6 },
  );
  return Buffer.concat([
    Buffer.from(`<< /Length ${data.length} /Filter /FlateDecode >>\nstream\n`),
    data,
    Buffer.from('\nendstream'),
  ]);
}

/** `spare`: how many objects nobody refers to follow; a million of them are quicker written as one text. */
function write(objects: readonly Buffer[], spare: number, trailer: string): Buffer {
  const parts: Buffer[] = [];
  const offsets: number[] = [];
  let at = 0;
  const add = (part: Buffer): void => {
    parts.push(part);
    at += part.length;
  };
  add(Buffer.from('%PDF-1.4\n%\xe2\xe3\xcf\xd3\n', 'latin1'));
  for (const object of objects) {
    offsets.push(at);
    add(Buffer.concat([Buffer.from(`${offsets.length} 0 obj\n`), object, Buffer.from('\nendobj\n')]));
  }
  let nulls = '';
  for (let nth = 0; nth < spare; nth++) {
    offsets.push(at + nulls.length);
    nulls += `${offsets.length} 0 obj\nnull\nendobj\n`;
  }
  add(Buffer.from(nulls));
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  add(
    Buffer.from(
      `xref\n0 ${offsets.length + 1}\n0000000000 65535 f \n${table}trailer\n<< /Size ${offsets.length + 1} ` +
        `/Root 1 0 R ${trailer} >>\nstartxref\n${at}\n%%EOF\n`,
    ),
  );
  return Buffer.concat(parts);
}
