import assert from 'node:assert/strict';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { after, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { silentLog } from '../core/log.ts';
import { buildPdf } from '../testing/documents/build-pdf.ts';
import { buildDocx, buildZip, wordParagraph } from '../testing/documents/build-zip.ts';
import { createDocumentReader, type DocumentOutcome } from './document-reader.ts';

const MB = 1024 * 1024;
const reader = createDocumentReader({ log: silentLog });
after(() => reader.close());

const read = (
  bytes: Uint8Array,
  { name = 'file', timeoutMs = 20_000, signal = new AbortController().signal } = {},
): Promise<DocumentOutcome> =>
  reader.read(
    { bytes, name, timeoutMs, maxChars: 60_000, pdf: { maxPages: 20, maxPixels: 1e6, minTextChars: 0 } },
    signal,
  );
const reasonOf = (outcome: DocumentOutcome): string =>
  outcome.ok ? `read as ${outcome.kind}, ${outcome.text.length} characters` : outcome.reason;

const zeros = Buffer.alloc(80 * MB);
const slow = buildPdf({ pages: [['x']], spareObjects: 100_000 });
/** A million in the full run. */
const OBJECTS = process.env['TEST_MATRICES'] === 'full' ? 1_000_000 : 150_000;
const bomb = buildZip([{ name: 'a.bin', content: zeros }]);
const ENTITIES =
  '<!DOCTYPE lolz [<!ENTITY a ' +
  `"ha">${Array.from({ length: 9 }, (_, n) => `<!ENTITY ${'bcdefghij'[n]} "${`&${'abcdefghi'[n]};`.repeat(10)}">`).join('')}]>`;

/** What is sent, and what has to become of it. */
const HOSTILE: Readonly<
  Record<string, { readonly make: () => Uint8Array; readonly ends: RegExp; readonly name?: string }>
> = {
  'a zip bomb': { make: () => bomb, ends: /^read as zip/ },
  'a zip bomb that says it is a document': {
    make: () =>
      buildZip([
        { name: 'word/document.xml', content: zeros },
        { name: '[Content_Types].xml', content: '' },
      ]),
    ends: /^bomb$/,
  },
  'a document that lies about the size of its parts': {
    make: () => buildZip([{ name: 'word/document.xml', content: zeros, claimedSize: 10 }]),
    ends: /^corrupt$/,
  },
  'a gzip bomb': { make: () => gzipSync(zeros, { level: 1 }), ends: /^bomb$/, name: 'a.txt.gz' },
  'billion laughs in a document': { make: () => buildDocx(wordParagraph('&j;'), { before: ENTITIES }), ends: /^bomb$/ },
  [`a PDF with ${OBJECTS} objects`]: {
    make: () => buildPdf({ pages: [['still here']], spareObjects: OBJECTS }),
    ends: /^read as pdf, 10 characters|^(timeout|memory)$/,
  },
  'a PDF page that unpacks to 80 MB': {
    make: () => buildPdf({ pages: [['x']], padding: 80 * MB }),
    ends: /^read as pdf|^(timeout|memory|corrupt)$/,
  },
  'one line of 20 MB': { make: () => Buffer.alloc(20 * MB, 'a'), ends: /^read as text, 60000/, name: 'a.txt' },
  'one cell of 20 MB': { make: () => Buffer.alloc(20 * MB, 'a,'), ends: /^read as table, 60000/, name: 'a.csv' },
  'JSON 100 000 levels deep': {
    make: () => Buffer.from('['.repeat(100_000) + ']'.repeat(100_000)),
    ends: /^read as json, 60000/,
    name: 'a.json',
  },
  'HTML 100 000 levels deep': {
    make: () => Buffer.from(`<html><body>${'<div>'.repeat(100_000)}deep`),
    ends: /^read as html/,
  },
  'a million header lines': {
    make: () =>
      Buffer.from(`From: a@example.com\nSubject: s\nTo: b@example.com\n${'X-A: b\n'.repeat(1_000_000)}\nhello`),
    ends: /^read as mail|^corrupt$|^memory$/,
  },
  'RTF 200 000 levels deep': {
    make: () => Buffer.from(`{\\rtf1 ${'{'.repeat(200_000)}x`),
    ends: /^read as rtf|^corrupt$/,
  },
  'OGG full of zeros': {
    make: () => Buffer.concat([Buffer.from('OggS\0\x02'), Buffer.alloc(MB)]),
    ends: /^media$/,
    name: 'a.txt',
  },
  nothing: { make: () => new Uint8Array(0), ends: /^read as text, 0/ },
};

test('hostile files end in time, each as it should, and do not block the event loop', async (t) => {
  for (const [name, { make, ends, name: fileName = 'file' }] of Object.entries(HOSTILE)) {
    const bytes = make();
    const before = process.memoryUsage.rss();
    const began = performance.now();
    let peak = 0;
    const watch = setInterval(() => {
      peak = Math.max(peak, process.memoryUsage.rss() - before);
    }, 5);
    const delay = monitorEventLoopDelay({ resolution: 5 });
    delay.enable();
    const outcome = await read(bytes, { name: fileName });
    delay.disable();
    clearInterval(watch);
    t.diagnostic(
      `${name} (${(bytes.length / MB).toFixed(1)} MB): ${reasonOf(outcome)}; ` +
        `${Math.round(performance.now() - began)} ms, +${Math.round(peak / MB)} MB at most, event loop ` +
        `${Math.round(delay.max / 1e6)} ms`,
    );
    assert.match(reasonOf(outcome), ends, name);
  }
});

test('the archive that would burst is called what it is', async () => {
  const outcome = await read(bomb);
  assert.match(outcome.ok ? outcome.text : '', /Warning: it would unpack to \d{3,} times its size/);
});

test('a document that takes too long is stopped, and the next one is read', async () => {
  assert.equal(reasonOf(await read(slow, { timeoutMs: 1 })), 'timeout');
  assert.equal(reasonOf(await read(Buffer.from('fine'))), 'read as text, 4 characters');
});

test('a stop ends the reading at once', async () => {
  const stop = new AbortController();
  const reading = read(slow, { signal: stop.signal });
  stop.abort();
  assert.equal(reasonOf(await reading), 'timeout');
});

test('a document over the memory of the thread is refused, and the next one is read', async () => {
  const small = createDocumentReader({ log: silentLog, limits: { heapMb: 24, growthMb: 2000, idleMs: 1000 } });
  const request = { timeoutMs: 30_000, maxChars: 10_000_000, pdf: { maxPages: 1, maxPixels: 1, minTextChars: 0 } };
  const many = Buffer.from(`<html><body>${'<p>word <b>bold</b></p>'.repeat(200_000)}`);
  const outcome = await small.read({ ...request, bytes: many }, new AbortController().signal);
  assert.equal(reasonOf(outcome), 'memory');
  assert.equal(
    reasonOf(await small.read({ ...request, bytes: Buffer.from('fine') }, new AbortController().signal)),
    'read as text, 4 characters',
  );
  await small.close();
});

test("the caller's bytes stay the caller's", async () => {
  const bytes = Buffer.from('mine');
  await read(bytes);
  assert.equal(bytes.toString(), 'mine');
});
