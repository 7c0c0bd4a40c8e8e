import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { noUsage } from '../../core/transcript.ts';
import { SUSPENDED_CODE } from '../../core/turn.ts';
import { heartbeatHarness, MINUTE, NOON } from './harness.ts';
import { until } from '../../testing/until.ts';
import { peopleAuthority } from '../../testing/sample-authority.ts';
import { HOUR, hours, off, reasons, onTelegram } from './fake-texts.ts';

describe('a restart', () => {
  it('neither skips a look nor doubles one', async () => {
    await using on = await heartbeatHarness({ file: '- mail', answer: 'HEARTBEAT_OK' });
    await on.advance(20 * MINUTE);
    await on.again();
    await on.advance(9 * MINUTE);
    await on.again('kill');
    assert.equal(on.texts().length, 0);
    await on.advance(MINUTE, 2);
    await on.again();
    await on.advance(29 * MINUTE);
    assert.equal(on.texts().length, 1, 'the grid is the same after a restart');
    await on.advance(MINUTE, 2);
    assert.deepEqual(on.heartbeats.last()?.ts, NOON + HOUR);
  });

  it('makes up for what passed meanwhile once', async () => {
    await using on = await heartbeatHarness({ file: '- mail', answer: 'HEARTBEAT_OK' });
    await on.heartbeats.close();
    await on.clock.advance(7 * HOUR);
    await on.again();
    await on.advance(0, 2);
    assert.deepEqual([on.texts().length, on.heartbeats.agents()[0]!.nextAtMs], [1, NOON + 7 * HOUR + 30 * MINUTE]);
  });

  it('between a look and its being remembered begins it no second time', async () => {
    await using on = await heartbeatHarness({ file: '- mail' });
    await on.advance(30 * MINUTE, 1);
    await on.again('kill');
    await on.heartbeats.close();
    await writeFile(on.path, JSON.stringify({ version: 1, agents: { main: { nextAtMs: NOON + 30 * MINUTE } } }));
    await on.again();
    await on.advance(MINUTE);
    await until(() => on.heartbeats.agents()[0]!.nextAtMs === NOON + HOUR, 'the moment to be dealt with');
    assert.deepEqual([on.texts().length, reasons(on)], [1, []]);
  });

  it('tells how the last look went, and survives a broken memory', async () => {
    await using on = await heartbeatHarness({ file: '- mail', answer: 'The rent is due.' });
    await on.advance(30 * MINUTE, 2);
    await on.again();
    assert.deepEqual(
      [on.heartbeats.last('main')?.preview, on.heartbeats.last('work')],
      ['The rent is due.', undefined],
    );
    for (const broken of [
      '',
      '{',
      '[]',
      '{"version":2,"agents":{}}',
      '{"version":1,"agents":{"main":{"nextAtMs":"soon"}}}',
    ]) {
      await on.heartbeats.close();
      await writeFile(on.path, broken);
      await on.again();
      assert.deepEqual([on.heartbeats.last(), on.heartbeats.agents()[0]!.nextAtMs], [undefined, NOON + HOUR], broken);
    }
  });
});

