/** Albums: what the pieces say together, and that one that was passed on is nobody's own words. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { accepted } from '../testing/sample-inbound.ts';
import { NOTHING_SAID } from './said.ts';
import { mergeAlbum } from './saying.ts';

const own = (text: string) => accepted({ text }).message;
const passedOn = (text: string, from: string) => ({ ...own(text), said: NOTHING_SAID, forwarded: { from } });

describe('an album', () => {
  it('has the words of all its pieces, in their order', () => {
    const { text, said, album, forwarded } = mergeAlbum([own('a'), own('b')]);
    assert.deepEqual([text, said, album, forwarded], ['a\nb', 'a\nb', true, undefined]);
  });

  it('is passed on where any piece of it is, not only where the first is', () => {
    const [mine, bobs, eves] = [own('mine'), passedOn('theirs', 'Bob'), passedOn('others', 'Eve')];
    for (const pieces of [
      [mine, bobs],
      [bobs, mine],
      [mine, bobs, eves],
    ] as const) {
      const { forwarded, said } = mergeAlbum(pieces as unknown as Parameters<typeof mergeAlbum>[0]);
      assert.deepEqual([forwarded, said], [{ from: 'Bob' }, 'mine']);
    }
  });
});
