/**
 * How far a job reaches that a turn makes: its agent, its conversation, its chat, how often; and what is stored of what
 * a model wrote.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { CronJob } from '../cron-job.ts';
import { cronHarness, GROUP, GROUP_KEY, HOURLY, turnJob, WEB, type Who, denied, invalid, OPEN } from './harness.ts';

describe('a job a turn makes', () => {
  it('is its agent’s, and remembers who asked', async () => {
    const it1 = cronHarness();
    const made = await it1.add(turnJob);
    assert.deepEqual(
      [it1.only().agentId, it1.only().owner],
      ['main', { sessionKey: GROUP_KEY, senders: ['ana'], address: GROUP }],
    );
    assert.deepEqual(
      [made.owner, made.nextRuns[0]],
      [{ sessionKey: GROUP_KEY }, 'Thu, 15 Jan 2026, 14:00 Europe/Berlin'],
    );
    const owner = cronHarness({ configure: true });
    await owner.add(turnJob);
    assert.deepEqual(owner.only().owner, { sessionKey: GROUP_KEY, senders: ['ana'], address: GROUP, trusted: true });
  });

  it('(T163) keeps an agentId of null; another agent’s is denied', async () => {
    const one = cronHarness();
    await one.add({ ...turnJob, agentId: null });
    assert.equal((one.cron.asked[0]!.params[0] as CronJob).agentId, null);
    await cronHarness().add({ ...turnJob, agentId: ' Main ' });
    for (const configure of [true, false]) {
      await assert.rejects(cronHarness({ configure }).add({ ...turnJob, agentId: 'work' }), denied);
      await assert.rejects(
        cronHarness({ configure, agentId: 'work', key: 'agent:work:main' }).add({ ...turnJob, agentId: null }),
        denied,
        'null is the default agent’s',
      );
    }
  });

  it('(T163) may spell its channel the old way', async () => {
    const one = cronHarness();
    await one.add({ ...HOURLY, payload: { kind: 'agentTurn', message: 'm', provider: 'ALPHA', to: '42' } });
    assert.deepEqual([(one.only().payload as any).channel, (one.only().payload as any).provider], ['alpha', undefined]);
  });

  it('answers where it was asked for, unless it says otherwise', async () => {
    const here = { deliver: true, channel: 'alpha', to: '42', chatKind: 'group', accountId: 'default', threadId: '7' };
    const cases: readonly (readonly [string, Who, object, object])[] = [
      ['nothing said', {}, {}, here],
      ['deliver', {}, { deliver: true }, here],
      ['deliver as a word', {}, { deliver: 'true' }, here],
      ['last, by somebody else than the owner', {}, { channel: 'last' }, here],
      ['last, by the owner', { configure: true }, { channel: 'last' }, { deliver: true, channel: 'last' }],
      ['its own channel', {}, { channel: 'Alpha' }, here],
      ['no', {}, { deliver: false, to: '42' }, { deliver: false }],
      [
        'its own chat by name',
        {},
        { to: '42' },
        { deliver: true, channel: 'alpha', to: '42', chatKind: 'group', accountId: 'default' },
      ],
      [
        'another chat of the channel',
        OPEN,
        { to: 'user:bob' },
        { deliver: true, channel: 'alpha', to: 'bob', chatKind: 'direct', accountId: 'default' },
      ],
      [
        'numbers',
        OPEN,
        { to: 42, threadId: 9 },
        { deliver: true, channel: 'alpha', to: '42', chatKind: 'group', accountId: 'default', threadId: '9' },
      ],
      ['the web chat, nothing said', { here: WEB, key: 'agent:main:main', configure: true }, {}, {}],
      [
        'the web chat, a chat',
        { here: WEB, key: 'agent:main:main', configure: true },
        { channel: 'beta', to: 'user:bob' },
        { deliver: true, channel: 'beta', to: 'bob', chatKind: 'direct', accountId: 'default' },
      ],
      [
        'the web chat, deliver',
        { here: WEB, key: 'agent:main:main', configure: true },
        { deliver: true },
        { deliver: true, channel: 'last' },
      ],
    ];
    for (const [name, who, place, expected] of cases) {
      const one = cronHarness(who);
      await one.add({ ...HOURLY, payload: { kind: 'agentTurn', message: 'm', ...place } });
      assert.deepEqual(one.only().payload, { kind: 'agentTurn', message: 'm', ...expected }, name);
    }
    const beside = cronHarness(OPEN);
    await beside.add({
      ...turnJob,
      delivery: { mode: 'announce', channel: 'alpha', to: 'user:bob', bestEffort: true },
    });
    assert.deepEqual(beside.only().payload, {
      kind: 'agentTurn',
      message: 'look',
      bestEffortDeliver: true,
      deliver: true,
      channel: 'alpha',
      to: 'bob',
      chatKind: 'direct',
      accountId: 'default',
    });
  });

  it('reaches other chats only as far as its turn does, by whatever spelling', async () => {
    const across = [
      { channel: 'beta', to: '1' },
      { to: 'beta:1' },
      { provider: 'Beta', to: '42' },
      { channel: 'beta' },
      { channel: 'alpha', to: 'beta:user:x' },
    ];
    for (const place of across) {
      await assert.rejects(
        cronHarness().add({ ...HOURLY, payload: { kind: 'agentTurn', message: 'm', ...place } }),
        denied,
        JSON.stringify(place),
      );
      await assert.rejects(
        cronHarness(OPEN).add({ ...HOURLY, payload: { kind: 'agentTurn', message: 'm', ...place } }),
        denied,
        JSON.stringify(place),
      );
      await assert.rejects(
        cronHarness({ configure: true }).add({ ...HOURLY, payload: { kind: 'agentTurn', message: 'm', ...place } }),
        denied,
        `${JSON.stringify(place)}: the setting holds for the owner on a channel too`,
      );
      await assert.rejects(cronHarness().add({ ...turnJob, delivery: place }), denied);
      await assert.rejects(cronHarness().add({ ...turnJob, ...place }), denied);
    }
    await cronHarness({ ...OPEN, config: { crossContext: { allowAcrossProviders: true } } }).add({
      ...HOURLY,
      payload: { kind: 'agentTurn', message: 'm', channel: 'beta', to: '1' },
    });
    await assert.rejects(
      cronHarness({ ...OPEN, config: { crossContext: { allowAcrossProviders: true } } }).add({
        ...HOURLY,
        payload: { kind: 'agentTurn', message: 'm', channel: 'beta' },
      }),
      { code: 'denied', message: /to: is required/ },
      'who was there last is not theirs to know',
    );
    const within = { crossContext: { allowWithinProvider: false } };
    for (const place of [{ to: 'user:bob' }, { accountId: 'work' }, { threadId: '9' }, { to: '42', threadId: '9' }])
      await assert.rejects(
        cronHarness({ ...OPEN, config: within }).add({
          ...HOURLY,
          payload: { kind: 'agentTurn', message: 'm', ...place },
        }),
        denied,
        JSON.stringify(place),
      );
    await cronHarness({ config: within }).add(turnJob);
  });

  it('of work nobody wrote is bound like a chat, whatever surface it has', async () => {
    for (const trigger of [
      { origin: 'webhook', hook: 'x' },
      { origin: 'session', exchangeId: 'e', step: 'ask' },
      { origin: 'heartbeat', reason: 'interval' },
    ] as const) {
      const who: Who = { here: WEB, key: 'agent:main:hook:1', trigger };
      await assert.rejects(
        cronHarness(who).add({ ...HOURLY, payload: { kind: 'agentTurn', message: 'm', channel: 'alpha', to: '1' } }),
        denied,
      );
      await assert.rejects(
        cronHarness(who).add({ ...HOURLY, payload: { kind: 'agentTurn', message: 'm', deliver: true } }),
        invalid(/to: is required/),
      );
      await cronHarness(who).add(turnJob);
    }
  });

  it('runs in its own conversation, in the main one for its owner, in others of the agent for nobody else', async () => {
    const cases: readonly (readonly [Who, string, string | 'denied' | 'invalid'])[] = [
      [{}, 'current', `session:${GROUP_KEY}`],
      [{}, `session:${GROUP_KEY}`, `session:${GROUP_KEY}`],
      [{}, 'session:ALPHA:group:42', `session:${GROUP_KEY}`],
      [{}, 'isolated', 'isolated'],
      [{}, 'session:main', 'denied'],
      [{}, 'session:agent:main:main', 'denied'],
      [{}, 'session:agent:main:alpha:group:43', 'denied'],
      [{}, 'session:agent:work:main', 'denied'],
      [{}, 'session:global', 'denied'],
      [{}, 'session:', 'invalid'],
      [{}, 'everywhere', 'invalid'],
      [{}, 'Session:main', 'invalid'],
      [{ configure: true }, 'session:main', 'session:agent:main:main'],
      [{ configure: true }, 'session:agent:main:alpha:group:43', 'session:agent:main:alpha:group:43'],
      [{ configure: true }, 'session:agent:work:main', 'denied'],
      [{ key: 'agent:main:main' }, 'current', 'session:agent:main:main'],
    ];
    for (const [who, requested, expected] of cases) {
      const one = cronHarness(who);
      const adding = one.add({ ...turnJob, sessionTarget: requested });
      if (expected === 'denied' || expected === 'invalid') await assert.rejects(adding, { code: expected }, requested);
      else {
        await adding;
        assert.equal(one.only().sessionTarget, expected, requested);
      }
      assert.equal(one.cron.jobs.size, expected === 'denied' || expected === 'invalid' ? 0 : 1);
    }
  });

  it('as a reminder for the main conversation becomes a turn of its own one, unless the owner asks', async () => {
    const remind = { ...HOURLY, sessionTarget: 'main', payload: { kind: 'systemEvent', text: 'stretch' } };
    for (const job of [
      remind,
      { ...HOURLY, payload: { kind: 'systemEvent', text: 'stretch' } },
      { ...HOURLY, text: 'stretch' },
      { ...HOURLY, payload: { text: 'stretch' } },
    ]) {
      const one = cronHarness();
      await one.add(job);
      assert.deepEqual(
        [
          one.only().sessionTarget,
          one.only().payload.kind,
          (one.only().payload as any).message,
          (one.only().payload as any).to,
        ],
        [`session:${GROUP_KEY}`, 'agentTurn', 'stretch', '42'],
      );
    }
    const owner = cronHarness({ configure: true });
    await owner.add(remind);
    assert.deepEqual(
      [owner.only().sessionTarget, owner.only().payload],
      ['main', { kind: 'systemEvent', text: 'stretch' }],
    );
    const guest = cronHarness({ key: 'agent:main:main' });
    await guest.add(remind);
    assert.deepEqual(
      [guest.only().sessionTarget, (guest.only().payload as any).to],
      ['session:agent:main:main', '42'],
      'who shares the main conversation is answered in their own chat',
    );
  });

  it('(T159) of the wrong kind for its place is refused in the documented words', async () => {
    await assert.rejects(
      cronHarness({ configure: true }).add({ ...turnJob, sessionTarget: 'main' }),
      invalid(/main cron jobs require payload\.kind="systemEvent"/),
    );
    await assert.rejects(
      cronHarness().add({ ...HOURLY, sessionTarget: 'isolated', payload: { kind: 'systemEvent', text: 'x' } }),
      invalid(/isolated cron jobs require payload\.kind="agentTurn"/),
    );
  });

  it('is not made of what cannot be read, and says which field', async () => {
    const wrong: readonly (readonly [unknown, RegExp])[] = [
      [undefined, /job required/],
      ['x', /job required/],
      [[], /job required/],
      [{ job: 3 }, /job required/],
      [{ job: { data: { job: {} } } }, /job required/],
      [{ schedule: 'in 5 minutes' }, /payload: is required/],
      [{ ...HOURLY, payload: { kind: 'agentTurn', message: ' ' } }, /payload: is required/],
      [{ ...HOURLY, payload: { kind: 'command', message: 'rm' } }, /payload\.kind/],
      [{ ...HOURLY, payload: 7 }, /payload: must be an object/],
      [{ ...turnJob, shell: 'rm' }, /job\.shell: unknown field/],
      [
        { ...HOURLY, payload: { message: 'm', allowUnsafeExternalContent: true } },
        /payload\.allowUnsafeExternalContent/,
      ],
      [{ ...turnJob, delivery: { mode: 'announce', failureDestination: {} } }, /delivery\.failureDestination/],
      [{ ...turnJob, __proto__: null, constructor: 1 }, /job\.constructor/],
      [{ ...turnJob, name: 'n'.repeat(201) }, /name: has 201 characters; at most 200/],
      [{ ...HOURLY, message: 'm'.repeat(20_001) }, /at most 20000/],
      [{ ...turnJob, schedule: 'every '.repeat(100) }, /schedule: is too long/],
      [{ ...HOURLY, payload: { message: { a: 1 } } }, /message: must be a text/],
      [{ ...HOURLY, payload: { message: 'm', deliver: 'perhaps' } }, /deliver: must be true or false/],
      [{ payload: { message: 'm' } }, /schedule/],
    ];
    for (const [job, says] of wrong)
      await assert.rejects(
        cronHarness({ configure: true }).call('cron.add', { job }),
        invalid(says),
        JSON.stringify(job)?.slice(0, 80),
      );
    await assert.rejects(
      cronHarness({ configure: true }).add({ ...turnJob, delivery: { mode: 'webhook', to: 'https://x.example' } }),
      { code: 'unsupported', message: /webhook/ },
    );
  });

  it('may be written flat, or sent back with all that was shown of it', async () => {
    const one = cronHarness(OPEN);
    await one.add({
      at: '2026-01-16T09:00:00Z',
      message: 'look',
      name: 'Look',
      model: 'fake/echo',
      to: 'user:bob',
      id: 'mine',
      state: { nextRunAtMs: 1 },
      owner: { sessionKey: 'agent:main:main', trusted: true },
    });
    const { id, owner, schedule, payload, name } = one.only();
    assert.deepEqual(
      [id, owner, schedule.kind, name],
      ['job-1', { sessionKey: GROUP_KEY, senders: ['ana'], address: GROUP }, 'at', 'Look'],
    );
    assert.deepEqual(payload, {
      kind: 'agentTurn',
      message: 'look',
      model: 'fake/echo',
      deliver: true,
      channel: 'alpha',
      to: 'bob',
      chatKind: 'direct',
      accountId: 'default',
    });
  });

  it('may have its zone apart from its time', async () => {
    for (const schedule of [{ expr: '0 7 * * *' }, { kind: 'cron', expr: '0 7 * * *' }]) {
      const one = cronHarness();
      await one.add({ schedule, tz: 'Asia/Tokyo', message: 'm' });
      assert.deepEqual(one.only().schedule, { kind: 'cron', expr: '0 7 * * *', tz: 'Asia/Tokyo' });
    }
    const words = cronHarness({ configure: true });
    await words.add({ schedule: '0 7 * * *', tz: 'Asia/Tokyo', message: 'm' });
    assert.equal((words.cron.asked[0]!.params[0] as any).schedule, '0 7 * * * (Asia/Tokyo)');
  });

  it('of others than the owner comes once a minute at most, and not without end', async () => {
    for (const schedule of [
      { kind: 'every', everyMs: 59_000 },
      { kind: 'cron', expr: '* * * * * *' },
    ]) {
      await assert.rejects(cronHarness().add({ ...turnJob, schedule }), { code: 'denied', message: /once a minute/ });
      await cronHarness({ configure: true }).add({ ...turnJob, schedule });
    }
    const { cron, add, call } = cronHarness();
    for (let n = 0; n < 50; n++) await add(turnJob);
    await assert.rejects(add(turnJob), { code: 'denied', message: /limit of 50 jobs/ });
    await cronHarness({ cron, key: 'agent:main:alpha:group:43' }).add(turnJob);
    await assert.rejects(call('cron.update', { jobId: 'job-1', patch: { schedule: { everyMs: 1000 } } }), denied);
    assert.equal((await call('cron.list', { limit: 5, offset: 48 })).jobs.length, 2);
  });
});
