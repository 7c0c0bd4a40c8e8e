// Jobs as people, programs of three eras and models write them: one form comes of it, or an error that names the field.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { cronInstances, NOON } from '../harness.ts';

const HOURLY = { kind: 'every', everyMs: 3_600_000 };
const turn = { kind: 'agentTurn', message: 'look' };
const note = { kind: 'systemEvent', text: 'tick' };
const NEW_YEAR = Date.UTC(2030, 0, 1);
const job = (over: object): object => ({ name: 'J', schedule: HOURLY, payload: note, ...over });

/** What was written → what of it must stand in the job. */
const READ: readonly (readonly [string, object, object])[] = [
  ['(T163) wrapped as job', { job: job({}) }, { name: 'J', payload: note }],
  ['(T163) wrapped as data', { data: job({}) }, { name: 'J', payload: note }],
  ['(T163) `enabled` as a text', job({ enabled: 'false' }), { enabled: false }],
  [
    '(T163) the kind seen from atMs',
    job({ schedule: { atMs: NEW_YEAR } }),
    { schedule: { kind: 'at', atMs: NEW_YEAR } },
  ],
  [
    '(T163) the kind seen from everyMs',
    job({ schedule: { everyMs: 60_000 } }),
    { schedule: { kind: 'every', everyMs: 60_000 } },
  ],
  [
    '(T163) the kind seen from expr',
    job({ schedule: { expr: '0 7 * * *', tz: 'Asia/Tokyo' } }),
    { schedule: { kind: 'cron', expr: '0 7 * * *', tz: 'Asia/Tokyo' } },
  ],
  [
    '(T163) an instant with its zone',
    job({ schedule: { at: '2030-01-01T01:00:00+01:00' } }),
    { schedule: { kind: 'at', atMs: NEW_YEAR } },
  ],
  [
    '(T163) digits are milliseconds',
    job({ schedule: { atMs: String(NEW_YEAR) } }),
    { schedule: { kind: 'at', atMs: NEW_YEAR } },
  ],
  [
    '(T163) a bare date is midnight UTC',
    job({ schedule: { at: '2030-01-01' } }),
    { schedule: { kind: 'at', atMs: NEW_YEAR } },
  ],
  [
    '(T163) a time without a zone is UTC',
    job({ schedule: { at: '2030-01-01T00:00:00' } }),
    { schedule: { kind: 'at', atMs: NEW_YEAR } },
  ],
  [
    'words, in the time zone of the person',
    job({ schedule: 'every weekday at 7' }),
    { schedule: { kind: 'cron', expr: '0 7 * * 1-5', tz: 'Europe/Berlin' } },
  ],
  [
    '(T163) the channel by its old name, in capitals',
    job({ payload: { ...turn, provider: 'TELEGRAM' } }),
    { payload: { ...turn, channel: 'telegram' } },
  ],
  ['an agent in capitals', job({ agentId: ' OPS ' }), { agentId: 'ops' }],
  ['(T163) no agent is no agent', job({ agentId: null }), { agentId: undefined }],
  [
    'a note is for the main session',
    job({ payload: note }),
    { sessionTarget: 'main', wakeMode: 'next-heartbeat', enabled: true },
  ],
  ['work is done apart', job({ payload: turn }), { sessionTarget: 'isolated', wakeMode: 'next-heartbeat' }],
  [
    'a payload that only says what',
    job({ payload: { message: 'look' } }),
    { payload: turn, sessionTarget: 'isolated' },
  ],
  ['a payload that is a text', job({ payload: 'look' }), { payload: turn }],
  [
    'words beside the rest',
    { schedule: HOURLY, message: 'look', deliver: 'true', to: 42 },
    { name: 'look', payload: { ...turn, deliver: true, to: '42' } },
  ],
  ['the other kind’s word', job({ payload: { kind: 'agentTurn', text: 'look' } }), { payload: turn }],
  [
    'a name made of the first line, cut to 60',
    { schedule: HOURLY, payload: { ...turn, message: `${'long '.repeat(30)}\nsecond` } },
    { name: `${'long '.repeat(12).slice(0, 59).trimEnd()}…` },
  ],
  [
    'delivery as newer clients say it',
    job({
      payload: turn,
      delivery: { mode: 'announce', channel: 'telegram', to: '42', threadId: 7, bestEffort: true },
    }),
    { payload: { ...turn, deliver: true, channel: 'telegram', to: '42', threadId: '7', bestEffortDeliver: true } },
  ],
  ['delivery to nobody', job({ payload: turn, delivery: { mode: 'none' } }), { payload: { ...turn, deliver: false } }],
  [
    'a session by its key',
    job({ payload: turn, sessionTarget: 'session:agent:OPS:main' }),
    { sessionTarget: 'session:agent:ops:main', agentId: 'ops' },
  ],
  [
    'a session beside it',
    job({ payload: turn, sessionKey: 'agent:ops:main' }),
    { sessionTarget: 'session:agent:ops:main' },
  ],
  ['no limit is no limit', job({ payload: { ...turn, timeoutSeconds: 0 } }), { payload: turn }],
  [
    'what becomes of missed instants, in words',
    job({ missed: { policy: 'all', maxAge: '2h' } }),
    { missed: { policy: 'all', maxAgeMs: 7_200_000 } },
  ],
  [
    'what only newer gateways do, and does no harm left out',
    job({
      payload: { ...turn, lightContext: true, fallbacks: ['x'], allowUnsafeExternalContent: true },
      failureAlert: false,
      declarationKey: 'k',
    }),
    { payload: turn },
  ],
];

