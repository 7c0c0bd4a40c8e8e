/** One restart at a time, and everybody who requested it is notified once. */
import assert from 'node:assert/strict';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { silentLog, type Log } from '../core/log.ts';
import type { ChatAddress } from '../core/message.ts';
import { present } from '../core/present.ts';
import { createFakeClock } from '../testing/fake-clock.ts';
import { tempDir } from '../testing/temp-dir.ts';
import { createRestarter, SIGNAL_GRACE_MS } from './restarter.ts';
import { notifyRestarted } from './notify-restarted.ts';
import { takeRestartNotes, type RestartNote } from './restart-sentinel.ts';

const TOPIC: ChatAddress = {
  channel: 'telegram',
  accountId: 'work',
  chat: { kind: 'group', id: '-100' },
  threadId: '7',
};

function harness(stateDir: string, restart?: (reason: string, fresh: boolean) => void) {
  const clock = createFakeClock();
  const restarts: { reason: string; fresh: boolean }[] = [];
  const granted: { until: number; fresh: boolean }[] = [];
  const waiting: (() => void)[] = [];
  const request = createRestarter({
    stateDir,
    clock,
    log: silentLog,
    restart(reason, fresh) {
      restart?.(reason, fresh);
      restarts.push({ reason, fresh });
      for (const done of waiting.splice(0)) done();
    },
    authorise: (until, fresh) => void granted.push({ until, fresh }),
  });
  return {
    clock,
    request,
    restarts,
    granted,
    next: () => new Promise<void>((resolve) => void waiting.push(resolve)),
    take: (now = clock.now()) => takeRestartNotes(stateDir, { now, log: silentLog }),
  };
}

const file = (dir: string): string => join(dir, 'restart-sentinel.json');

describe('several requests', () => {
  it('(T183) become one restart, as early as the earliest, and everybody is notified', async () => {
    await using dir = await tempDir('restart');
    const s = harness(dir.path);
    const begins = s.next();
    const first = s.request({ reason: 'one', delayMs: 1000, sessionKey: 'agent:main:main', note: 'a' });
    assert.deepEqual(first, { scheduledAt: s.clock.now() + 1000 });
    assert.deepEqual(
      s.request({ reason: 'two', delayMs: 5000, sessionKey: 'agent:work:main', note: 'b', replyTo: TOPIC }),
      { ...first, joined: true },
    );
    assert.deepEqual(s.request({ reason: 'watcher', delayMs: 100 }), {
      scheduledAt: s.clock.now() + 100,
      joined: true,
    });
    s.request({ reason: 'one', delayMs: 9000, sessionKey: 'agent:main:main', note: 'a' });
    await s.clock.advance(99);
    assert.deepEqual(s.restarts, []);
    await s.clock.advance(1);
    await begins;
    assert.deepEqual(s.restarts, [{ reason: 'one; two; watcher', fresh: false }]);
    await s.clock.advance(60_000);
    assert.equal(s.restarts.length, 1);
    assert.deepEqual(
      (await s.take()).map(({ sessionKey, text }) => [sessionKey, text]),
      [
        ['agent:main:main', 'a'],
        ['agent:work:main', 'b'],
      ],
    );
  });

  it('(T183) that come during the shutdown are notified too, and cause no second restart', async () => {
    await using dir = await tempDir('restart');
    const s = harness(dir.path);
    const begins = s.next();
    s.request({ reason: 'watcher', delayMs: 0 });
    await s.clock.advance(0);
    await begins;
    assert.equal(s.request({ reason: 'patch', sessionKey: 'agent:main:main', note: 'late' }).joined, true);
    await s.clock.advance(60_000);
    assert.equal(s.restarts.length, 1);
    for (;;) {
      const notes = await s.take();
      if (notes.length === 0) continue;
      assert.deepEqual(
        notes.map(({ text }) => text),
        ['late'],
      );
      break;
    }
  });

  it('of which one brings new code begin with the new code', async () => {
    await using dir = await tempDir('restart');
    const s = harness(dir.path);
    const begins = s.next();
    s.request({ reason: 'update', delayMs: 100, fresh: true });
    s.request({ reason: 'other', delayMs: 50 });
    await s.clock.advance(50);
    await begins;
    assert.deepEqual(s.restarts, [{ reason: 'update; other', fresh: true }]);
  });

  it('(T183) after one that was refused are not in its way: the next works, and nobody hears of the refused one', async () => {
    await using dir = await tempDir('restart');
    const refusals = ['no'];
    const refused = Promise.withResolvers<void>();
    const s = harness(dir.path, () => {
      if (refusals.pop() === undefined) return;
      refused.resolve();
      throw new Error('cannot now');
    });
    s.request({ reason: 'first', delayMs: 0, sessionKey: 'agent:main:main', note: 'refused' });
    await s.clock.advance(0);
    await refused.promise;
    const begins = s.next();
    assert.equal(
      s.request({ reason: 'second', delayMs: 0, sessionKey: 'agent:main:main', note: 'granted' }).joined,
      undefined,
    );
    await s.clock.advance(0);
    await begins;
    assert.deepEqual(
      s.restarts.map(({ reason }) => reason),
      ['second'],
    );
    assert.deepEqual(
      (await s.take()).map(({ text }) => text),
      ['granted'],
    );
  });
});

