/** Long text in several messages: at lines and words, fences whole, nothing lost. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { chunkText, type ChunkRules } from './chunk.ts';
import { fenceAfter, type Fence } from '../../core/fence.ts';
import { present } from '../../core/present.ts';

const cut = (text: string, limit: number, rules: Partial<ChunkRules> = {}): readonly string[] =>
  chunkText(text, { limit, ...rules });

const openAtEnd = (text: string): Fence | undefined =>
  text.split('\n').reduce<Fence | undefined>(fenceAfter, undefined);
/** The words, without marks of code, white space and the letters of `ts`, which fences may name. */
const substance = (text: string): string => text.replace(/[`~\sts]/g, '');

describe('by length', () => {
  it('G155 cuts at the last line break, else at a word, else anywhere', () => {
    assert.deepEqual(cut('one two\nthree four', 10), ['one two', 'three four']);
    assert.deepEqual(cut('one two three four', 9), ['one two', 'three', 'four']);
    assert.deepEqual(cut('abcdefghij', 4), ['abcd', 'efgh', 'ij']);
  });

  it('G155 keeps what is in parentheses together where it can', () => {
    assert.deepEqual(cut('see (the long note) for more', 17), ['see', '(the long note)', 'for more']);
    assert.deepEqual(cut('aa\n(b\nc) d\nee', 9), ['aa', '(b\nc) d', 'ee']);
    assert.deepEqual(
      cut('sad :( but it goes on and on', 12),
      ['sad', ':( but it', 'goes on and', 'on'],
      'an open one does not cost the words',
    );
  });

  it('leaves text that fits alone, and says nothing for blank text', () => {
    assert.deepEqual(cut('  indented\n\nb', 50), ['  indented\n\nb']);
    assert.deepEqual([cut('', 5), cut(' \n \n', 5)], [[], []]);
  });

  it('keeps the indentation of the line a message begins with', () =>
    assert.deepEqual(cut('- a\n\n  - b\n  - c', 10), ['- a\n\n  - b', '  - c']));

  it('counts lines', () => assert.deepEqual(cut('a\nb\nc\nd\ne', 100, { maxLines: 2 }), ['a\nb', 'c\nd', 'e']));

  it('never cuts what people see as one character', () => {
    const family = '👨‍👩‍👧‍👦';
    for (const chunk of cut(family.repeat(9), 25)) assert.equal(chunk.replaceAll(family, ''), '');
    for (const chunk of cut('é'.repeat(9), 5)) assert.equal(chunk.replaceAll('é', ''), '');
    for (const chunk of cut('🇩🇪'.repeat(9), 10)) assert.equal(chunk.replaceAll('🇩🇪', ''), '');
    for (const chunk of cut('😀'.repeat(9), 3)) assert.equal(chunk, '😀');
  });
});

describe('code', () => {
  it('G156 goes into a message of its own before it is cut', () => {
    assert.deepEqual(cut('words\n```js\nlet a;\n```', 18), ['words', '```js\nlet a;\n```']);
  });

  it('G156 that must be cut is closed and opened again the same way', () => {
    assert.deepEqual(cut('```js\none;\ntwo;\n```', 15), ['```js\none;\n```', '```js\ntwo;\n```']);
    assert.deepEqual(cut('  ~~~~ x\n  one\n  two\n  ~~~~', 23), ['  ~~~~ x\n  one\n  ~~~~', '  ~~~~ x\n  two\n  ~~~~']);
  });

  it('G156 leaves no empty block behind', () => {
    const chunks = cut('```js\naaaa\nbbbb\n```\nend', 14);
    assert.deepEqual(chunks, ['```js\naaaa\n```', '```js\nbbbb\n```', 'end']);
  });

  it('G156 a longer fence is not closed by a shorter one in it', () => {
    const inner = '````md\n```\nx\n```\n````';
    assert.deepEqual(cut(`${inner}\nafter`, 22), [inner, 'after']);
  });

  it('is closed where the model forgot to', () => assert.deepEqual(cut('```\nx', 20), ['```\nx\n```']));

  it('a line longer than a message is cut within', () => {
    assert.deepEqual(cut('```\nabcdefghij\n```', 13), ['```\nabcde\n```', '```\nfghij\n```']);
  });
});

describe('newline mode', () => {
  it('G157 cuts at blank lines outside fences only', () => {
    assert.deepEqual(cut('a\nb\n\nc\n\n```\nd\n\ne\n```\n\n\nf', 100, { mode: 'newline' }), [
      'a\nb',
      'c',
      '```\nd\n\ne\n```',
      'f',
    ]);
  });

  it('G157 and then by length', () =>
    assert.deepEqual(cut('aaa bbb\n\nc', 4, { mode: 'newline' }), ['aaa', 'bbb', 'c']));
});

const pieces = fc.constantFrom(
  '```ts\n',
  '```\n',
  '~~~\n',
  '  ````  \n',
  '\n',
  '\n\n',
  ' ',
  '(',
  ')',
  'word',
  'longerwordwithoutspaces',
  '😀',
  '👩‍🚀',
  'x'.repeat(60),
  '- item\n',
  '> q\n',
  '\t',
  '`code`',
);
const texts = fc.array(pieces, { maxLength: 80 }).map((all) => all.join(''));
const anyRules = fc
  .record({
    limit: fc.integer({ min: 40, max: 200 }),
    maxLines: fc.option(fc.integer({ min: 4, max: 30 }), { nil: undefined }),
    mode: fc.constantFrom('length' as const, 'newline' as const),
  })
  .map(({ maxLines, ...rules }): ChunkRules => ({ ...rules, ...present({ maxLines }) }));

describe('whatever the text is', () => {
  it('no message is too long, none ends within code, none is blank, and nothing is lost', () => {
    fc.assert(
      fc.property(texts, anyRules, (text, rules) => {
        const chunks = chunkText(text, rules);
        for (const chunk of chunks) {
          assert.ok(chunk.length <= rules.limit, `${chunk.length} > ${rules.limit}`);
          assert.ok(chunk.split('\n').length <= (rules.maxLines ?? Infinity), 'too many lines');
          assert.equal(openAtEnd(chunk), undefined, 'an open fence');
          assert.notEqual(chunk.trim(), '');
        }
        assert.equal(substance(chunks.join('\n')), substance(text));
      }),
      { numRuns: 2000 },
    );
  });

  it('every character is looked at a bounded number of times', () => {
    // A count, not a clock: the work of a text twenty times as long is about twenty times as much.
    const hostile = ['(\n', '( a', '```\ny\n', '~~~\n', 'x', ' ', '\n', '\ud83d', 'a '].map((part) =>
      part.repeat(300_000 / part.length),
    );
    for (const text of hostile) assert.ok(chunkText(text, { limit: 4000 }).length <= text.length / 1000 + 1);
  });
});
