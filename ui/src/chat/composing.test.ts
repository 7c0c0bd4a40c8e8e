/** Commands, stop words, images, the outbox on disk, and the timeline's arithmetic. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { completions, isStopWord } from './commands.ts';
import { MAX_IMAGE_BYTES, refusalOf, roomFor, toAttachment } from './images.ts';
import { deserialise, serialise, type Outgoing } from './outbox.ts';
import { timelineBars } from './timeline-chart.ts';

test('commands are offered while their name is typed and no longer', () => {
  assert.deepEqual(completions('/st').map(({ name }) => name), ['/status', '/stop']);
  assert.ok(completions('/').length > 5);
  for (const text of ['', 'hello', '/model gpt', '/status', '/nothing', ' /st']) assert.deepEqual(completions(text), [], text);
});

test('stop words', () => {
  for (const text of ['stop', ' Stop! ', 'ABORT', 'please stop.', '/stop', 'wait']) assert.ok(isStopWord(text), text);
  for (const text of ['stop the timer at nine', 'nonstop', '']) assert.ok(!isStopWord(text), text);
});

test('images: type, size and what still fits into one frame', () => {
  const file = (size: number, type = 'image/png') => ({ name: 'a.png', type, size });
  assert.equal(refusalOf(file(10), 100), undefined);
  assert.match(refusalOf(file(10, 'application/pdf'), 100)!, /not a PNG/);
  assert.match(refusalOf(file(MAX_IMAGE_BYTES + 1), 1e9)!, /5\.0 MB/);
  assert.match(refusalOf(file(101), 100)!, /does not fit/);
  assert.ok(roomFor(25 * 1024 * 1024, []) < 19 * 1024 * 1024);
  assert.deepEqual(toAttachment({ src: 'data:image/png;base64,QUJD', mime: 'image/png', name: 'a.png', bytes: 3 }), { type: 'image', mimeType: 'image/png', fileName: 'a.png', content: 'QUJD' });
});

test('the outbox survives a reload without what the gateway has', () => {
  const message = (id: string, state: Outgoing['state']): Outgoing => ({ id, sessionKey: 'k', text: id, images: [], at: 1, state });
  const back = deserialise(serialise([message('a', 'accepted'), message('b', 'sending'), message('c', 'queued')]));
  assert.deepEqual(back.map(({ id, state }) => [id, state]), [['b', 'sending'], ['c', 'queued']]);
  for (const broken of [null, '', '{', '{}', '[1,null,{"id":3}]']) assert.deepEqual(deserialise(broken), []);
});

test('the timeline spans what lasts and marks what is a moment', () => {
  const { bars, totalMs } = timelineBars([
    { stage: 'model', at: 1020, ms: 60 }, { stage: 'accepted', at: 1000, ms: 2 }, { stage: 'answered', at: 1100, ms: 100, ok: true }, { stage: 'tool', at: 1085, ms: 5, ok: false },
  ]);
  assert.equal(totalMs, 100);
  assert.deepEqual(bars.map(({ label, left, width, ms, tone }) => [label, left, width, ms, tone]), [
    ['Accepted', 0, 1, undefined, 'plain'], ['Model', 20, 60, 60, 'model'], ['Tool', 85, 5, 5, 'bad'], ['Answered', 99, 1, undefined, 'plain'],
  ]);
  assert.deepEqual(timelineBars([]), { bars: [], totalMs: 0 });
});