for (const [given, wait] of [
  [undefined, 2000],
  [-5, 0],
  [1e9, 60_000],
  [NaN, 2000],
  [Infinity, 2000],
  [1500.7, 1500],
  [60_001, 60_000],
] as const)
  it(`(T182) waits ${wait} ms when told ${given}`, () => {
    const { clock, request } = harness('/nowhere');
    assert.equal(request(present({ reason: 'x', delayMs: given })).scheduledAt, clock.now() + wait);
  });

describe('the sentinel', () => {
  it('(T178) has the documented shape, with chat and thread', async () => {
    await using dir = await tempDir('restart');
    const s = harness(dir.path);
    const begins = s.next();
    s.request({
      reason: 'new token',
      delayMs: 0,
      kind: 'config-apply',
      sessionKey: 'agent:main:telegram:group:-100:topic:7',
      note: 'back',
      replyTo: TOPIC,
    });
    await s.clock.advance(0);
    await begins;
    assert.deepEqual(JSON.parse(await readFile(file(dir.path), 'utf8')), {
      version: 1,
      payload: {
        kind: 'config-apply',
        status: 'ok',
        ts: s.clock.now(),
        sessionKey: 'agent:main:telegram:group:-100:topic:7',
        deliveryContext: { channel: 'telegram', to: '-100', accountId: 'work', chatType: 'group' },
        threadId: '7',
        message: 'back',
        doctorHint: 'Run: clawdbot doctor',
        stats: { reason: 'new token' },
      },
    });
    assert.equal((await stat(file(dir.path))).mode & 0o077, 0, 'it is private');
    const [note] = await s.take();
    assert.deepEqual(note, {
      kind: 'config-apply',
      text: 'back',
      sessionKey: 'agent:main:telegram:group:-100:topic:7',
      replyTo: TOPIC,
      stats: { reason: 'new token' },
    });
  });

  it('(T181) is consumed once', async () => {
    await using dir = await tempDir('restart');
    const s = harness(dir.path);
    const begins = s.next();
    s.request({ reason: 'update', delayMs: 0, sessionKey: 'agent:main:main' });
    await s.clock.advance(0);
    await begins;
    assert.deepEqual(
      (await s.take()).map(({ text }) => text),
      ['The gateway was restarted (update).'],
    );
    assert.deepEqual(await s.take(), []);
  });

  const now = 1_768_478_400_000;
  const good = { kind: 'restart', status: 'ok', ts: now - 1000, sessionKey: 'agent:main:main', message: 'back' };
  const BAD: readonly (readonly [what: string, text: string])[] = [
    ['is torn', '{"version":1,"payload":{"ki'],
    ['is empty', ''],
    ['is a list', '[]'],
    ['is null', 'null'],
    ['is of another version', JSON.stringify({ version: 2, payload: good })],
    ['has no payload', '{"version":1}'],
    ['has no message', JSON.stringify({ version: 1, payload: { ...good, message: ' ' } })],
    ['has no time', JSON.stringify({ version: 1, payload: { ...good, ts: 'now' } })],
    ['is older than a day', JSON.stringify({ version: 1, payload: { ...good, ts: now - 24 * 3_600_000 - 1 } })],
    ['is of tomorrow', JSON.stringify({ version: 1, payload: { ...good, ts: now + 24 * 3_600_000 } })],
  ];
  for (const [what, text] of BAD)
    it(`(T181) that ${what} is removed, and nobody is told`, async () => {
      await using dir = await tempDir('restart');
      await writeFile(file(dir.path), text);
      const warned: string[] = [];
      const log: Log = { ...silentLog, warn: (event) => void warned.push(event), child: () => log };
      assert.deepEqual(await takeRestartNotes(dir.path, { now, log }), []);
      assert.deepEqual(warned, ['gateway.restart.note']);
      await assert.rejects(stat(file(dir.path)), { code: 'ENOENT' });
    });

  it('of other makers is read as far as it makes sense', async () => {
    await using dir = await tempDir('restart');
    const put = (payload: object, more: unknown = []): Promise<void> =>
      writeFile(file(dir.path), JSON.stringify({ version: 1, payload, more }));
    await put({ ...good, kind: 'doctor', deliveryContext: { channel: 'telegram', to: '5' } }, [
      { ...good, message: 'also' },
      7,
    ]);
    assert.deepEqual(
      (await takeRestartNotes(dir.path, { now, log: silentLog })).map(({ kind, text, replyTo }) => [
        kind,
        text,
        replyTo,
      ]),
      [
        ['restart', 'back', { channel: 'telegram', accountId: 'default', chat: { kind: 'direct', id: '5' } }],
        ['restart', 'also', undefined],
      ],
    );
    await put({ ...good, deliveryContext: { channel: 5, to: {} }, threadId: 9 });
    assert.equal((await takeRestartNotes(dir.path, { now, log: silentLog }))[0]!.replyTo, undefined);
  });

  it('is not there for a restart nobody asked for', async () => {
    await using dir = await tempDir('restart');
    const s = harness(dir.path);
    const begins = s.next();
    s.request({ reason: 'configuration: gateway.port', delayMs: 0 });
    await s.clock.advance(0);
    await begins;
    await assert.rejects(stat(file(dir.path)), { code: 'ENOENT' });
  });

  it('that cannot be written keeps no restart from happening', async () => {
    await using dir = await tempDir('restart');
    await writeFile(join(dir.path, 'file'), '');
    const s = harness(join(dir.path, 'file'));
    const begins = s.next();
    s.request({ reason: 'anyway', delayMs: 0, sessionKey: 's' });
    await s.clock.advance(0);
    await begins;
    assert.deepEqual(s.restarts, [{ reason: 'anyway', fresh: false }]);
  });
});

