/** How long films last, of real ffmpeg; and broken ones, which last no known time. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { describe, it } from 'node:test';
import { findProgram } from '../platform/exec.ts';
import { MP4 } from './ffmpeg.ts';
import { mp4SpanMs } from './mp4-span.ts';

const ffmpeg = await findProgram('ffmpeg', process.env['PATH']);

describe('the span of a film', { skip: ffmpeg === undefined && 'ffmpeg is not installed' }, () => {
  const film = (...args: readonly string[]): Buffer =>
    execFileSync(ffmpeg!, ['-loglevel', 'error', '-nostdin', ...args, ...MP4, 'pipe:1'], { maxBuffer: 1e8 });
  const picture = ['-f', 'lavfi', '-i', 'testsrc=size=64x64:rate=10'];
  const tone = ['-f', 'lavfi', '-i', 'sine=frequency=440'];

  it('is that of its pictures, also where they end before their time, and with sound', () => {
    assert.equal(mp4SpanMs(film(...picture, '-t', '2')), 2000);
    assert.equal(mp4SpanMs(film(...picture, '-frames:v', '7', '-t', '20')), 700);
    assert.equal(mp4SpanMs(film(...picture, ...tone, '-t', '1', '-c:a', 'aac')), 1000);
  });

  it('of what is cut off or is no film is not known, or that of what is there; it never throws', () => {
    const whole = film(...picture, '-t', '1');
    for (let length = 0; length < whole.length; length += 97) {
      const span = mp4SpanMs(whole.subarray(0, length));
      assert.ok(span === undefined || (span >= 0 && span <= 1000));
    }
    for (let at = 0; at < whole.length; at += 13) {
      const broken = Buffer.from(whole);
      broken[at] = 0xff;
      mp4SpanMs(broken);
    }
    assert.equal(mp4SpanMs(Buffer.from('no film at all, just words')), undefined);
  });
});
