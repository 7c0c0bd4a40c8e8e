/**
 * The agent looks by itself: told when something needs a person, silent when nothing does, and nowhere else than it
 * should.
 */
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { until } from '../../testing/until.ts';
import { openTime } from '../../../test/e2e/time-harness.ts';

const say = (text: string) => ({ text: [text] });
const ticks = (more: object = {}, every = '1s') => ({ agents: { defaults: { heartbeat: { every, ...more } } } });

describe('a heartbeat', () => {
  it('(T169) that finds nothing costs the conversation nothing: no message, no line, no new time', async () => {
    await using harness = await openTime('nothing', { config: ticks() });
    harness.model([
      [/HEARTBEAT_OK/, say('**HEARTBEAT_OK** All quiet.')],
      [/./, say('hello Ann')],
    ]);
    await harness.desk.write({ text: 'hi' });
    await until(() => harness.said().length === 1, 'the answer');
    const before = (await harness.chat.call('sessions.list', {})).sessions[0];
    // While a beat is under way its lines are there; they go when it has found nothing.
    const between = () =>
      until(async () => {
        const lines = await harness.chat.history();
        return JSON.stringify(lines).includes('HEARTBEAT') ? undefined : lines;
      }, 'a history without a beat');
    const history = await between();
    await until(() => harness.asked(/HEARTBEAT_OK/).length >= 2, 'two beats');
    await until(async () => (await harness.chat.call('last-heartbeat'))?.status === 'ok', 'the report');
    assert.deepEqual(harness.said(), ['hello Ann']);
    assert.deepEqual(await between(), history);
    assert.equal((await harness.chat.call('sessions.list', {})).sessions[0].updatedAt, before.updatedAt);
    const again = harness.gateway.models.requests.findLast(({ texts }) => /HEARTBEAT_OK/.test(texts.at(-1)!))!;
    assert.equal(again.texts.filter((text) => /HEARTBEAT_OK/.test(text)).length, 1, 'the beat before is forgotten');
  });

  it('(T169) tells a person what needs them, once, where they wrote last', async () => {
    await using harness = await openTime('alert', { config: ticks() });
    harness.model([
      [/HEARTBEAT_OK/, say('The disk is full.')],
      [/./, say('hello')],
    ]);
    await harness.desk.write({ text: 'hi' });
    await until(() => harness.asked(/HEARTBEAT_OK/).length >= 3, 'three beats');
    await until(async () => (await harness.chat.call('last-heartbeat')).reason === 'duplicate', 'the report');
    assert.deepEqual(harness.said(), ['hello', 'The disk is full.']);
    assert.deepEqual(harness.desk.sent[1]!.to.chat, { kind: 'direct', id: 'ann' });
  });

  it('skips without asking anybody when HEARTBEAT.md says nothing, and reads it when it does', async () => {
    await using harness = await openTime('file', { config: ticks({}, '1s') });
    const workspace =
      (await harness.chat.call('agents.list')).agents[0].workspace ?? join(harness.gateway.stateDir, '..', 'clawd');
    await harness.chat.say('hi');
    await writeFile(join(workspace, 'HEARTBEAT.md'), '# Heartbeat\n\n- \n');
    await until(async () => (await harness.chat.call('last-heartbeat'))?.reason === 'empty-heartbeat-file', 'the skip');
    const calls = harness.gateway.models.requests.length;
    harness.model([[/HEARTBEAT_OK/, say('HEARTBEAT_OK')]]);
    await writeFile(join(workspace, 'HEARTBEAT.md'), '# Heartbeat\n- look at the post\n');
    await until(() => harness.gateway.models.requests.length > calls, 'a beat');
  });

  it('keeps quiet hours, and an event that comes in them is not lost', async () => {
    const hour = new Date().getUTCHours();
    const at = (plus: number): string => `${String((hour + plus) % 24).padStart(2, '0')}:00`;
    await using harness = await openTime('night', {
      config: {
        agents: {
          defaults: { userTimezone: 'UTC', heartbeat: { every: '1s', activeHours: { start: at(2), end: at(3) } } },
        },
      },
    });
    await until(async () => (await harness.chat.call('last-heartbeat'))?.reason === 'quiet-hours', 'the skip');
    await harness.chat.call('wake', { mode: 'now', text: 'The door is open' });
    await harness.chat.say('news?');
    assert.equal(harness.gateway.models.requests.length, 1);
    assert.ok(harness.gateway.models.requests[0]!.texts.includes('System event: The door is open'));
  });

  it('(T170) a one-shot job that falls into quiet hours waits for their end, without a hot loop', async () => {
    const hour = new Date().getUTCHours();
    const at = (plus: number): string => `${String((hour + plus) % 24).padStart(2, '0')}:00`;
    await using harness = await openTime('waits', {
      config: {
        agents: {
          defaults: { userTimezone: 'UTC', heartbeat: { every: '30m', activeHours: { start: at(2), end: at(3) } } },
        },
      },
    });
    const job = await harness.job({
      name: 'Later',
      schedule: { kind: 'at', atMs: Date.now() + 50 },
      wakeMode: 'now',
      payload: { kind: 'systemEvent', text: 'x' },
    });
    const run = await harness.finished(job.id);
    assert.deepEqual([run.status, run.error], ['skipped', 'quiet-hours']);
    const again = await until(
      async () => (await harness.chat.call('cron.get', { id: job.id })).nextRunsAtMs[0] as number | undefined,
      'the next try',
    );
    assert.equal((await harness.chat.call('cron.get', { id: job.id })).enabled, true);
    assert.equal(new Date(again).getUTCHours(), (hour + 2) % 24);
    assert.equal((await harness.runs(job.id)).length, 1);
  });

  it('never changes where a conversation is written to, and a target of its own is used', async () => {
    await using harness = await openTime('target', { config: ticks({ target: 'desk', to: 'bob' }) });
    harness.model([
      [/HEARTBEAT_OK/, say('Look here.')],
      [/./, say('hello')],
    ]);
    await harness.desk.write({ text: 'hi' });
    await until(() => harness.said().includes('Look here.'), 'the alert');
    assert.deepEqual(harness.desk.sent.find(({ text }) => text === 'Look here.')!.to.chat, {
      kind: 'direct',
      id: 'bob',
    });
    assert.equal(
      (await harness.chat.call('sessions.list', {})).sessions.find(({ key }: any) => key === 'agent:main:main').lastTo,
      'ann',
    );
  });

  it('can be switched off and on, and off it costs nothing', async () => {
    await using harness = await openTime('switch', { config: ticks() });
    await harness.chat.call('set-heartbeats', { enabled: false });
    await harness.chat.call('wake', { mode: 'now', text: 'x' }).catch(() => undefined);
    assert.equal(harness.gateway.models.requests.length, 0);
    harness.model([[/HEARTBEAT_OK/, say('HEARTBEAT_OK')]]);
    await harness.chat.call('set-heartbeats', { enabled: true });
    await until(() => harness.gateway.models.requests.length > 0, 'a beat');
  });
});

describe('system events', () => {
  it('survive a restart, and are reported once', async () => {
    await using harness = await openTime('events');
    await harness.chat.call('wake', { mode: 'next-heartbeat', text: 'The post is here' });
    await harness.gateway.restart();
    await harness.again();
    await harness.chat.say('hi');
    await harness.chat.say('and?');
    assert.equal(
      harness.gateway.models.requests.at(-1)!.texts.filter((text) => text === 'System event: The post is here').length,
      1,
    );
  });
});