describe('afterwards', () => {
  it('each is sent to its chat, else to its session, else to the main one; a failed one does not stop the others', async () => {
    const reported: unknown[] = [];
    const notes: readonly RestartNote[] = [
      { kind: 'restart', text: 'gone', sessionKey: 'x', replyTo: { ...TOPIC, channel: 'broken' } },
      { kind: 'restart', text: 'here', sessionKey: 'a', replyTo: TOPIC },
      { kind: 'restart', text: 'there', sessionKey: 'b' },
      { kind: 'restart', text: 'main' },
    ];
    await notifyRestarted(notes, {
      log: silentLog,
      async postNotice(address, note) {
        if (address.channel === 'broken') throw new Error('no such channel');
        reported.push([address, note]);
      },
      async wake(request) {
        reported.push(request);
      },
    });
    assert.deepEqual(reported, [
      [TOPIC, { sessionKey: 'a', text: 'here' }],
      { text: 'there', mode: 'now', sessionKey: 'b' },
      { text: 'main', mode: 'next-heartbeat' },
    ]);
  });
});

describe('asked for twice in one place', () => {
  it('(T183) is sent once there, with all texts', async () => {
    const reported: string[] = [];
    const note = (text: string, over: Partial<RestartNote> = {}): RestartNote => ({
      kind: 'restart',
      text,
      sessionKey: 'a',
      replyTo: TOPIC,
      ...over,
    });
    await notifyRestarted(
      [
        note('back. go on'),
        note('back.'),
        note('back. and look'),
        note('back.', { replyTo: { ...TOPIC, threadId: '8' } }),
      ],
      { log: silentLog, postNotice: async (_to, { text }) => void reported.push(text), wake: async () => undefined },
    );
    assert.deepEqual(reported, ['back. go on\nback. and look', 'back.']);
  });
});

it('(T184) lets a signal take its place until five seconds after its time', async () => {
  await using dir = await tempDir('restart');
  const s = harness(dir.path);
  s.request({ reason: 'x', delayMs: 1000 });
  assert.deepEqual(s.granted, [{ until: s.clock.now() + 1000 + SIGNAL_GRACE_MS, fresh: false }]);
});
