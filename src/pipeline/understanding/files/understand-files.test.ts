import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { mediaSchema } from '../../../config/understanding-config.ts';
import { AppError } from '../../../core/errors.ts';
import { silentLog } from '../../../core/log.ts';
import type { Note } from '../../../core/understanding.ts';
import { createDocumentReader } from '../../../documents/document-reader.ts';
import { findProgram } from '../../../platform/exec.ts';
import { readEnv } from '../../../platform/env.ts';
import { buildPdf } from '../../../testing/documents/build-pdf.ts';
import type { AttachmentFile } from '../attachments.ts';
import type { PageReader } from '../media/read-pages.ts';
import type { UnderstandingContext } from '../context.ts';
import { formatFiles } from './format.ts';
import { createFiles } from './understand-files.ts';

const { vars } = readEnv();
const reader = createDocumentReader({ log: silentLog, vars: () => vars });
after(() => reader.close());

interface Sent {
  readonly name: string;
  readonly bytes: Uint8Array | string;
  readonly mime?: string;
  readonly trouble?: string;
}

const fileOf = ({ name, bytes, mime = '', trouble }: Sent, index: number): AttachmentFile => ({
  index,
  kind: 'document',
  mime,
  name,
  size: bytes.length,
  trouble,
  path: async () => name,
  async bytes(maxBytes) {
    if (bytes.length > maxBytes) throw new AppError('too_large', 'it is larger');
    return Buffer.from(bytes as string);
  },
});

async function run(
  sent: readonly Sent[],
  {
    config = {},
    sees = false,
    pageReader = undefined as PageReader | undefined,
    claimed = [] as number[],
    signal = new AbortController().signal,
  } = {},
) {
  const kept: string[] = [];
  const reported: string[] = [];
  const context = {
    files: sent.map(fileOf),
    log: silentLog,
    signal,
    progress: (text: string) => reported.push(text),
  } as unknown as UnderstandingContext;
  const keep = async (data: Uint8Array, { mime, name }: { mime: string; name: string }) => {
    kept.push(name);
    return { kind: 'image' as const, mime, name, size: data.length, path: `/kept/${name}` };
  };
  const result = await createFiles({ reader, keep, log: silentLog }).run(
    context,
    new Set(claimed),
    mediaSchema.parse({ files: config }).files,
    { ofChatModel: async () => sees, reader: async () => pageReader },
  );
  return {
    ...result,
    kept,
    reported: reported,
    block: formatFiles(result.notes),
    remarks: result.notes.filter((note): note is Extract<Note, { kind: 'remark' }> => note.kind === 'remark'),
  };
}

test('T76: a document becomes a block, and the decision says how', async () => {
  const { block, decision, reported } = await run([{ name: '报告.txt', bytes: '你好，世界' }]);
  assert.equal(block, '<file name="报告.txt" mime="text/plain">\n你好，世界\n</file>');
  assert.equal(decision.capability, 'file');
  assert.equal(decision.outcome, 'success');
  assert.partialDeepStrictEqual(decision.attachments[0]!, {
    attachmentIndex: 0,
    name: '报告.txt',
    chosen: { type: 'provider', provider: 'documents', model: 'text', outcome: 'success' },
  });
  assert.deepEqual(reported, ['Reading "报告.txt"']);
});

test('nothing to read, and switched off', async () => {
  assert.deepEqual((await run([{ name: 'a.txt', bytes: 'x' }], { claimed: [0] })).decision, {
    capability: 'file',
    outcome: 'no-attachment',
    attachments: [],
  });
  const off = await run([{ name: 'a.txt', bytes: 'x' }], { config: { enabled: false } });
  assert.deepEqual(
    [off.decision.outcome, off.notes.map((note) => note.kind === 'remark' && note.text)],
    ['disabled', ['[Attachment skipped: document reading is disabled] "a.txt"']],
  );
});

test('T112: an empty document says so', async () => {
  assert.match((await run([{ name: 'a.txt', bytes: '' }])).block, /\n\[No extractable text\]\n/);
});

