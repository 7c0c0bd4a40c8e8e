/** The log window grows at both ends without losing or duplicating lines. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ProcessLog } from '../gateway/wire.ts';
import { earlierRequest, emptyLog, nextRequest, withLog, type LogWindow } from './log-window.ts';

/** The gateway's side: a file of lines, and the window rules of `process.log`. */
const file =
  (lines: readonly string[]) =>
  ({ offset, limit }: { offset?: number; limit?: number }, droppedBytes = 0): ProcessLog => {
    const firstLine = offset ?? Math.max(0, lines.length - (limit ?? lines.length));
    const part = lines.slice(firstLine, offset === undefined || limit === undefined ? undefined : offset + limit);
    return {
      view: {} as ProcessLog['view'],
      output: part.join('\n'),
      totalLines: lines.length,
      totalChars: lines.join('\n').length,
      firstLine,
      lines: part.length,
      droppedBytes,
    };
  };
const numbered = (count: number): string[] => Array.from({ length: count }, (_, at) => `line ${at}`);
const step = (log: LogWindow, lines: readonly string[]): LogWindow => withLog(log, file(lines)(nextRequest(log)));

test('following: a half line becomes whole, new lines follow', () => {
  let log = step(emptyLog, ['one', 'tw']);
  log = step(log, ['one', 'two', 'three']);
  assert.deepEqual(log.lines, ['one', 'two', 'three']);
  assert.equal(step(log, ['one', 'two', 'three']).lines.length, 3, 'nothing new changes nothing');
});

test('only the end is fetched, what is before it on request, down to the first line', () => {
  const lines = numbered(450);
  let log = step(emptyLog, lines);
  assert.equal(log.first, 250);
  log = withLog(log, file(lines)(earlierRequest(log)));
  log = withLog(log, file(lines)(earlierRequest(log)));
  assert.deepEqual([log.first, log.lines.length], [0, 450]);
  assert.deepEqual(log.lines, lines);
});

test('a log that began anew or lost its middle replaces what was held', () => {
  const log = step(emptyLog, numbered(30));
  assert.deepEqual(withLog(log, file(['fresh'])({})).lines, ['fresh']);
  assert.deepEqual(withLog(log, file(['head', 'tail'])({}, 500)).lines, ['head', 'tail']);
});

test('an empty log has no lines, a log of one empty line has one', () => {
  assert.deepEqual(step(emptyLog, []).lines, []);
  assert.deepEqual(step(emptyLog, ['']).lines, ['']);
});

test('however much is written, the page keeps the newest few thousand lines', () => {
  let log = step(emptyLog, numbered(10));
  log = step(log, numbered(9000));
  assert.equal(log.lines.length, 4000);
  assert.equal(log.lines.at(-1), 'line 8999');
  assert.equal(log.first, 5000);
});
