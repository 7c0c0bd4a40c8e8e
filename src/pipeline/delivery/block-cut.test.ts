/** Where an answer is cut into blocks, and what is left of it in the end. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { blockEnd, finalWithout, type BlockRules } from './block-cut.ts';

type Rules = Pick<BlockRules, 'minChars' | 'maxChars' | 'prefer'>;
const cut = (text: string, over: Partial<Rules> = {}): string | undefined => {
  const end = blockEnd(text, { minChars: 10, maxChars: 30, prefer: 'paragraph', ...over });
  return end === undefined ? undefined : text.slice(0, end).trimEnd();
};

describe('a block', () => {
  it('ends at a paragraph, as soon as it is long enough', () => {
    assert.equal(cut('one two three\n\nfour'), 'one two three');
    assert.equal(cut('short\n\nfour'), undefined);
    assert.equal(cut('one two three four'), undefined, 'there may be a paragraph yet');
  });

  it('that is full ends at a line, a sentence, a word, anywhere', () => {
    assert.equal(cut('one two three\nfour five six seven eight'), 'one two three');
    assert.equal(cut('one two three. Four five six seven eight'), 'one two three.');
    assert.equal(cut('one two three four five six seven eight'), 'one two three four five six');
    assert.equal(cut('x'.repeat(40)), 'x'.repeat(30));
  });

  it('ends where it is wished to', () =>
    assert.equal(cut('one two three. Four\n\nfive', { prefer: 'sentence' }), 'one two three.'));

  it('does not end in code', () => {
    assert.equal(cut('words before\n```\none\n\ntwo\n\nthree\n\nfour\n'), 'words before');
    assert.equal(cut('```\none\n\ntwo\n\nthree\n\nfour five\n'), undefined, 'the end of the code is not there yet');
    assert.equal(cut('```\none\n\ntwo\n\nthree\n\nfour five\n```\nmore'), '```\none\n\ntwo\n\nthree\n\nfour five\n```');
  });

  it('loses nothing, whatever the text', () => {
    const piece = fc.constantFrom('word ', '\n', '\n\n', '. ', '```\n', 'x'.repeat(35), '😀');
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 40 }).map((all) => all.join('')),
        (text) => {
          let rest = text;
          for (
            let end = blockEnd(rest, { minChars: 10, maxChars: 30, prefer: 'paragraph' });
            end !== undefined;
            end = blockEnd(rest, { minChars: 10, maxChars: 30, prefer: 'paragraph' })
          ) {
            assert.ok(end > 0 && end <= rest.length);
            rest = rest.slice(end);
          }
        },
      ),
    );
  });
});

describe('what blocks did not say', () => {
  it('G160 is the rest, or nothing', () => {
    assert.equal(finalWithout('one two\n\n', 'one two\n\nthree'), 'three');
    assert.equal(finalWithout('one two three', 'one two\n\nthree\n'), '');
    assert.equal(finalWithout('one', 'one\n\n  - indented'), '  - indented');
  });

  it('is everything when they said something else', () => {
    assert.equal(finalWithout('another', 'one two'), 'one two');
    assert.equal(finalWithout('one two three', 'one two'), 'one two');
  });
});
