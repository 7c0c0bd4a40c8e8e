/** Checks of a plugin's shape beyond loading. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readPlugins } from './contract.ts';

describe('a vendor of media', () => {
  const vendor = (media: unknown) => readPlugins({ id: 'ears', label: 'Ears', apis: [], media }, 'ears.mjs');
  const run = () => undefined;

  it('needs no chat', () => {
    assert.deepEqual(
      vendor({ audio: { run, defaultModel: 'm', rank: 5, accepts: ['audio/ogg', 'audio/vnd.wave'] } }).map(
        ({ kind }) => kind,
      ),
      ['provider'],
    );
  });

  it('is told what is wrong with an ability', () => {
    const wrong: readonly (readonly [unknown, RegExp])[] = [
      [{ audio: {} }, /media\.audio\.run: must be a function/],
      [{ image: { run, defaultModel: '' } }, /media\.image\.defaultModel/],
      [{ video: { run, rank: 'first' } }, /media\.video\.rank/],
      [{ image: { run, accepts: ['png'] } }, /media\.image\.accepts\.0: must be a media type such as image\/png/],
      [{ image: () => 'text' }, /media\.image/],
    ];
    for (const [media, message] of wrong) assert.throws(() => vendor(media), { code: 'invalid', message });
  });
});