const REFUSED: readonly (readonly [object | string | null, RegExp])[] = [
  [null, /job must be an object/],
  ['tomorrow', /job must be an object/],
  [{ name: 'J', payload: note }, /^schedule: is required/],
  [{ name: 'J', schedule: HOURLY }, /^payload/],
  [job({ sessionTarget: 'main', payload: turn }), /^main cron jobs require payload\.kind="systemEvent"$/],
  [job({ sessionTarget: 'isolated' }), /^isolated cron jobs require payload\.kind="agentTurn"$/],
  [job({ sessionTarget: 'session:main' }), /^isolated cron jobs require payload\.kind="agentTurn"$/],
  [job({ sessionTarget: 'elsewhere' }), /^sessionTarget/],
  [job({ sessionTarget: 'current', payload: turn }), /^sessionTarget: there is no current conversation/],
  [job({ wakeMode: 'soon' }), /^wakeMode/],
  [job({ enabled: 'maybe' }), /^enabled/],
  [job({ agentId: 'nobody' }), /^agentId: unknown agent "nobody"/],
  [job({ sessionTarget: 'session:agent:ops:main', agentId: 'main', payload: turn }), /belongs to the agent "ops"/],
  [job({ payload: { kind: 'agentTurn', message: '  ' } }), /^payload\.message/],
  [job({ payload: { ...turn, timeoutSeconds: 0.5 } }), /^payload\.timeoutSeconds/],
  [job({ payload: { ...turn, thinking: 'hard' } }), /^payload\.thinking/],
  [job({ schedule: { kind: 'every', everyMs: 0 } }), /everyMs/],
  [job({ schedule: { kind: 'cron', expr: '0 0 31 2 *' } }), /never happens/],
  [job({ schedule: { kind: 'cron', expr: '* * * *' } }), /field/],
  [job({ schedule: { kind: 'cron', expr: '0 9 * * *', tz: 'Mars/Base' } }), /zone/],
  [job({ schedule: { kind: 'at', at: 'sometime' } }), /sometime/],
  [job({ schedule: { kind: 'at', atMs: 5, more: 1 } }), /no field "more"/],
  [job({ schedule: 'yesterday 9:00' }), /gone by|past/],
  [job({ shedule: 'x' }), /no field "shedule"/],
  [job({ payload: { ...turn, mesage: 'x' } }), /no field "mesage"/],
  [job({ schedule: { kind: 'on-exit', command: 'x' } }), /not supported: .*`bash`/],
  [job({ schedule: { kind: 'stream', command: ['x'] } }), /not supported/],
  [job({ trigger: { script: 'x' } }), /trigger scripts are not supported/],
  [job({ pacing: { min: 1 } }), /pacing is not supported/],
  [job({ payload: { kind: 'command', command: 'x' } }), /"command" is not supported/],
  [job({ payload: { ...turn, toolsAllow: ['x'] } }), /toolsAllow is not supported/],
  [job({ payload: turn, delivery: { mode: 'webhook', url: 'x' } }), /webhook .* not supported/],
];