test('T113: every document that gave nothing is remarked on, for the model and for the person', async () => {
  const { remarks, decision } = await run(
    Array.from({ length: 8 }, (_, index) => ({
      name: `${index}.7z`,
      bytes: Buffer.from("7z\xbc\xaf'\x1c\0\x04", 'latin1'),
    })),
  );
  assert.equal(remarks.length, 8, 'the block for the model counts them');
  assert.match(
    remarks[0]!.text,
    /^\[Unsupported document format: application\/x-7z-compressed\. PDF and plain-text attachments can be read\.\]/,
  );
  assert.match(remarks[0]!.tell!, /^I could not read "0\.7z"\. Archives of the type/);
  assert.equal(decision.outcome, 'failed');
});

test('exceeded limits on bytes, files and characters are reported', async () => {
  const sent = ['aaaa', 'b'.repeat(30), 'cccc', 'dddd', 'eeee'].map((bytes, index) => ({
    name: `${index}.txt`,
    bytes,
  }));
  const { notes, remarks, decision } = await run(sent, { config: { maxBytes: 20, maxFiles: 4, maxTotalChars: 6 } });
  assert.deepEqual(
    notes.map(({ kind }) => kind),
    ['file', 'remark', 'file', 'remark', 'remark'],
  );
  assert.match(remarks[0]!.text, /^\[Attachment could not be read\] "1\.txt": it is larger than 20 bytes/);
  assert.match(decision.attachments[2]!.reason!, /^maxChars/);
  assert.match(remarks[1]!.text, /used up the limit/);
  assert.match(remarks[2]!.text, /at most 4 documents/);
});

test('a file that cannot be read is reported, and the rest is read', async () => {
  const { remarks, block } = await run([
    { name: 'gone.txt', bytes: '', trouble: 'it is gone' },
    { name: 'here.txt', bytes: 'words' },
  ]);
  assert.deepEqual(
    remarks.map(({ tell: notify }) => notify),
    ['I could not read "gone.txt": it is gone.'],
  );
  assert.match(block, /words/);
});

test('a stop is passed on', async () => {
  const stop = new AbortController();
  stop.abort();
  await assert.rejects(run([{ name: 'a.txt', bytes: 'x' }], { signal: stop.signal }), { code: 'aborted' });
});

test('T111: pages without text are shown as pictures to a model that sees', async (t) => {
  const scan = { name: 'scan.pdf', bytes: buildPdf({ pages: [[], []] }) };
  const blind = await run([scan]);
  assert.match(blind.block, /\[No extractable text\]/);
  assert.match(blind.remarks[0]!.tell!, /A chat model that sees images/);
  if (!(await findProgram('pdftoppm', vars['PATH']))) return t.skip('pdftoppm is missing (poppler-utils)');
  const { notes, kept, block } = await run([scan], { sees: true });
  assert.deepEqual(kept, ['scan.pdf-page-1.png', 'scan.pdf-page-2.png']);
  assert.match(block, /\[PDF content rendered to images\]/);
  const [note] = notes;
  assert.deepEqual(note?.kind === 'file' && note.pages?.map(({ mime }) => mime), ['image/png', 'image/png']);
  const wordy = await run(
    [
      {
        name: 'text.pdf',
        bytes: buildPdf({ pages: [Array.from({ length: 9 }, () => 'a line with quite some words in it')] }),
      },
    ],
    { sees: true },
  );
  assert.deepEqual(wordy.kept, []);
});

test('what a document says of itself stands before its text', async () => {
  assert.match(
    (await run([{ name: 'a.pdf', bytes: buildPdf({ pages: [['Body']], title: 'Annual report' }) }])).block,
    /\nTitle: Annual report\n\nBody\n/,
  );
});

test('of a long document it is told how many pages were read', async () => {
  const pages = Array.from({ length: 30 }, (_, page) => [`page ${page + 1} with its words`]);
  assert.match(
    (await run([{ name: 'long.pdf', bytes: buildPdf({ pages }) }])).block,
    /page 20 with its words\n\[cut: 20 of 30 pages are shown, \d+ characters\]\n/,
  );
});

test('T116: a cut does not split a character in two', async () => {
  const { block } = await run([{ name: 'a.txt', bytes: 'abc😀😀' }], { config: { maxChars: 4 } });
  assert.match(block, /\nabc\n\[cut: the document is longer, 3 characters are shown\]/);
});

