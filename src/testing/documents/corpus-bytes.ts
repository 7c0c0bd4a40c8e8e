/** Builds files of the corpus byte by byte: pictures, sounds, an email, archives, a notebook. */
import { buildPdf } from './build-pdf.ts';
import { encodeText } from './encode-text.ts';

export const latin = (text: string): Buffer => Buffer.from(text, 'latin1');

export const OFFICE = 'application/vnd.openxmlformats-officedocument.';

export const DOCX = `${OFFICE}wordprocessingml.document`;

export const ogg = Buffer.concat([
  latin('OggS\0\x02'),
  Buffer.alloc(22),
  latin('\x01\x13OpusHead\x01\x01'),
  encodeText('voice note, not text '.repeat(40), 'utf-16le'),
]);

export const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

export const mp3 = Buffer.concat([
  latin('ID3\x03\0\0\0\0\0\x0a'),
  Buffer.alloc(10),
  latin('\xff\xfb\x90\x64'),
  Buffer.alloc(413),
  latin('\xff\xfb\x90\x64'),
  Buffer.alloc(413),
]);

export const box = (brand: string): Buffer =>
  Buffer.concat([latin(`\0\0\0\x18ftyp${brand}\0\0\0\0${brand}isom`), latin('\0\0\0\x08free')]);

export const wav = Buffer.concat([
  latin('RIFF\x24\0\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0\x40\x1f\0\0\x80\x3e\0\0\x02\0\x10\0data\0\0\0\0'),
]);

export const mail =
  'From: Ada <ada@example.com>\r\nTo: bob@example.com\r\nSubject: =?utf-8?q?Caf=C3=A9?=\r\nDate: Fri, 2 Jan ' +
  '2026 03:04:05 +0000\r\nMIME-Version: 1.0\r\nContent-Type: ';

export const tar = (): Buffer => {
  const header = Buffer.alloc(512);
  header.write('notes/a.txt', 0);
  header.write('00000000005\0', 124);
  header.write('15125407744\0', 136);
  header.write('0', 156);
  header.write('ustar\x0000', 257);
  return Buffer.concat([header, Buffer.from('hello'.padEnd(512, '\0')), Buffer.alloc(1024)]);
};

export const cfb = (inside: string): Buffer =>
  Buffer.concat([
    latin('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1'),
    Buffer.alloc(504),
    Buffer.from(inside, 'utf16le'),
    Buffer.alloc(64),
  ]);

export const hello = buildPdf({ pages: [['Hello from page one', 'second line'], ['Page two']] });

export const table = 'id,name\n1,Ada\n2,Bob\n';

export const NOTEBOOK = {
  nbformat: 4,
  nbformat_minor: 5,
  metadata: { language_info: { name: 'python' } },
  cells: [
    {
      cell_type: 'markdown',
      source: ['# Rain\n', '\n', 'in *mm*'],
      attachments: { 'a.png': { 'image/png': 'iVBORw0KGgo='.repeat(50) } },
    },
    {
      cell_type: 'code',
      source: 'plot(rain)',
      outputs: [
        { output_type: 'display_data', data: { 'image/png': 'iVBORw0KGgo='.repeat(50), 'text/plain': ['<Figure>'] } },
        { output_type: 'stream', name: 'stdout', text: ['total ', '42\n'] },
        { output_type: 'error', ename: 'ValueError', evalue: 'no rain', traceback: ['\x1b[31mValueError\x1b[0m'] },
      ],
    },
  ],
};