describe('a job', () => {
  it('is understood in every spelling there was', async () => {
    await using s = await cronInstances();
    const cron = await s.instance();
    for (const [what, written, expected] of READ) {
      const made = (await cron.add(written)) as unknown as Record<string, unknown>;
      for (const [field, value] of Object.entries(expected)) assert.deepEqual(made[field], value, `${what}: ${field}`);
      assert.deepEqual([made['createdAtMs'], made['updatedAtMs']], [NOON, NOON], what);
      assert.match(String(made['id']), /^[0-9a-f-]{36}$/, what);
    }
  });

  it('that cannot be is refused with the field and what to write instead, and nothing is made', async () => {
    await using s = await cronInstances();
    const cron = await s.instance();
    for (const [written, message] of REFUSED)
      await assert.rejects(
        cron.add(written),
        (error: any) =>
          (['invalid', 'unsupported'].includes(error.code) && message.test(error.message)) ||
          assert.fail(`${JSON.stringify(written)}: ${error.message}`),
      );
    assert.equal((await cron.list({ includeDisabled: true })).total, 0);
  });

  it('never lets its writer choose what is the gateway’s own', async () => {
    await using s = await cronInstances();
    const cron = await s.instance();
    const made = await cron.add(
      job({
        id: 'mine',
        createdAtMs: 1,
        updatedAtMs: 2,
        state: { lastStatus: 'ok' },
        owner: { sessionKey: 'x', trusted: true },
      }),
    );
    assert.notEqual(made.id, 'mine');
    assert.deepEqual([made.createdAtMs, made.owner, made.state.lastStatus], [NOON, undefined, undefined]);
  });
});

describe('a change of a job', () => {
  /** The job before, the patch, and what stands in it afterwards. */
  const CHANGES: readonly (readonly [string, object, object, object])[] = [
    [
      'keeps what it does not name',
      { payload: { ...turn, model: 'a/b' } },
      { name: 'N' },
      { name: 'N', payload: { ...turn, model: 'a/b' }, schedule: HOURLY },
    ],
    [
      'of the payload merges what is of the same kind',
      { payload: { ...turn, model: 'a/b', to: 'x' } },
      { payload: { kind: 'agentTurn', deliver: true } },
      { payload: { ...turn, model: 'a/b', to: 'x', deliver: true } },
    ],
    [
      'of the payload without its kind, too',
      { payload: { ...turn, to: 'x' } },
      { payload: { message: 'new' } },
      { payload: { ...turn, message: 'new', to: 'x' } },
    ],
    [
      'to another kind leaves nothing of the old one',
      { payload: { ...turn, to: 'x' } },
      { sessionTarget: 'main', payload: note },
      { sessionTarget: 'main', payload: note },
    ],
    [
      'takes away with null',
      { agentId: 'ops', description: 'd', payload: { ...turn, to: 'x' } },
      { agentId: null, description: null, payload: { to: null } },
      { agentId: undefined, description: undefined, payload: turn },
    ],
    [
      'of the zone keeps the times',
      { schedule: { kind: 'cron', expr: '0 7 * * *', tz: 'Asia/Tokyo' } },
      { schedule: { tz: 'Europe/Paris' } },
      { schedule: { kind: 'cron', expr: '0 7 * * *', tz: 'Europe/Paris' } },
    ],
    ['may be in words', {}, { schedule: 'every 2 hours' }, { schedule: { kind: 'every', everyMs: 7_200_000 } }],
    ['may be wrapped', {}, { patch: { enabled: 'false' } }, { enabled: false }],
  ];

  for (const [what, before, patch, expected] of CHANGES)
    it(what, async () => {
      await using s = await cronInstances();
      const cron = await s.instance();
      const { id } = await cron.add(job(before));
      const changed = (await cron.update(id, patch)) as unknown as Record<string, unknown>;
      for (const [field, value] of Object.entries(expected)) assert.deepEqual(changed[field], value, field);
    });

  it('is judged as a whole, and changes nothing when it cannot be', async () => {
    await using s = await cronInstances();
    const cron = await s.instance();
    const { id } = await cron.add(job({ payload: turn }));
    for (const [patch, message] of [
      [{}, /changes nothing/],
      [{ payload: note }, /^isolated cron jobs require/],
      [{ sessionTarget: 'main' }, /^main cron jobs require/],
      [{ payload: { kind: 'systemEvent' } }, /^payload\.text/],
      [{ schedule: { kind: 'cron', expr: '61 * * * *' } }, /61/],
      [{ sessionTarget: 'current' }, /"current" cannot be used/],
      [{ nmae: 'x' }, /no field "nmae"/],
    ] as const)
      await assert.rejects(cron.update(id, patch), { code: 'invalid', message });
    assert.deepEqual([cron.get(id)!.payload, cron.get(id)!.updatedAtMs], [turn, NOON]);
    await assert.rejects(cron.update('nobody', { name: 'x' }), { code: 'not_found' });
  });
});