test('pages that are pictures are read by whoever understands pictures, when the chat model sees none', async (t) => {
  if (!(await findProgram('pdftoppm', vars['PATH']))) return t.skip('pdftoppm is missing (poppler-utils)');
  const asked: { name: string; mime: string; maxChars: number; png: boolean }[] = [];
  const pageReader: PageReader = (pages, maxChars) =>
    Promise.all(
      pages.map(async (page, at) => {
        asked.push({
          name: page.name,
          mime: page.mime,
          maxChars,
          png: (await page.bytes(1e6)).toString('latin1', 1, 4) === 'PNG',
        });
        if (at === 1)
          return { attempts: [{ type: 'cli', command: 'ocr', outcome: 'skipped', reason: 'empty output' }] };
        const chosen = { type: 'cli', command: 'ocr', outcome: 'success', ms: 3 } as const;
        return { attempts: [chosen], chosen, text: `words of page ${at + 1} </file>` };
      }),
    );
  const scan = { name: 'scan.pdf', bytes: buildPdf({ pages: [[], [], []] }) };
  const { block, remarks, notes, decision } = await run([scan], { pageReader, config: { maxChars: 900 } });
  assert.deepEqual(
    asked,
    [1, 2, 3].map((page) => ({ name: `scan.pdf-page-${page}.png`, mime: 'image/png', maxChars: 300, png: true })),
  );
  assert.match(
    block,
    /\n\[recognised by [\w/-]+ from pictures of its pages\]\n\nPage 1:\nwords of page 1 .*file>\n\nPage 3:\nwords of page 3 .*\n<\/file>$/s,
  );
  assert.equal(block.match(/<\/file>/g)?.length, 1, 'a page cannot close the block');
  assert.deepEqual(remarks, []);
  assert.equal(notes[0]?.kind === 'file' && notes[0].pages, undefined, 'the model that does not see is shown none');
  assert.partialDeepStrictEqual(decision.attachments[0]!, {
    chosen: { command: 'ocr', reason: 'read 2 of 3 pages', ms: 6 },
  });
  assert.deepEqual(
    decision.attachments[0]!.attempts.map(({ command, provider, outcome }) => [command ?? provider, outcome]),
    [
      ['documents', 'skipped'],
      ['ocr', 'skipped'],
      ['ocr', 'success'],
    ],
  );
  const nothing = await run([scan], {
    pageReader: async (pages) =>
      pages.map(() => ({ attempts: [{ type: 'cli', command: 'ocr', outcome: 'skipped', reason: 'empty output' }] })),
  });
  assert.deepEqual(
    nothing.remarks.map(({ tell: notify }) => notify),
    ['The pages of "scan.pdf" hold no text, only pictures. Nothing could be read on them.'],
  );
});

test('a short document with words of its own is shown to nobody else; one with nothing but the stamp of a scanner is', async (t) => {
  if (!(await findProgram('pdftoppm', vars['PATH']))) return t.skip('pdftoppm is missing (poppler-utils)');
  const asked: string[] = [];
  const chosen = { type: 'cli', command: 'ocr', outcome: 'success' } as const;
  const pageReader: PageReader = async (pages) => {
    asked.push(...pages.map(({ name }) => name));
    return [{ attempts: [chosen], chosen, text: 'Scanned with Scan-o-mat\nDear Ann, the lift is repaired.' }];
  };
  const ticket = {
    name: 'ticket.pdf',
    bytes: buildPdf({ pages: [['Ticket 42 from Vienna to Graz, seat 17, departs 14:05']] }),
  };
  assert.match((await run([ticket], { pageReader })).block, /\nTicket 42 from/);
  assert.deepEqual(asked, []);
  assert.match(
    (await run([{ name: 'stamp.pdf', bytes: buildPdf({ pages: [['Scanned with Scan-o-mat']] }) }], { pageReader }))
      .block,
    /\nScanned with Scan-o-mat\nDear Ann/,
  );
  assert.deepEqual(asked, ['stamp.pdf-page-1.png']);
});
