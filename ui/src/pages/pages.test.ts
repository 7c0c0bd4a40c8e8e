/** What the pages read: log lines, health, configuration problems. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ago, duration, shortTime } from '../elements/times.ts';
import { readHealth } from '../gateway/health.ts';
import { issuesOf } from './config-issues.ts';
import { findLines, parseLogLine } from './log-lines.ts';

test('log lines of our gateway, of others, and of nobody', () => {
  const line = parseLogLine('{"time":"2026-11-20T19:41:03.654Z","level":"warn","event":"telegram.retry","ms":12,"what":{"a":1}}');
  assert.deepEqual({ ...line, at: line.at.slice(-4) }, { at: '.654', level: 'warn', event: 'telegram.retry', rest: 'ms=12  what={"a":1}' });
  assert.equal(parseLogLine('{"level":50,"msg":"pino says"}').level, 'error');
  assert.deepEqual(parseLogLine('plain text {'), { at: '', level: 'info', event: 'plain text {', rest: '' });
});

test('the level filter keeps what is as bad or worse', () => {
  const lines = ['debug', 'info', 'warn', 'error'].map((level) => parseLogLine(JSON.stringify({ level, event: `e.${level}` })));
  assert.deepEqual(findLines(lines, 'warn', '').map(({ level }) => level), ['warn', 'error']);
  assert.deepEqual(findLines(lines, 'debug', 'E.INFO').map(({ level }) => level), ['info']);
});

test('health is read from either shape and survives nonsense', () => {
  const health = readHealth({ eventLoop: { delayP99Ms: 3, delayMaxMs: 9, utilization: 0.1 }, sessions: { count: 4 } }, { model: { provider: 'offline', model: 'concierge' }, config: { valid: false, safeMode: true, issues: [{ path: 'a.b', problem: 'wrong' }] } });
  assert.deepEqual(health, { sessions: 4, eventLoop: { p99Ms: 3, maxMs: 9, utilization: 0.1 }, model: { provider: 'offline', model: 'concierge' }, config: { valid: false, safeMode: true, issues: [{ path: 'a.b', problem: 'wrong' }] } });
  assert.deepEqual(readHealth(null, 'x', { config: 3, storage: [], model: {} }), {});
});

test('problems are found in the details of a refusal', () => {
  assert.deepEqual(issuesOf({ details: { issues: [{ path: 'a', problem: 'b' }, 3, {}] } }), [{ path: 'a', problem: 'b' }]);
  assert.deepEqual(issuesOf(new Error('x')), []);
});

test('times are as short as their distance allows', () => {
  const now = Date.UTC(2026, 10, 20, 12);
  assert.equal(shortTime(now - 1000, now), 'now');
  assert.equal(shortTime(now - 5 * 60_000, now), '5 min');
  assert.equal(ago(now - 1000, now), 'just now');
  assert.equal(ago(now - 5 * 60_000, now), '5 min ago');
  assert.match(ago(now - 20 * 86_400_000, now), /^on /);
  assert.deepEqual([0.2, 12, 1500, 75_000, 3_720_000, 90_000_000].map(duration), ['< 1 ms', '12 ms', '1.5 s', '1 min 15 s', '1 h 2 min', '1 d 1 h']);
});
