/** Where a text is cut. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cutText } from './cut-text.ts';

const MARK = '[… cut here; the page continues]';
const cut = (text: string, maxChars: number, more = false): string => cutText(text, { maxChars, more }).text;

test('a text that fits stays; one that fits but is not all gets the mark', () => {
  assert.deepEqual(cutText('abc', { maxChars: 3, more: false }), { text: 'abc', truncated: false });
  assert.deepEqual(cutText('abc', { maxChars: 100, more: true }), { text: `abc\n\n${MARK}`, truncated: true });
});

test('it is cut behind a paragraph, else a sentence, else a word', () => {
  assert.equal(cut(`${'a'.repeat(60)}\n\n${'b '.repeat(60)}`, 110), `${'a'.repeat(60)}\n\n${MARK}`);
  assert.equal(cut(`${'word '.repeat(12)}end. ${'more '.repeat(60)}`, 110), `${'word '.repeat(12)}end.\n\n${MARK}`);
  assert.equal(cut('字'.repeat(60) + '。' + '字'.repeat(100), 110), `${'字'.repeat(60)}。\n\n${MARK}`);
  assert.equal(cut('word '.repeat(100), 110), `${'word '.repeat(15).trim()}\n\n${MARK}`);
});

test('never longer than asked, never half a character, code is closed', () => {
  for (const text of ['x'.repeat(500), '😀'.repeat(250), `\`\`\`\n${'x y\n'.repeat(200)}\`\`\``]) {
    for (const maxChars of [1, 2, 31, 32, 33, 40, 101, 499]) {
      const kept = cut(text, maxChars);
      assert.ok(kept.length <= maxChars, `${kept.length} > ${maxChars}`);
      assert.ok(kept.isWellFormed(), `${maxChars}`);
    }
  }
  assert.match(cut(`\`\`\`\n${'x y\n'.repeat(200)}\`\`\``, 200), /\n```\n\n\[… cut here/);
});
