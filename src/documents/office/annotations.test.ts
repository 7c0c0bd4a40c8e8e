// Tracked deletions and comments in Word and Writer documents: reported, but not part of the text.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { silentLog } from '../../core/log.ts';
import { buildZip, buildDocx } from '../../testing/documents/build-zip.ts';
import { createDocumentReader } from '../document-reader.ts';

const reader = createDocumentReader({ log: silentLog });
after(() => reader.close());

async function textOf(bytes: Uint8Array, name: string): Promise<string> {
  const outcome = await reader.read(
    { bytes, name, maxChars: 5000, timeoutMs: 120_000, pdf: { maxPages: 5, maxPixels: 1e6, minTextChars: 0 } },
    new AbortController().signal,
  );
  return outcome.ok ? outcome.text : `refused: ${outcome.message}`;
}

const WHO = 'xmlns:office="o" xmlns:text="t" xmlns:dc="d"';
const odt = (body: string): Buffer =>
  buildZip([
    { name: 'mimetype', content: 'application/vnd.oasis.opendocument.text', stored: true },
    {
      name: 'content.xml',
      content:
        '<?xml version="1.0"?><office:document-content ' +
        `${WHO}><office:body><office:text>${body}</office:text></office:body></office:document-content>`,
    },
  ]);

const EXPECTED =
  'The rent is 900 euros.\n\n[Deleted in tracked changes, not part of the text]\n- Ada, 2026-01-02: not more ' +
  'than\n\n[Comments in the margin]\n- Bob, 2026-01-03: Is that with heating?';

test('ODT: deletions and comments stand apart', async () => {
  const info = (who: string, day: string): string =>
    `<dc:creator>${who}</dc:creator><dc:date>2026-01-0${day}T10:00:00</dc:date>`;
  const changes = `<text:tracked-changes><text:changed-region><text:deletion><office:change-info>${info('Ada', '2')}</office:change-info><text:p>not more than</text:p></text:deletion></text:changed-region><text:changed-region><text:insertion><office:change-info>${info('Ada', '2')}</office:change-info></text:insertion></text:changed-region></text:tracked-changes>`;
  const comment =
    `<office:annotation office:name="1">${info('Bob', '3')}<text:p>Is that with ` +
    'heating?</text:p></office:annotation>';
  assert.equal(
    await textOf(
      odt(
        `${changes}<text:p>The rent is <text:change text:change-id="1"/>900 ` +
          `euros${comment}<office:annotation-end office:name="1"/>.</text:p>`,
      ),
      'lease.odt',
    ),
    EXPECTED,
  );
});

test('ODT: a text without either is only its text', async () => {
  assert.equal(await textOf(odt('<text:p>The rent is 900 euros.</text:p>'), 'lease.odt'), 'The rent is 900 euros.');
});

const run = (text: string): string => `<w:r><w:t xml:space="preserve">${text}</w:t></w:r>`;
const by = (who: string, day: string): string => `w:id="1" w:author="${who}" w:date="2026-01-0${day}T10:00:00Z"`;

test('DOCX: deletions and comments stand apart', async () => {
  const body =
    `<w:p>${run('The rent is ')}<w:del ${by('Ada', '2')}><w:r><w:delText xml:space="preserve">not more ` +
    '</w:delText></w:r><w:r><w:delText>than</w:delText></w:r></w:del><w:ins ' +
    `${by('Ada', '2')}>${run('900')}</w:ins><w:commentRangeStart w:id="1"/>${run(' euros')}<w:commentRangeEnd ` +
    `w:id="1"/><w:r><w:commentReference w:id="1"/></w:r>${run('.')}</w:p>`;
  const comments =
    '<?xml version="1.0"?><w:comments ' +
    `xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:comment ${by('Bob', '3')} ` +
    `w:initials="B"><w:p>${run('Is that with ')}${run('heating?')}</w:p></w:comment></w:comments>`;
  assert.equal(await textOf(buildDocx(body, { comments }), 'lease.docx'), EXPECTED);
});

test('DOCX: what was moved stands where it is now', async () => {
  const body =
    '<w:p><w:moveFrom ' +
    `${by('Ada', '2')}>${run('moved words')}</w:moveFrom>${run('first')}</w:p><w:p>${run('second ')}<w:moveTo ` +
    `${by('Ada', '2')}>${run('moved words')}</w:moveTo></w:p>`;
  assert.equal(await textOf(buildDocx(body), 'moved.docx'), 'first\n\nsecond moved words');
});
