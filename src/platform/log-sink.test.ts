import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { AppError } from '../core/errors.ts';
import { createFakeClock } from '../testing/fake-clock.ts';
import { tempDir } from '../testing/temp-dir.ts';
import { readTextIfExists, statIfExists } from './files.ts';
import { dailyLogFile, loggingConfigSchema } from './log-config.ts';
import { createLog, type LogSinkOptions } from './log-sink.ts';

const quiet: LogSinkOptions = { level: 'info', consoleLevel: 'silent', consoleStyle: 'pretty', redact: 'tools' };

function terminal(): { write(text: string): void; text(): string } {
  const parts: string[] = [];
  return { write: (text) => void parts.push(text), text: () => parts.join('') };
}

async function records(path: string): Promise<Record<string, any>[]> {
  const text = (await readTextIfExists(path)) ?? '';
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, any>);
}

test('lines are JSON in order, with the bound fields, in a private file', async () => {
  await using dir = await tempDir();
  const file = join(dir.path, 'logs', 'x.log');
  const clock = createFakeClock();
  const log = createLog({ ...quiet, file, clock });
  log.debug('too.low');
  log.info('one', { a: 1 });
  log.child({ channel: 'webchat' }).child({ sessionKey: 'agent:main:main' }).warn('two', { event: 'mine' });
  await log.close();
  assert.deepEqual(await records(file), [
    { time: new Date(clock.now()).toISOString(), level: 'info', event: 'one', a: 1 },
    {
      time: new Date(clock.now()).toISOString(),
      level: 'warn',
      event: 'two',
      channel: 'webchat',
      sessionKey: 'agent:main:main',
      event_: 'mine',
    },
  ]);
  assert.equal((await statIfExists(file))?.mode, 0o600);
});

test('secrets are masked in the file and in the terminal, unless redaction is off', async () => {
  await using dir = await tempDir();
  const secret = `sk-${'a1b2c3d4'.repeat(4)}`;
  for (const redact of ['tools', 'off'] as const) {
    const out = terminal();
    const file = join(dir.path, `${redact}.log`);
    const log = createLog({ ...quiet, file, consoleLevel: 'info', stdout: out, redact });
    log.info('provider.call', { apiKey: secret, error: new Error(`bad key ${secret}`) });
    await log.close();
    const shown = redact === 'off';
    assert.equal((await readTextIfExists(file))?.includes(secret), shown);
    assert.equal(out.text().includes(secret), shown);
  }
});

test('errors tell code, message and every cause; our own faults also the stack', async () => {
  await using dir = await tempDir();
  const file = join(dir.path, 'x.log');
  const log = createLog({ ...quiet, file });
  const cause = Object.assign(new Error('disk'), { code: 'ENOSPC' });
  log.error('a', { error: new AppError('storage', 'cannot write', { cause, details: { path: '/x' } }) });
  log.error('b', { error: new TypeError('oops') });
  await log.close();
  const [expected, fault] = await records(file);
  assert.equal(expected?.['error'].code, 'storage');
  assert.equal(expected?.['error'].cause.code, 'ENOSPC');
  assert.deepEqual(expected?.['error'].details, { path: '/x' });
  assert.equal(expected?.['error'].stack, undefined);
  assert.match(fault?.['error'].stack, /log-sink\.test/);
});

test('odd values do not break a line', async () => {
  await using dir = await tempDir();
  const file = join(dir.path, 'x.log');
  const log = createLog({ ...quiet, file });
  const circular: Record<string, unknown> = {};
  circular['self'] = circular;
  log.info('odd', {
    circular,
    big: 10n,
    bytes: new Uint8Array(3),
    map: new Map([['a', 1]]),
    long: 'x'.repeat(10_000),
    none: undefined,
    many: Array.from({ length: 100 }, () => 0),
  });
  await log.close();
  const [record] = await records(file);
  assert.equal(record?.['big'], '10');
  assert.equal(record?.['bytes'], '[3 bytes]');
  assert.deepEqual(record?.['map'], { a: 1 });
  assert.ok(record?.['long'].length < 5000);
  assert.equal(record?.['many'].length, 51);
});

test('a new day is a new file', async () => {
  await using dir = await tempDir();
  const clock = createFakeClock(new Date(2026, 0, 31, 12).getTime());
  const log = createLog({ ...quiet, clock, file: (now) => dailyLogFile(dir.path, now) });
  log.info('today');
  await log.flush();
  await clock.advance(24 * 3_600_000);
  log.info('tomorrow');
  await log.close();
  assert.equal((await records(join(dir.path, 'logs', 'clawdbot-2026-01-31.log')))[0]?.['event'], 'today');
  assert.equal((await records(join(dir.path, 'logs', 'clawdbot-2026-02-01.log')))[0]?.['event'], 'tomorrow');
});

test('a file that cannot be written is told once and stops nothing', async () => {
  await using dir = await tempDir();
  const out = terminal();
  const file = join(dir.path, 'x.log');
  await mkdir(file);
  const log = createLog({ ...quiet, file, stdout: out });
  log.info('one');
  await log.flush();
  log.info('two');
  await log.close();
  assert.equal(out.text().match(/cannot be written/g)?.length, 1);
});

test('more than the buffer holds is dropped and counted', async () => {
  await using dir = await tempDir();
  const file = join(dir.path, 'x.log');
  const log = createLog({ ...quiet, file });
  for (let i = 0; i < 2000; i++) log.info('flood', { text: 'x'.repeat(4000) });
  await log.close();
  const kept = await records(file);
  const dropped = kept.at(-1);
  assert.equal(dropped?.['event'], 'log.dropped');
  assert.equal(kept.length - 1 + dropped?.['lines'], 2000);
  assert.ok(kept.length < 1500);
});

test('the terminal shows no control characters from outside', () => {
  for (const consoleStyle of ['pretty', 'compact', 'json'] as const) {
    const out = terminal();
    createLog({ ...quiet, consoleLevel: 'info', consoleStyle, stdout: out }).info('in', { text: 'a\u001b[2J\nforged' });
    assert.ok(!out.text().includes('\u001b'), consoleStyle);
    assert.equal(out.text().split('\n').length, 2, consoleStyle);
  }
});

test('the slice has defaults', () => {
  assert.deepEqual(loggingConfigSchema.parse(undefined), {
    level: 'info',
    consoleLevel: 'warn',
    consoleStyle: 'pretty',
    redactSensitive: 'tools',
  });
});
