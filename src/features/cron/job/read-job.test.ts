/**
 * Jobs as clients, models and people write them become one documented shape, or an error that names the field (T159,
 * T163, T166).
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { cronInstances, HOUR, NOON } from '../harness.ts';

type Shown = Record<string, any>;
const agentTurn = { kind: 'agentTurn', message: 'look at the mail' };
const systemEvent = { kind: 'systemEvent', text: 'tea is ready' };
const every = { kind: 'every', everyMs: HOUR };
const base = { schedule: every, payload: agentTurn };

async function added(job: unknown, by: object = {}): Promise<Shown> {
  await using s = await cronInstances();
  const cron = await s.instance({ config: { enabled: false } });
  return await cron.add(job, by);
}
async function changed(job: object, patch: unknown): Promise<Shown> {
  await using s = await cronInstances();
  const cron = await s.instance({ config: { enabled: false } });
  const { id } = await cron.add(job);
  return await cron.update(id, patch);
}
const pick = (job: Shown, like: object): object => Object.fromEntries(Object.keys(like).map((key) => [key, job[key]]));

describe('a job that is added', () => {
  const ACCEPTED: readonly (readonly [string, unknown, object, object?])[] = [
    [
      'needs a schedule and a payload only',
      base,
      {
        name: 'look at the mail',
        enabled: true,
        sessionTarget: 'isolated',
        wakeMode: 'next-heartbeat',
        schedule: every,
        payload: agentTurn,
        createdAtMs: NOON,
        updatedAtMs: NOON,
        deleteAfterRun: undefined,
        agentId: undefined,
        owner: undefined,
      },
    ],
    ['may be wrapped in job', { job: base }, { payload: agentTurn }],
    ['may be wrapped in data', { data: base }, { payload: agentTurn }],
    [
      'may say yes and no in words',
      { ...base, enabled: 'false', deleteAfterRun: 'TRUE' },
      { enabled: false, deleteAfterRun: true },
    ],
    [
      'runs in main when it is a system event',
      { schedule: every, payload: systemEvent },
      { sessionTarget: 'main', payload: systemEvent },
    ],
    [
      'has its kind inferred from the text',
      { schedule: every, payload: { text: 'x' } },
      { payload: { kind: 'systemEvent', text: 'x' }, sessionTarget: 'main' },
    ],
    [
      'has its kind inferred from the message',
      { schedule: every, payload: { message: 'x' } },
      { payload: { kind: 'agentTurn', message: 'x' } },
    ],
    [
      'may have its message at the top',
      { schedule: every, message: 'x', model: 'a/b', to: 7 },
      { payload: { kind: 'agentTurn', message: 'x', model: 'a/b', to: '7' } },
    ],
    [
      'may call the message a text',
      { schedule: every, payload: { kind: 'agentTurn', text: 'x' } },
      { payload: { kind: 'agentTurn', message: 'x' } },
    ],
    [
      'calls a provider a channel, in small letters (T163)',
      { schedule: every, payload: { ...agentTurn, provider: 'Telegram', to: '1' } },
      { payload: { ...agentTurn, channel: 'telegram', to: '1' } },
    ],
    [
      'keeps the channel when both are given',
      { schedule: every, payload: { ...agentTurn, provider: 'x', channel: 'Slack' } },
      { payload: { ...agentTurn, channel: 'slack' } },
    ],
    [
      'has an ISO instant in UTC (T163)',
      { payload: agentTurn, schedule: { at: '2026-01-16T08:00:00' } },
      { schedule: { kind: 'at', atMs: NOON + 20 * HOUR } },
    ],
    [
      'has a time in words in the zone of the person',
      { payload: agentTurn, schedule: 'every weekday at 7' },
      {
        schedule: { kind: 'cron', expr: '0 7 * * 1-5', tz: 'Europe/Berlin' },
        when: 'every weekday at 07:00 (Europe/Berlin)',
      },
    ],
    [
      'has a name of 60 characters at most',
      { schedule: every, payload: { ...agentTurn, message: `${'long '.repeat(30)}\nsecond line` } },
      { name: `${'long '.repeat(11)}long…` },
    ],
    ['belongs to the agent of the caller', base, { agentId: 'ops' }, { agentId: 'ops' }],
    [
      'belongs to no agent when it says null (T163)',
      { ...base, agentId: null },
      { agentId: undefined },
      { agentId: 'ops' },
    ],
    ['belongs to the agent it names', { ...base, agentId: ' OPS ' }, { agentId: 'ops' }, { agentId: 'main' }],
    [
      'keeps whose it is, whatever it says itself',
      { ...base, owner: { sessionKey: 'agent:ops:main', trusted: true } },
      { owner: { sessionKey: 'agent:main:main' } },
      { owner: { sessionKey: 'agent:main:main' } },
    ],
    [
      'runs in the current conversation',
      { ...base, sessionTarget: 'current' },
      { sessionTarget: 'session:agent:main:alpha:group:42', agentId: 'main' },
      { owner: { sessionKey: 'agent:main:alpha:group:42' } },
    ],
    [
      'runs in a named conversation, by its full name',
      { ...base, sessionTarget: 'session:MAIN' },
      { sessionTarget: 'session:agent:main:main', agentId: 'main' },
    ],
    [
      'runs in the conversation an operator names beside it',
      { ...base, sessionKey: 'agent:ops:main' },
      { sessionTarget: 'session:agent:ops:main', agentId: 'ops' },
    ],
    [
      'does not run there when it belongs to another one',
      { ...base, sessionKey: 'agent:ops:main' },
      { sessionTarget: 'isolated' },
      { owner: { sessionKey: 'agent:main:main' } },
    ],
    [
      'is announced',
      { ...base, delivery: { mode: 'announce', channel: 'Slack', to: 'C1', threadId: 9, bestEffort: true } },
      { payload: { ...agentTurn, deliver: true, channel: 'slack', to: 'C1', threadId: '9', bestEffortDeliver: true } },
    ],
    ['is not announced', { ...base, delivery: { mode: 'none' } }, { payload: { ...agentTurn, deliver: false } }],
    [
      'is a system event that is announced nowhere',
      { schedule: every, payload: systemEvent, delivery: { mode: 'none' } },
      { payload: systemEvent },
    ],
    [
      'may have nulls wherever it has nothing',
      {
        ...base,
        description: null,
        deleteAfterRun: null,
        isolation: null,
        payload: { ...agentTurn, model: null, to: null, timeoutSeconds: 0, channel: '' },
      },
      { payload: agentTurn, description: undefined },
    ],
    [
      'may come from a newer client',
      {
        ...base,
        displayName: 'x',
        declarationKey: 'k',
        failureAlert: false,
        trigger: null,
        payload: { ...agentTurn, fallbacks: ['x'], lightContext: true, toolsAllow: null },
      },
      { payload: agentTurn },
    ],
    [
      'says what becomes of missed instants',
      { ...base, missed: { policy: 'all', maxAge: '2h' } },
      { missed: { policy: 'all', maxAgeMs: 2 * HOUR } },
    ],
    [
      'has the parts of an isolated run',
      { ...base, isolation: { postToMainPrefix: 'X', postToMainMode: 'full', postToMainMaxChars: 100 } },
      { isolation: { postToMainPrefix: 'X', postToMainMode: 'full', postToMainMaxChars: 100 } },
    ],
    ['gets an id of ours', { ...base, id: '../../etc/passwd' }, {}],
  ];
  for (const [what, job, expected, by] of ACCEPTED)
    it(what, async () => {
      const shown = await added(job, by);
      assert.deepEqual(pick(shown, expected), expected);
      assert.match(shown['id'], /^[0-9a-f-]{36}$/);
    });

  const REFUSED: readonly (readonly [string, unknown, RegExp])[] = [
    [
      'main with a turn (T159)',
      { ...base, sessionTarget: 'main' },
      /^main cron jobs require payload\.kind="systemEvent"$/,
    ],
    [
      'isolated with an event (T159)',
      { schedule: every, sessionTarget: 'isolated', payload: systemEvent },
      /^isolated cron jobs require payload\.kind="agentTurn"$/,
    ],
    [
      'a session with an event',
      { schedule: every, sessionTarget: 'session:main', payload: systemEvent },
      /^isolated cron jobs require payload\.kind="agentTurn"$/,
    ],
    ['no schedule', { payload: agentTurn }, /^schedule: is required, e\.g\./],
    ['a schedule gone by', { ...base, schedule: { at: '2025-01-01' } }, /2025-01-01/],
    ['a schedule that never comes', { ...base, schedule: { kind: 'cron', expr: '0 0 31 2 *' } }, /never happens/],
    ['an unknown zone', { ...base, schedule: { kind: 'cron', expr: '0 7 * * *', tz: 'Mars/Base' } }, /Mars/],
    ['no payload', { schedule: every }, /^payload: must be \{"kind"/],
    [
      'an empty message',
      { schedule: every, payload: { kind: 'agentTurn', message: '  ' } },
      /^payload\.message: must say/,
    ],
    ['an unknown kind', { schedule: every, payload: { kind: 'dance' } }, /^payload/],
    [
      'a command',
      { schedule: every, payload: { kind: 'command', argv: ['ls'] } },
      /payload\.kind "command" is not supported: describe the task in words/,
    ],
    ['a trigger', { ...base, trigger: { script: 'x' } }, /trigger scripts are not supported/],
    ['pacing', { ...base, pacing: { min: '1m' } }, /pacing is not supported/],
    [
      'the end of a command',
      { ...base, schedule: { kind: 'on-exit', command: 'make' } },
      /schedule\.kind "on-exit" is not supported: start the command with the `bash` tool/,
    ],
    ['a stream', { ...base, schedule: { kind: 'stream', command: ['tail'] } }, /"stream" is not supported/],
    ['a webhook', { ...base, delivery: { mode: 'webhook', to: 'https://x' } }, /webhook.*not supported/],
    [
      'a second place',
      { ...base, delivery: { mode: 'announce', completionDestination: { mode: 'webhook', to: 'https://x' } } },
      /not supported/,
    ],
    [
      'tools of its own',
      { schedule: every, payload: { ...agentTurn, toolsAllow: ['read'] } },
      /toolsAllow is not supported/,
    ],
    [
      'an event that is delivered',
      { schedule: every, payload: systemEvent, delivery: { mode: 'announce' } },
      /has no field "deliver"/,
    ],
    ['a slip of the pen', { ...base, shedule: 'x' }, /A job has no field "shedule"\. Its fields are agentId, name/],
    [
      'a slip of the pen in the payload',
      { schedule: every, payload: { ...agentTurn, modell: 'x' } },
      /has no field "modell"\. Its fields are kind, message, model/,
    ],
    ['an unknown agent', { ...base, agentId: 'nobody' }, /^agentId: unknown agent "nobody"\.$/],
    [
      'the session of another agent',
      { ...base, agentId: 'main', sessionTarget: 'session:agent:ops:main' },
      /belongs to the agent "ops"/,
    ],
    ['an unknown session', { ...base, sessionTarget: 'everywhere' }, /^sessionTarget: must be/],
    ['no conversation here', { ...base, sessionTarget: 'current' }, /there is no current conversation/],
    ['a thinking level', { schedule: every, payload: { ...agentTurn, thinking: 'harder' } }, /^payload\.thinking/],
    ['a time-out', { schedule: every, payload: { ...agentTurn, timeoutSeconds: -1 } }, /^payload\.timeoutSeconds/],
    ['perhaps', { ...base, enabled: 'perhaps' }, /^enabled/],
    ['a policy', { ...base, missed: { policy: 'sometimes' } }, /^missed\.policy/],
    ['an age', { ...base, missed: { policy: 'once', maxAge: 'soon' } }, /^missed\.maxAge: must be a duration/],
    ['a name as long as a book', { ...base, name: 'x'.repeat(201) }, /^name/],
    ['a list', [base], /must be an object/],
    ['a text', 'every day at 8 say hello', /must be an object/],
    ['nothing', undefined, /must be an object/],
  ];
  for (const [what, job, why] of REFUSED)
    it(`is refused: ${what}`, async () => {
      await assert.rejects(added(job), (error: Error & { code?: string }) => {
        assert.match(error.message, why);
        assert.ok(['invalid', 'unsupported'].includes(error.code ?? ''), error.code);
        return true;
      });
    });
});

describe('a change', () => {
  const ACCEPTED: readonly (readonly [string, object, unknown, object])[] = [
    ['touches what it names', base, { name: 'other' }, { name: 'other', payload: agentTurn, schedule: every }],
    ['may be wrapped', base, { patch: { name: 'other' } }, { name: 'other' }],
    [
      'goes into the payload of the same kind',
      { ...base, payload: { ...agentTurn, model: 'a/b', to: '1' } },
      { payload: { kind: 'agentTurn', to: '2' } },
      { payload: { ...agentTurn, model: 'a/b', to: '2' } },
    ],
    ['need not name the kind', base, { payload: { deliver: true } }, { payload: { ...agentTurn, deliver: true } }],
    ['may stand at the top', base, { message: 'else' }, { payload: { kind: 'agentTurn', message: 'else' } }],
    [
      'takes away with null',
      { ...base, description: 'x', agentId: 'ops', payload: { ...agentTurn, model: 'a/b' } },
      { description: null, agentId: null, payload: { model: null } },
      { description: undefined, agentId: undefined, payload: agentTurn },
    ],
    [
      'may make it another kind',
      base,
      { sessionTarget: 'main', payload: systemEvent },
      { sessionTarget: 'main', payload: systemEvent },
    ],
    [
      'gives another schedule, also in words',
      base,
      { schedule: 'every 2 hours' },
      { schedule: { kind: 'every', everyMs: 2 * HOUR } },
    ],
    [
      'gives another zone to the same schedule',
      { ...base, schedule: { kind: 'cron', expr: '0 7 * * *', tz: 'Europe/Berlin' } },
      { schedule: { tz: 'Asia/Tokyo' } },
      { schedule: { kind: 'cron', expr: '0 7 * * *', tz: 'Asia/Tokyo' } },
    ],
    [
      'says where the answer goes',
      base,
      { delivery: { mode: 'announce', channel: 'alpha', to: '7' } },
      { payload: { ...agentTurn, deliver: true, channel: 'alpha', to: '7' } },
    ],
    [
      'does not change who made it, or when',
      base,
      { name: 'x', owner: { sessionKey: 'agent:ops:main' }, createdAtMs: 5, id: 'other', state: { lastStatus: 'ok' } },
      { owner: undefined, createdAtMs: NOON, state: { nextRunAtMs: NOON + HOUR } },
    ],
  ];
  for (const [what, job, patch, expected] of ACCEPTED)
    it(what, async () => assert.deepEqual(pick(await changed(job, patch), expected), expected));

  for (const [what, job, patch, why] of [
    ['another kind without words', base, { sessionTarget: 'main', payload: { kind: 'systemEvent' } }, /^payload\.text/],
    ['a kind that does not go there', base, { sessionTarget: 'main' }, /^main cron jobs require/],
    ['nothing', base, {}, /changes nothing/],
    ['another slip of the pen', base, { nmae: 'x' }, /has no field "nmae"/],
    ['no name', base, { name: '' }, /^name/],
    ['current', base, { sessionTarget: 'current' }, /use "session:<key>"/],
  ] as const)
    it(`is refused: ${what}`, async () => {
      await assert.rejects(
        changed(job, patch),
        (error: Error & { code?: string }) => error.code === 'invalid' && why.test(error.message),
      );
    });

  it('of no job is told so', async () => {
    await using s = await cronInstances();
    const cron = await s.instance();
    await assert.rejects(cron.update('nobody', { name: 'x' }), { code: 'not_found' });
    assert.deepEqual([await cron.remove('nobody'), cron.get('nobody')], [{ removed: false }, undefined]);
  });
});
