/** Albums end with their last piece, when nothing more comes, and in any case after a while. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createFakeClock } from '../testing/fake-clock.ts';
import { createAlbums } from './albums.ts';

function collected() {
  const clock = createFakeClock();
  const whole: string[][] = [];
  const albums = createAlbums<string>(clock);
  const join = (piece: string, expected?: number) =>
    albums.join({ key: 'a', expected }, piece, async (pieces) => void whole.push([...(await pieces())]));
  return { clock, whole, albums, join };
}

it('ends with the last piece where the number is known, and where it is not when none comes for a while', async () => {
  const { clock, whole, join } = collected();
  await Promise.all([join('one', 2), join('two', 2)]);
  const quiet = join('three');
  await clock.advance(1000);
  await quiet;
  assert.deepEqual(whole, [['one', 'two'], ['three']]);
  assert.equal(clock.pending(), 0, 'no timer is left');
});

it('holds up nobody for long, however many pieces somebody announces and sends', async () => {
  const { clock, whole, join } = collected();
  const first = join('0', 100);
  for (let at = 1; whole.length === 0 && at < 20; at++) {
    await clock.advance(4000);
    if (whole.length === 0) void join(String(at), 100);
  }
  await first;
  assert.equal(whole[0]!.length, 5, 'those of twenty seconds');
});

it('is given up where all stops', async () => {
  const { albums, join } = collected();
  const joined = join('one', 2);
  albums[Symbol.dispose]();
  await assert.rejects(joined, { code: 'aborted' });
});