describe('an agent that is woken', () => {
  it('T157 is handled in a separate turn, and the requester is notified of its end', async () => {
    await using on = await heartbeatHarness({ entries: { 'agent:main:main': onTelegram } });
    let result: unknown;
    const woken = on.wake({ reason: 'cron:j1' }).then((ended) => (result = ended));
    await on.advance(0, 1);
    const [row] = on.fixture.accepted;
    assert.match(row!.message.text, /^System event: the door bell rang\n\n.*HEARTBEAT_OK.*\n\nCurrent time: /s);
    assert.deepEqual(
      [row!.trigger, row!.route.replyTo.chat.id, result],
      [{ origin: 'heartbeat', reason: 'cron:j1' }, '42', undefined],
    );
    on.fixture.answer = 'Somebody is at the door.';
    await on.end('w1');
    assert.deepEqual([await woken, reasons(on)], [{ status: 'ran', runId: 'w1' }, ['sent cron:j1']]);
  });

  it('is sent once, however often it is requested, in this instance and the next', async () => {
    await using on = await heartbeatHarness({ answer: 'HEARTBEAT_OK' });
    assert.equal((await on.wake()).status, 'ran');
    assert.equal((await on.wake()).status, 'ran');
    await on.again('kill');
    assert.deepEqual([await on.wake(), on.texts().length], [{ status: 'ran', runId: 'w1' }, 1]);
  });

  it('goes on in the next run when the gateway stops first', async () => {
    await using on = await heartbeatHarness();
    const { ended } = await on.heartbeats.nudge({
      agentId: 'main',
      text: 'x',
      id: 'w1',
      reason: 'wake',
      mode: 'now',
      authority: peopleAuthority(),
      ifSkipped: 'leave',
    });
    await on.end('w1', { kind: 'failed', code: SUSPENDED_CODE, message: 'stopping' } as never);
    await assert.rejects(ended, { code: 'aborted' });
    assert.deepEqual(on.fixture.reports, [], 'that was no end');
    await on.again();
    await assert.rejects(on.wake(), { code: 'aborted' }, 'it waits to be taken up');
    on.hub.accepted({ runId: 'w1', sessionKey: 'agent:main:main', agentId: 'main', origin: 'heartbeat' });
    on.fixture.answer = 'HEARTBEAT_OK';
    const again = on.wake();
    await on.advance(0);
    await on.end('w1');
    assert.deepEqual([await again, reasons(on), on.texts().length], [{ status: 'ran', runId: 'w1' }, ['ok wake'], 1]);
  });

  it('T175b queues behind the turn that runs, and nobody has to wait for it', async () => {
    await using on = await heartbeatHarness();
    on.busy('r1');
    const { runId } = await on.heartbeats.nudge({
      agentId: 'main',
      text: 'x',
      id: 'w1',
      reason: 'cron:j1',
      mode: 'now',
      authority: peopleAuthority(),
      ifSkipped: 'leave',
    });
    assert.deepEqual([runId, on.fixture.accepted[0]!.queue], ['w1', 'followup']);
  });

  it('T170 is left alone in quiet hours; who asked hears when to ask again', async () => {
    await using on = await heartbeatHarness({ agents: hours('08:00', '12:00'), answer: 'HEARTBEAT_OK' });
    const retryAtMs = Date.UTC(2026, 0, 16, 8);
    assert.deepEqual(await on.wake(), { status: 'skipped', reason: 'quiet-hours', retryAtMs });
    assert.deepEqual([on.texts(), reasons(on)], [[], ['skipped quiet-hours']]);
    assert.deepEqual(await on.wake({ ifSkipped: 'note' }), { status: 'noted', reason: 'quiet-hours', retryAtMs });
    assert.deepEqual(
      on.fixture.accepted.map(({ message, trigger }) => [message.text, message.quiet, trigger]),
      [['System event: the door bell rang', true, undefined]],
    );
    await on.clock.advance(20 * HOUR);
    assert.equal((await on.wake({ id: 'w2' })).status, 'ran');
  });

  it('is left alone where everything is switched off, or nothing would be shown', async () => {
    await using on = await heartbeatHarness({ channels: { defaults: off } });
    assert.deepEqual(await on.wake(), { status: 'skipped', reason: 'alerts-disabled' });
    on.heartbeats.setEnabled(false);
    assert.deepEqual(await on.wake(), { status: 'skipped', reason: 'disabled' });
  });

  it('is woken although it does not look by itself, and although HEARTBEAT.md asks for nothing', async () => {
    await using on = await heartbeatHarness({
      file: '',
      agents: { defaults: { heartbeat: { every: '0m' } } },
      answer: 'HEARTBEAT_OK',
    });
    assert.equal((await on.wake()).status, 'ran');
  });

  it('in another conversation tells the chat of that one, not the configured one', async () => {
    await using on = await heartbeatHarness({
      answer: 'Done.',
      agents: { defaults: { heartbeat: { target: 'telegram', to: '1' } } },
      entries: {
        'agent:main:main': onTelegram,
        'agent:main:telegram:group:-7': { lastChannel: 'telegram', lastTo: '-7', chatType: 'group' },
        'agent:main:hook:x': {},
      },
    });
    for (const [id, sessionKey] of [
      ['a', undefined],
      ['b', 'agent:main:telegram:group:-7'],
      ['c', 'agent:main:hook:x'],
    ] as const)
      await on.wake({ id, sessionKey: sessionKey as never });
    assert.deepEqual(
      on.fixture.accepted.map(({ route: { replyTo } }) => `${replyTo.channel} ${replyTo.chat.id}`),
      ['telegram 1', 'telegram -7', 'webchat agent:main:hook:x'],
    );
    assert.deepEqual(reasons(on), ['sent wake', 'sent wake', 'sent wake']);
  });

  it('hears nothing of an agent that does not exist', async () => {
    await using on = await heartbeatHarness();
    await assert.rejects(on.wake({ agentId: 'nobody' }), { code: 'not_found' });
  });

  it('whose turn was declined, failed or stopped gets that result', async () => {
    await using on = await heartbeatHarness();
    const woken = async (id: string, outcome: Record<string, unknown>): Promise<unknown> => {
      const { ended } = await on.heartbeats.nudge({
        agentId: 'main',
        text: id,
        id,
        reason: 'wake',
        mode: 'now',
        authority: peopleAuthority(),
        ifSkipped: 'leave',
      });
      await on.end(id, outcome as never);
      return ended;
    };
    assert.deepEqual(await woken('a', { kind: 'failed', code: 'auth', message: 'No key.' }), {
      status: 'failed',
      reason: 'auth',
      error: 'No key.',
      runId: 'a',
    });
    assert.deepEqual(await woken('b', { kind: 'aborted', text: '' }), {
      status: 'failed',
      reason: 'stopped',
      error: 'The turn was stopped.',
      runId: 'b',
    });
    const { ended } = await on.heartbeats.nudge({
      agentId: 'main',
      text: 'c',
      id: 'c',
      reason: 'wake',
      mode: 'now',
      authority: peopleAuthority(),
      ifSkipped: 'leave',
    });
    await on.journal.inbound.end([(await on.journal.inbound.find('c'))!.seq], {
      state: 'declined',
      reason: 'send blocked by session policy',
    });
    on.hub.emit('c', { type: 'ended', outcome: { kind: 'done', text: '', usage: noUsage } });
    assert.deepEqual(await ended, { status: 'skipped', reason: 'send blocked by session policy', runId: 'c' });
    await until(() => on.fixture.reports.length === 3, 'the report');
    assert.deepEqual(reasons(on), ['failed wake', 'failed wake', 'skipped send blocked by session policy']);
  });
});
