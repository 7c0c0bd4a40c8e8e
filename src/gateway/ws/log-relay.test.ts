// Live lines of the log: collected, bounded, without secrets, nothing twice, nothing read while nobody follows.
import assert from 'node:assert/strict';
import { appendFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { createFakeClock } from '../../testing/fake-clock.ts';
import { tempDir } from '../../testing/temp-dir.ts';
import type { Hub } from './hub.ts';
import { relayLog } from './log-relay.ts';

interface News {
  readonly file: string;
  readonly from: number;
  readonly cursor: number;
  readonly lines: readonly string[];
  readonly truncated: boolean;
}

async function relayed() {
  const dir = await tempDir();
  const clock = createFakeClock();
  const state = { path: join(dir.path, 'a.log'), follows: true, failed: [] as unknown[] };
  let heard = Promise.withResolvers<News>();
  let written: () => void = () => undefined;
  const hub = {
    connections: () => [{ followsLog: state.follows }],
    publish(event: string, news: News) {
      assert.equal(event, 'logs.lines');
      heard.resolve(news);
    },
  };
  const relay = relayLog(
    {
      path: () => state.path,
      onWritten(listener) {
        written = listener;
        return () => void (written = () => undefined);
      },
    },
    { hub: hub as unknown as Hub, clock, failed: (error) => state.failed.push(error) },
  );
  return {
    state,
    clock,
    note: () => written(),
    async write(text: string): Promise<News> {
      heard = Promise.withResolvers();
      await appendFile(state.path, text);
      written();
      await clock.advance(250);
      return heard.promise;
    },
    async [Symbol.asyncDispose]() {
      relay[Symbol.dispose]();
      assert.equal(clock.pending(), 0);
      await dir[Symbol.asyncDispose]();
    },
  };
}

test('the first news says where the file ends, each that follows what was written since', async () => {
  await using log = await relayed();
  assert.deepEqual(await log.write('{"event":"old"}\n'), {
    file: log.state.path,
    from: 16,
    cursor: 16,
    lines: [],
    truncated: false,
  });
  const next = await log.write('{"event":"new"}\n{"event":"ü"}\nhalf');
  assert.deepEqual(next.lines, ['{"event":"new"}', '{"event":"ü"}']);
  assert.deepEqual([next.from, next.cursor], [16, 47], 'half a line is left for the next');
  assert.deepEqual((await log.write(' and whole\n')).lines, ['half and whole']);
});

test('a flood is cut to its end, and says so', async () => {
  await using log = await relayed();
  await log.write('begin\n');
  const news = await log.write(`${'x'.repeat(99)}\n`.repeat(5000));
  assert.equal(news.truncated, true);
  assert.ok(news.lines.length <= 500 && news.lines.join('\n').length <= 64 * 1024, `${news.lines.length} lines`);
  assert.equal(news.cursor, 6 + 500_000);
  assert.equal((await log.write('after\n')).truncated, false);
});

test('a new day and a file that began anew are read from their beginning', async () => {
  await using log = await relayed();
  await log.write('one\ntwo\n');
  await writeFile(log.state.path, '');
  assert.deepEqual((await log.write('anew\n')).lines, ['anew']);
  log.state.path = log.state.path.replace('a.log', 'b.log');
  const news = await log.write('another day\n');
  assert.deepEqual([news.file, news.from, news.lines], [log.state.path, 0, ['another day']]);
});

test('secrets are masked whatever is in the file', async () => {
  await using log = await relayed();
  await log.write('begin\n');
  const secret = `sk-${'a1b2c3d4'.repeat(4)}`;
  assert.ok(!JSON.stringify(await log.write(`{"key":"${secret}"}\n`)).includes(secret));
});

test('while nobody follows no timer runs, and no file is looked at', async () => {
  await using log = await relayed();
  log.state.follows = false;
  log.state.path = '/dev/null/nothing';
  log.note();
  assert.equal(log.clock.pending(), 0);
  log.state.follows = true;
  for (let at = 0; at < 100; at++) log.note();
  assert.equal(log.clock.pending(), 1, 'one look for all of it');
});
