import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { createMachine, missingPrograms, contextOf, type Machine } from './fake.ts';
import { printedWords } from './ocr.ts';
import { pictureSize } from '../../../../platform/pictures/picture-size.ts';

const withBoth = { skip: await missingPrograms('ffmpeg', 'tesseract') };
const LINE = 'Invoice 4711 total 99.50 EUR';

/** Pictures of the line by one process; `sized` as ffmpeg spells sizes, `paper` their background. */
async function invoice(
  machine: Machine,
  { names = ['invoice.png'], sized = '800x120', font = 40, paper = 'white', ink = 'black' } = {},
): Promise<void> {
  const draw = `drawtext=text='${LINE}':fontsize=${font}:x=${font / 2}:y=${font / 2}:fontcolor=${ink}`;
  const source = paper === 'none' ? `color=black@0:s=${sized},format=rgba` : `color=${paper}:s=${sized}`;
  await machine.make('ffmpeg', [
    '-loglevel',
    'error',
    '-f',
    'lavfi',
    '-i',
    `${source},${draw}`,
    ...names.flatMap((name) => ['-frames:v', '1', name]),
  ]);
}

async function read(machine: Machine, name: string): Promise<string> {
  const [entry] = await machine.local.auto('image');
  const mime = `image/${name.split('.').at(-1)}`;
  return (
    await machine.local.runEntry(entry!, machine.attachment(name, mime), 'image', { timeoutMs: 60_000 }, contextOf())
  ).text;
}

const pngOf = (width: number, height: number): Buffer => {
  const bytes = Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR........\x08\x02\0\0\0....', 'latin1');
  bytes.writeUInt32BE(width, 16);
  bytes.writeUInt32BE(height, 20);
  return bytes;
};

test('a picture of an invoice line is read exactly, in every format people send', withBoth, async () => {
  await using machine = await createMachine();
  await machine.link('ffmpeg', 'tesseract');
  const names = ['invoice.png', 'invoice.jpg', 'invoice.webp', 'invoice.bmp', 'invoice.gif', 'invoice.tiff'];
  await invoice(machine, { names });
  for (const name of names) assert.equal(await read(machine, name), LINE, name);
  assert.deepEqual(await machine.leftovers(), []);
});

test('small, transparent and dark pictures are read too; one without text is blank', withBoth, async () => {
  await using machine = await createMachine();
  await machine.link('ffmpeg', 'tesseract');
  await invoice(machine, { names: ['small.png'], sized: '300x40', font: 15 });
  await invoice(machine, { names: ['clear.png'], paper: 'none' });
  await invoice(machine, { names: ['dark.png'], paper: 'black', ink: 'white' });
  for (const name of ['small.png', 'clear.png', 'dark.png']) assert.equal(await read(machine, name), LINE, name);
  await machine.make('ffmpeg', [
    '-loglevel',
    'error',
    '-f',
    'lavfi',
    '-i',
    'mandelbrot=s=240x160',
    '-frames:v',
    '1',
    'fractal.png',
  ]);
  assert.equal(await read(machine, 'fractal.png'), '');
});

test('without ffmpeg a picture of known size is read as it is, others are refused', withBoth, async () => {
  await using machine = await createMachine();
  await machine.link('tesseract');
  await invoice(machine);
  assert.equal(await read(machine, 'invoice.png'), LINE);
  await machine.file('a.heic', '....ftypheic', 'image/heic');
  await assert.rejects(read(machine, 'a.heic'), {
    code: 'unsupported',
    message: 'a.heic is image/heic; ffmpeg, which would turn it into PNG, is not installed.',
  });
});

test('pictures that are none, too small or too large are refused before a pixel is decoded', withBoth, async () => {
  await using machine = await createMachine();
  await machine.tool('ffmpeg', 'exit 1');
  await machine.link('tesseract');
  await machine.file('dot.png', pngOf(1, 1), 'image/png');
  await assert.rejects(read(machine, 'dot.png'), {
    code: 'unsupported',
    message: 'dot.png has 1 × 1 pixels: too small to contain text.',
  });
  await machine.file('huge.png', pngOf(40_000, 25_000), 'image/png');
  await assert.rejects(read(machine, 'huge.png'), {
    code: 'too_large',
    message: 'huge.png has 40000 × 25000 pixels; more than 50 million are not read.',
  });
  assert.deepEqual(await machine.calls('ffmpeg'), []);
});

test('ffmpeg refuses what the header check does not know, and drawings that point elsewhere', withBoth, async () => {
  await using machine = await createMachine();
  await machine.link('ffmpeg', 'tesseract');
  await machine.make('ffmpeg', [
    '-loglevel',
    'error',
    '-f',
    'lavfi',
    '-i',
    'color=red:s=64x64',
    '-frames:v',
    '1',
    'wide.tiff',
  ]);
  const tiff = await readFile(join(machine.path, 'wide.tiff'));
  await machine.file('cut.tiff', tiff.subarray(0, 20), 'image/tiff');
  await machine.file('text.png', 'not a picture', 'image/png');
  await machine.file(
    'link.svg',
    '<svg xmlns="http://www.w3.org/2000/svg"><image href="file:///etc/passwd"/></svg>',
    'image/svg',
  );
  await machine.file('list.png', "ffconcat version 1.0\nfile '/etc/passwd'\n", 'image/png');
  await machine.file('empty.png', '', 'image/png');
  await machine.file('half.png', pngOf(100, 100), 'image/png');
  for (const name of ['cut.tiff', 'text.png', 'link.svg', 'list.png', 'empty.png', 'half.png'])
    await assert.rejects(read(machine, name), { code: 'unsupported' }, name);
  assert.deepEqual(await machine.leftovers(), []);
});

test('sizes out of the first bytes', { skip: await missingPrograms('ffmpeg') }, async () => {
  await using machine = await createMachine();
  const formats = ['png', 'gif', 'bmp', 'jpg', 'webp'];
  const outputs = formats.flatMap((format) => ['-frames:v', '1', `a.${format}`]);
  await machine.make('ffmpeg', ['-loglevel', 'error', '-f', 'lavfi', '-i', 'color=red:s=320x124', ...outputs]);
  for (const format of formats) {
    const bytes = await readFile(join(machine.path, `a.${format}`));
    assert.deepEqual(pictureSize(bytes), { width: 320, height: 124 }, format);
    for (let end = 0; end < Math.min(bytes.length, 700); end += 1) pictureSize(bytes.subarray(0, end));
  }
  assert.equal(pictureSize(Buffer.alloc(64)), undefined);
  assert.equal(pictureSize(Buffer.from('\xff\xd8\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff', 'latin1')), undefined);
});

test('words of which most are a guess are no text', () => {
  const row = (word: number, confidence: number, text: string): string =>
    ['5', '1', '1', '1', '1', word, '0', '0', '9', '9', confidence, text].join('\t');
  const table = (...rows: string[]): string =>
    ['level\tpage\tblock\tpar\tline\tword\tleft\ttop\twidth\theight\tconf\ttext', ...rows].join('\n');
  assert.equal(
    printedWords({ stdout: table(row(1, 96, 'Invoice'), row(2, 91, '4711'), row(3, 20, '~|')) }),
    'Invoice 4711',
  );
  assert.equal(
    printedWords({ stdout: table(row(1, 12, 'Ilii'), row(2, 60, 'the'), row(3, 20, '~x|'), row(4, 31, 'vvn')) }),
    '',
  );
});
