/** Parsers of the pages: log lines, health, configuration problems. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { curve } from './sparkline.ts';
import { ago, duration, shortTime } from '../elements/times.ts';
import { readHealth } from '../gateway/health.ts';
import { withSample, type Sample } from '../gateway/trend.ts';
import { changesBetween } from './config-changes.ts';
import { issuesOf } from './config-issues.ts';
import { findLines, parseLogLine } from './log-lines.ts';

test('log lines of our gateway, of others, and of nobody', () => {
  const line = parseLogLine(
    '{"time":"2026-11-20T19:41:03.654Z","level":"warn","event":"telegram.retry","ms":12,"what":{"a":1}}',
  );
  assert.deepEqual(
    { ...line, at: line.at.slice(-4), atMs: typeof line.atMs },
    { at: '.654', atMs: 'number', level: 'warn', event: 'telegram.retry', rest: 'ms=12  what={"a":1}' },
  );
  assert.equal(parseLogLine('{"level":50,"msg":"pino says"}').level, 'error');
  assert.deepEqual(parseLogLine('plain text {'), { at: '', level: 'info', event: 'plain text {', rest: '' });
});

test('the level filter keeps what is as bad or worse', () => {
  const lines = ['debug', 'info', 'warn', 'error'].map((level) =>
    parseLogLine(JSON.stringify({ level, event: `e.${level}` })),
  );
  assert.deepEqual(
    findLines(lines, { least: 'warn', text: '' }).map(({ level }) => level),
    ['warn', 'error'],
  );
  assert.deepEqual(
    findLines(lines, { least: 'debug', text: 'E.INFO' }).map(({ level }) => level),
    ['info'],
  );
});

test('a range of time keeps its lines, and those without a time with the line before them', () => {
  const lines = ['{"time":1000,"event":"a"}', 'its stack', '{"time":2000,"event":"b"}', '{"time":3000,"event":"c"}'];
  const found = (range: { since?: number; until?: number }): string =>
    findLines(lines.map(parseLogLine), { least: 'debug', text: '', ...range })
      .map(({ event }) => event)
      .join(' ');
  assert.equal(found({}), 'a its stack b c');
  assert.equal(found({ since: 1000, until: 2000 }), 'a its stack b');
  assert.equal(found({ since: 1001 }), 'b c');
  assert.equal(found({ until: 999 }), '');
});

test('a line of a message says which, whatever its fields are called', () => {
  const { sessionKey, runId } = parseLogLine('{"event":"turn.failed","turnId":"r1","sessionKey":"agent:main:main"}');
  assert.deepEqual([sessionKey, runId], ['agent:main:main', 'r1']);
  assert.equal(parseLogLine('{"event":"x","sessionKey":7}').sessionKey, undefined);
});

test('health is read from either shape and survives nonsense', () => {
  const health = readHealth(
    { eventLoop: { delayP99Ms: 3, delayMaxMs: 9, utilization: 0.1 }, sessions: { count: 4 } },
    {
      model: { provider: 'offline', model: 'concierge' },
      config: { valid: false, safeMode: true, issues: [{ path: 'a.b', problem: 'wrong' }] },
    },
  );
  assert.deepEqual(health, {
    sessions: 4,
    eventLoop: { p99Ms: 3, maxMs: 9, utilization: 0.1 },
    model: { provider: 'offline', model: 'concierge' },
    config: { valid: false, safeMode: true, issues: [{ path: 'a.b', problem: 'wrong' }] },
  });
  assert.deepEqual(readHealth(null, 'x', { config: 3, storage: [], model: {} }), {});
});

test('problems are found in the details of a refusal', () => {
  assert.deepEqual(issuesOf({ details: { issues: [{ path: 'a', problem: 'b' }, 3, {}] } }), [
    { path: 'a', problem: 'b' },
  ]);
  assert.deepEqual(issuesOf(new Error('x')), []);
});

test('times are as short as their distance allows', () => {
  const now = Date.UTC(2026, 10, 20, 12);
  assert.equal(shortTime(now - 1000, now), 'now');
  assert.equal(shortTime(now - 5 * 60_000, now), '5 min');
  assert.equal(ago(now - 1000, now), 'just now');
  assert.equal(ago(now - 5 * 60_000, now), '5 min ago');
  assert.match(ago(now - 20 * 86_400_000, now), /^on /);
  assert.deepEqual([0.2, 12, 1500, 75_000, 3_720_000, 90_000_000].map(duration), [
    '< 1 ms',
    '12 ms',
    '1.5 s',
    '1 min 15 s',
    '1 h 2 min',
    '1 d 1 h',
  ]);
});

test('of a document with hidden parts only the changed values are sent', () => {
  const shown =
    '// __CLAWDBOT_REDACTED__\n{ gateway: { port: 1, auth: { token: "__CLAWDBOT_REDACTED__" } }, agents: { ' +
    'list: [{ id: "a" }] }, logging: { level: "info" } }';
  assert.equal(changesBetween(shown, `${shown.replace('//', '// mine')}\n`), undefined, 'a comment is no value');
  const edited = shown
    .replace('port: 1', 'port: 2, bind: "lan"')
    .replace('{ id: "a" }', '{ id: "b" }')
    .replace(', logging: { level: "info" }', '');
  assert.deepEqual(changesBetween(shown, edited), {
    gateway: { port: 2, bind: 'lan' },
    agents: { list: [{ id: 'b' }] },
    logging: null,
  });
  assert.deepEqual(changesBetween(shown, shown.replace('token: "__CLAWDBOT_REDACTED__"', 'token: "${T}"')), {
    gateway: { auth: { token: '${T}' } },
  });
  assert.deepEqual(changesBetween('', '{ a: 1 }'), { a: 1 });
  assert.throws(() => changesBetween(shown, '{ gateway: '), SyntaxError);
  assert.throws(() => changesBetween(shown, '[]'), /must be an object/);
});

test('the trend keeps what tells something new, and no more than it draws', () => {
  const health = { rssBytes: 100, eventLoop: { p99Ms: 2 } };
  const one = withSample([], health, 10_000);
  assert.equal(withSample(one, health, 10_500), one, 'too soon');
  assert.equal(withSample(one, {}, 99_000), one, 'nothing known');
  let many: readonly Sample[] = [];
  for (let at = 0; at < 2_000_000; at += 5000) many = withSample(many, health, at);
  assert.deepEqual([many.length, many.at(-1)?.at], [360, 1_995_000]);
});

test('a curve runs from left to right, its extremes at the edges, and is calm when the value is', () => {
  assert.equal(curve([0, 10]), '0,22 100,2');
  assert.equal(curve([100, 99, 100]), '0,11.5 50,12.5 100,11.5', 'one percent is a pixel, in the middle');
  assert.doesNotMatch(curve([0, 0, 0]), /NaN|Infinity/);
});
