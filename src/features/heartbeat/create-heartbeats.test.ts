// Heartbeats from the clock to the report: when an agent looks, what keeps it from looking, how it is woken, and what a
// restart changes: nothing.
import assert from 'node:assert/strict';
import { readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { noUsage } from '../../core/transcript.ts';
import { heartbeatHarness, MINUTE, NOON } from './harness.ts';
import { tempDir } from '../../testing/temp-dir.ts';
import { standingOf } from '../../core/authority.ts';
import { present } from '../../core/present.ts';
import { HOUR, hours, off, last, reasons, onTelegram } from './fake-texts.ts';

describe('an agent that looks by itself', () => {
  it(
    'does so every half hour, is told what to do and what time it is, and leaves where people are written to ' +
      'alone',
    async () => {
      await using on = await heartbeatHarness({
        file: '- look at mail\n',
        answer: 'HEARTBEAT_OK',
        entries: { 'agent:main:main': onTelegram },
      });
      await on.advance(29 * MINUTE + 59_000);
      assert.deepEqual(on.texts(), []);
      await on.advance(1000, 2);
      const [row] = on.fixture.accepted;
      assert.match(
        row!.message.text,
        /^Heartbeat: .*<file name="HEARTBEAT\.md">\n- look at mail\n<\/file>.*Current time: Thursday, 15 January 2026, 12:30 \(UTC\)$/s,
      );
      assert.deepEqual(
        [row!.trigger, row!.queue, row!.commands, standingOf(row!.authority), row!.message.system],
        [{ origin: 'heartbeat', reason: 'interval' }, 'followup', false, 'delegate', true],
      );
      assert.deepEqual(row!.route, {
        agentId: 'main',
        sessionKey: 'agent:main:main',
        matchedBy: 'session',
        replyTo: { channel: 'telegram', accountId: 'default', chat: { kind: 'direct', id: '42' } },
      });
      assert.deepEqual(on.fixture.reports, [
        {
          ts: NOON + 30 * MINUTE,
          agentId: 'main',
          sessionKey: 'agent:main:main',
          durationMs: 0,
          status: 'ok',
          reason: 'interval',
          silent: true,
          channel: 'telegram',
          to: '42',
          indicator: true,
        },
      ]);
      assert.deepEqual(on.heartbeats.agents(), [
        { agentId: 'main', everyMs: 30 * MINUTE, nextAtMs: NOON + HOUR, session: 'agent:main:main', target: 'last' },
      ]);
      for (let n = 0; n < 3; n++) await on.advance(30 * MINUTE, 2);
      assert.equal(on.texts().length, 4);
    },
  );

  it('tells what it found, once a day the same', async () => {
    await using on = await heartbeatHarness({ file: '- rent', answer: 'The rent is due.' });
    for (let n = 0; n < 3; n++) await on.advance(30 * MINUTE, 2);
    assert.deepEqual(reasons(on), ['sent interval', 'skipped duplicate', 'skipped duplicate']);
    assert.equal(last(on).preview, 'The rent is due.');
    assert.equal(on.heartbeats.last()?.reason, 'duplicate');
  });

  it('costs nothing on a fresh install: the file it gets asks for nothing', async () => {
    await using on = await heartbeatHarness();
    await on.advance(30 * MINUTE, 1);
    assert.deepEqual([reasons(on), on.texts()], [['skipped empty-heartbeat-file'], []]);
    assert.match(await readFile(join(on.workspace, 'HEARTBEAT.md'), 'utf8'), /^# /);
    await writeFile(join(on.workspace, 'HEARTBEAT.md'), '# List\n- [ ] call the plumber');
    await on.advance(30 * MINUTE, 1);
    assert.match(on.texts()[0]!, /call the plumber/);
  });

  it('looks where there is no file at all', async () => {
    await using on = await heartbeatHarness({ file: null });
    await on.advance(30 * MINUTE, 1);
    assert.doesNotMatch(on.texts()[0]!, /<file/);
  });

  it('looks whatever the file says when something happened meanwhile', async () => {
    await using on = await heartbeatHarness({ answer: 'HEARTBEAT_OK' });
    assert.deepEqual(await on.wake({ mode: 'next-heartbeat' }), { status: 'noted' });
    await on.advance(30 * MINUTE, 2);
    assert.deepEqual(
      on.texts().map((text) => text.slice(0, 33)),
      ['System event: the door bell rang', 'Heartbeat: nobody wrote, this is '],
    );
    assert.match(on.texts()[1]!, /events above/);
    assert.deepEqual(on.fixture.accepted[1]!.trigger, { origin: 'heartbeat', reason: 'event' });
    await on.advance(30 * MINUTE, 1);
    assert.deepEqual(reasons(on), ['ok event', 'skipped empty-heartbeat-file'], 'once');
  });

  it('waits while somebody talks to it, says so once, and looks a second after they are done', async () => {
    await using on = await heartbeatHarness({ file: '- mail' });
    on.busy('r1');
    await on.advance(30 * MINUTE, 1);
    await on.advance(10 * MINUTE);
    on.busy('r2');
    on.hub.emit('r1', { type: 'ended', outcome: { kind: 'done', text: '', usage: noUsage } });
    await on.advance(5000);
    assert.deepEqual([reasons(on), on.texts()], [['skipped requests-in-flight'], []]);
    on.hub.emit('r2', { type: 'ended', outcome: { kind: 'done', text: '', usage: noUsage } });
    await on.advance(999);
    assert.equal(on.texts().length, 0);
    await on.advance(1, 1);
    assert.equal(on.texts().length, 1);
    assert.equal(on.heartbeats.agents()[0]!.nextAtMs, NOON + HOUR, 'the grid did not move');
  });

  it('is not held up by other conversations', async () => {
    await using on = await heartbeatHarness({ file: '- mail' });
    on.busy('r1', 'agent:main:telegram:group:-7');
    await on.advance(30 * MINUTE, 1);
    assert.equal(on.texts().length, 1);
  });

  it('T169 is silent in quiet hours, and looks when they end', async () => {
    await using on = await heartbeatHarness({
      file: '- mail',
      answer: 'HEARTBEAT_OK',
      agents: hours('08:00', '12:15'),
    });
    await on.advance(30 * MINUTE, 1);
    assert.deepEqual([reasons(on), on.texts().length], [['skipped quiet-hours'], 0]);
    assert.equal(on.heartbeats.agents()[0]!.nextAtMs, Date.UTC(2026, 0, 16, 8));
    await on.advance(19 * HOUR + 29 * MINUTE + 59_000);
    assert.equal(on.fixture.reports.length, 1);
    await on.advance(1000, 2);
    await on.advance(30 * MINUTE, 2);
    assert.deepEqual(
      on.fixture.reports.slice(1).map(({ ts }) => new Date(ts).toISOString()),
      ['2026-01-16T08:00:00.000Z', '2026-01-16T08:30:00.000Z'],
    );
  });

  it('uses the configured time zone by name, else that of this machine', async () => {
    const at = async (agents: unknown): Promise<string | undefined> => {
      await using on = await heartbeatHarness({ file: '- mail', agents, hostZone: 'America/New_York' });
      await on.advance(30 * MINUTE, 1);
      return on.texts()[0] === undefined ? undefined : /Current time: .*$/.exec(on.texts()[0]!)![0];
    };
    const zone = (userTimezone: string | undefined, timezone: string) => ({
      defaults: {
        ...present({ userTimezone: userTimezone || undefined }),
        heartbeat: { activeHours: { start: '13:00', end: '14:00', timezone } },
      },
    });
    assert.equal(
      await at(zone('Europe/Berlin', 'user')),
      'Current time: Thursday, 15 January 2026, 13:30 (Europe/Berlin)',
    );
    assert.equal(await at(zone('Europe/Berlin', 'local')), undefined, '07:30 in New York');
    assert.equal(await at(zone('UTC', 'Europe/Berlin')), 'Current time: Thursday, 15 January 2026, 12:30 (UTC)');
    assert.equal(
      await at(zone(undefined, 'Europe/Berlin')),
      'Current time: Thursday, 15 January 2026, 07:30 (America/New_York)',
    );
    assert.equal(await at(zone(undefined, 'user')), undefined);
  });

  it('T169 asks no model where nothing would be shown', async () => {
    for (const [channels, entry] of [
      [{ defaults: off }, {}],
      [{ telegram: off }, onTelegram],
      [{ telegram: { accounts: { default: off } } }, onTelegram],
    ] as const) {
      await using on = await heartbeatHarness({ file: '- mail', channels, entries: { 'agent:main:main': entry } });
      await on.advance(30 * MINUTE, 1);
      assert.deepEqual([reasons(on), on.texts()], [['skipped alerts-disabled'], []]);
    }
    await using one = await heartbeatHarness({
      file: '- mail',
      channels: { telegram: off, defaults: off, discord: {} },
      entries: { 'agent:main:main': onTelegram },
    });
    one.fixture.channels = { telegram: { heartbeat: { ...off.heartbeat, useIndicator: true } } };
    await one.advance(30 * MINUTE, 1);
    assert.equal(one.texts().length, 1, 'an indicator is something');
  });

  it('is the default one, unless some have a heartbeat of their own: then those', async () => {
    const agents = (list: readonly object[], every?: string) => ({
      list,
      ...present({ defaults: every ? { heartbeat: { every } } : undefined }),
    });
    for (const [config, beating] of [
      [{}, ['main']],
      [agents([{ id: 'a' }, { id: 'b', default: true }]), ['b']],
      [agents([{ id: 'a' }, { id: 'b', heartbeat: {} }]), ['b']],
      [
        agents([
          { id: 'a', heartbeat: { every: '5m' } },
          { id: 'b', heartbeat: { every: '0m' } },
        ]),
        ['a'],
      ],
      [agents([{ id: 'a' }], '0m'), []],
      [agents([{ id: 'a', heartbeat: { every: 10 } }], '0m'), ['a']],
    ] as const) {
      await using on = await heartbeatHarness({ agents: config });
      assert.deepEqual(
        on.heartbeats
          .agents()
          .filter(({ nextAtMs }) => nextAtMs !== null)
          .map(({ agentId }) => agentId),
        beating,
        JSON.stringify(config),
      );
    }
  });

  it(
    'looks in the conversation it is told, with the model it is told, and says what it thought when that is ' +
      'wanted',
    async () => {
      await using on = await heartbeatHarness({
        file: '- mail',
        agents: {
          defaults: {
            heartbeat: {
              session: 'telegram:group:-7',
              model: 'p/small',
              includeReasoning: true,
              prompt: 'Look at the oven.',
            },
          },
        },
        entries: { 'agent:main:telegram:group:-7': { lastChannel: 'telegram', lastTo: '-7', chatType: 'group' } },
      });
      await on.advance(30 * MINUTE, 1);
      const { route, options, message } = on.fixture.accepted[0]!;
      assert.deepEqual(
        [route.sessionKey, route.replyTo.chat, options],
        ['agent:main:telegram:group:-7', { kind: 'group', id: '-7' }, { model: 'p/small', reasoning: 'on' }],
      );
      assert.match(message.text, /^Look at the oven\./);
    },
  );

  it('never looks in a conversation of another agent', async () => {
    await using on = await heartbeatHarness({
      file: '- mail',
      agents: { list: [{ id: 'main' }, { id: 'work' }], defaults: { heartbeat: { session: 'agent:work:main' } } },
    });
    assert.equal(on.heartbeats.agents()[0]!.session, 'agent:main:main');
  });

  it('follows changed settings at once', async () => {
    await using on = await heartbeatHarness({ file: '- mail', answer: 'HEARTBEAT_OK' });
    on.fixture.agents = { defaults: { heartbeat: { every: '10m' } } };
    on.heartbeats.configChanged();
    await on.advance(10 * MINUTE, 2);
    on.fixture.agents = { defaults: { heartbeat: { every: '0m' } } };
    on.heartbeats.configChanged();
    await on.advance(24 * HOUR);
    assert.deepEqual(
      [on.texts().length, on.heartbeats.agents()[0]!.nextAtMs, on.heartbeats.agents()[0]!.everyMs],
      [1, null, null],
    );
  });

  it('is switched off and on', async () => {
    await using on = await heartbeatHarness({ file: '- mail' });
    on.heartbeats.setEnabled(false);
    await on.advance(5 * HOUR);
    assert.deepEqual([on.heartbeats.enabled, on.heartbeats.agents()[0]!.nextAtMs, on.texts().length], [false, null, 0]);
    on.heartbeats.setEnabled(true);
    await on.advance(0, 1);
    assert.equal(on.texts().length, 1, 'what was missed is made up for, once');
    assert.equal(on.heartbeats.agents()[0]!.nextAtMs, NOON + 5 * HOUR + 30 * MINUTE);
  });

  it('reads no file from outside its folder when it is boxed in, and none that is no plain file', async () => {
    await using elsewhere = await tempDir('elsewhere');
    await writeFile(join(elsewhere.path, 'token'), 'PRIVATE');
    await using boxed = await heartbeatHarness({ file: null, boxed: true });
    await using on = await heartbeatHarness({ file: null });
    for (const harness of [boxed, on]) {
      await symlink(join(elsewhere.path, 'token'), join(harness.workspace, 'HEARTBEAT.md'));
      await harness.advance(30 * MINUTE, 1);
    }
    assert.doesNotMatch(boxed.texts()[0]!, /PRIVATE|<file/);
    assert.match(on.texts()[0]!, /PRIVATE/, 'a person may link to files elsewhere');
    await rm(join(on.workspace, 'HEARTBEAT.md'));
    await symlink('/dev/zero', join(on.workspace, 'HEARTBEAT.md'));
    await on.end(on.fixture.accepted[0]!.message.id);
    await on.advance(30 * MINUTE, 1);
    assert.doesNotMatch(on.texts()[1]!, /<file/);
  });

  it('that failed to look says so, and looks again at its time', async () => {
    await using on = await heartbeatHarness({ file: '- mail' });
    await on.advance(30 * MINUTE, 1);
    await on.end('heartbeat:main:' + (NOON + 30 * MINUTE), {
      kind: 'failed',
      code: 'auth',
      message: 'No key.',
    } as never);
    assert.deepEqual(
      [last(on).status, last(on).reason, last(on).preview, last(on).silent],
      ['failed', 'interval', 'No key.', true],
    );
    await on.journal.close();
    await on.advance(30 * MINUTE, 1);
    assert.equal(last(on).status, 'failed');
    assert.equal(on.heartbeats.agents()[0]!.nextAtMs, NOON + 90 * MINUTE);
  });
});
