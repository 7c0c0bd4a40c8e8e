/**
 * The agent looks by itself: told when something needs a person, silent when nothing does, and nowhere else than it
 * should.
 */
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { until } from '../../testing/until.ts';
import { openTime } from '../../../test/e2e/time-stage.ts';

const say = (text: string) => ({ text: [text] });
const beats = (more: object = {}, every = '1s') => ({ agents: { defaults: { heartbeat: { every, ...more } } } });

describe('a heartbeat', () => {
  it('(T169) that finds nothing costs the conversation nothing: no message, no line, no new time', async () => {
    await using stage = await openTime('nothing', { config: beats() });
    stage.model([
      [/HEARTBEAT_OK/, say('**HEARTBEAT_OK** All quiet.')],
      [/./, say('hello Ann')],
    ]);
    await stage.desk.write({ text: 'hi' });
    await until(() => stage.said().length === 1, 'the answer');
    const before = (await stage.chat.call('sessions.list', {})).sessions[0];
    // While a beat is under way its lines are there; they go when it has found nothing.
    const between = () =>
      until(async () => {
        const lines = await stage.chat.history();
        return JSON.stringify(lines).includes('HEARTBEAT') ? undefined : lines;
      }, 'a history without a beat');
    const history = await between();
    await until(() => stage.asked(/HEARTBEAT_OK/).length >= 2, 'two beats');
    await until(async () => (await stage.chat.call('last-heartbeat'))?.status === 'ok', 'the report');
    assert.deepEqual(stage.said(), ['hello Ann']);
    assert.deepEqual(await between(), history);
    assert.equal((await stage.chat.call('sessions.list', {})).sessions[0].updatedAt, before.updatedAt);
    const again = stage.gateway.models.requests.findLast(({ texts }) => /HEARTBEAT_OK/.test(texts.at(-1)!))!;
    assert.equal(again.texts.filter((text) => /HEARTBEAT_OK/.test(text)).length, 1, 'the beat before is forgotten');
  });

  it('(T169) tells a person what needs them, once, where they wrote last', async () => {
    await using stage = await openTime('alert', { config: beats() });
    stage.model([
      [/HEARTBEAT_OK/, say('The disk is full.')],
      [/./, say('hello')],
    ]);
    await stage.desk.write({ text: 'hi' });
    await until(() => stage.asked(/HEARTBEAT_OK/).length >= 3, 'three beats');
    await until(async () => (await stage.chat.call('last-heartbeat')).reason === 'duplicate', 'the report');
    assert.deepEqual(stage.said(), ['hello', 'The disk is full.']);
    assert.deepEqual(stage.desk.sent[1]!.to.chat, { kind: 'direct', id: 'ann' });
  });

  it('skips without asking anybody when HEARTBEAT.md says nothing, and reads it when it does', async () => {
    await using stage = await openTime('file', { config: beats({}, '1s') });
    const workspace =
      (await stage.chat.call('agents.list')).agents[0].workspace ?? join(stage.gateway.stateDir, '..', 'clawd');
    await stage.chat.say('hi');
    await writeFile(join(workspace, 'HEARTBEAT.md'), '# Heartbeat\n\n- \n');
    await until(async () => (await stage.chat.call('last-heartbeat'))?.reason === 'empty-heartbeat-file', 'the skip');
    const calls = stage.gateway.models.requests.length;
    stage.model([[/HEARTBEAT_OK/, say('HEARTBEAT_OK')]]);
    await writeFile(join(workspace, 'HEARTBEAT.md'), '# Heartbeat\n- look at the post\n');
    await until(() => stage.gateway.models.requests.length > calls, 'a beat');
  });

  it('keeps quiet hours, and an event that comes in them is not lost', async () => {
    const hour = new Date().getUTCHours();
    const at = (plus: number): string => `${String((hour + plus) % 24).padStart(2, '0')}:00`;
    await using stage = await openTime('night', {
      config: {
        agents: {
          defaults: { userTimezone: 'UTC', heartbeat: { every: '1s', activeHours: { start: at(2), end: at(3) } } },
        },
      },
    });
    await until(async () => (await stage.chat.call('last-heartbeat'))?.reason === 'quiet-hours', 'the skip');
    await stage.chat.call('wake', { mode: 'now', text: 'The door is open' });
    await stage.chat.say('news?');
    assert.equal(stage.gateway.models.requests.length, 1);
    assert.ok(stage.gateway.models.requests[0]!.texts.includes('System event: The door is open'));
  });

  it('(T170) a one-shot job that falls into quiet hours waits for their end, without a hot loop', async () => {
    const hour = new Date().getUTCHours();
    const at = (plus: number): string => `${String((hour + plus) % 24).padStart(2, '0')}:00`;
    await using stage = await openTime('waits', {
      config: {
        agents: {
          defaults: { userTimezone: 'UTC', heartbeat: { every: '30m', activeHours: { start: at(2), end: at(3) } } },
        },
      },
    });
    const job = await stage.job({
      name: 'Later',
      schedule: { kind: 'at', atMs: Date.now() + 50 },
      wakeMode: 'now',
      payload: { kind: 'systemEvent', text: 'x' },
    });
    const run = await stage.finished(job.id);
    assert.deepEqual([run.status, run.error], ['skipped', 'quiet-hours']);
    const again = await until(
      async () => (await stage.chat.call('cron.get', { id: job.id })).nextRunsAtMs[0] as number | undefined,
      'the next try',
    );
    assert.equal((await stage.chat.call('cron.get', { id: job.id })).enabled, true);
    assert.equal(new Date(again).getUTCHours(), (hour + 2) % 24);
    assert.equal((await stage.runs(job.id)).length, 1);
  });

  it('never changes where a conversation is written to, and a target of its own is used', async () => {
    await using stage = await openTime('target', { config: beats({ target: 'desk', to: 'bob' }) });
    stage.model([
      [/HEARTBEAT_OK/, say('Look here.')],
      [/./, say('hello')],
    ]);
    await stage.desk.write({ text: 'hi' });
    await until(() => stage.said().includes('Look here.'), 'the alert');
    assert.deepEqual(stage.desk.sent.find(({ text }) => text === 'Look here.')!.to.chat, { kind: 'direct', id: 'bob' });
    assert.equal(
      (await stage.chat.call('sessions.list', {})).sessions.find(({ key }: any) => key === 'agent:main:main').lastTo,
      'ann',
    );
  });

  it('can be switched off and on, and off it costs nothing', async () => {
    await using stage = await openTime('switch', { config: beats() });
    await stage.chat.call('set-heartbeats', { enabled: false });
    await stage.chat.call('wake', { mode: 'now', text: 'x' }).catch(() => undefined);
    assert.equal(stage.gateway.models.requests.length, 0);
    stage.model([[/HEARTBEAT_OK/, say('HEARTBEAT_OK')]]);
    await stage.chat.call('set-heartbeats', { enabled: true });
    await until(() => stage.gateway.models.requests.length > 0, 'a beat');
  });
});

describe('system events', () => {
  it('outlive a restart, and are told once', async () => {
    await using stage = await openTime('events');
    await stage.chat.call('wake', { mode: 'next-heartbeat', text: 'The post is here' });
    await stage.gateway.restart();
    await stage.again();
    await stage.chat.say('hi');
    await stage.chat.say('and?');
    assert.equal(
      stage.gateway.models.requests.at(-1)!.texts.filter((text) => text === 'System event: The post is here').length,
      1,
    );
  });
});
