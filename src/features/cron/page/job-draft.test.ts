import assert from 'node:assert/strict';
import { test } from 'node:test';
import { draftOf, EMPTY_DRAFT, newJob, patchOf, placeOf, problemsOf, sayPlainly } from './job-draft.ts';
import { job } from './fake-job.ts';

test('a new job is sent as it was shown, and no more than was said', () => {
  const schedule = { kind: 'every', everyMs: 5 } as const;
  assert.deepEqual(newJob({ ...EMPTY_DRAFT, when: ' every day ', message: ' Look ' }, undefined), {
    schedule: 'every day',
    sessionTarget: 'isolated',
    payload: { kind: 'agentTurn', message: 'Look', deliver: false },
  });
  assert.deepEqual(
    newJob(
      { ...EMPTY_DRAFT, when: 'x', message: 'Tea', place: 'main', deleteAfterRun: true, deliver: 'telegram', to: '1' },
      schedule,
    ),
    {
      schedule,
      sessionTarget: 'main',
      wakeMode: 'now',
      payload: { kind: 'systemEvent', text: 'Tea' },
      deleteAfterRun: true,
    },
  );
  assert.deepEqual(
    newJob(
      {
        ...EMPTY_DRAFT,
        when: 'x',
        message: 'm',
        name: 'N',
        place: 'session',
        sessionKey: 'agent:main:web:1',
        deliver: 'telegram',
        to: ' 42 ',
        accountId: 'b',
        model: 'x/y',
        thinking: 'low',
        timeoutSeconds: '30',
        missed: 'all',
        maxAgeHours: '1.5',
        agentId: 'garden',
      },
      schedule,
    ),
    {
      schedule,
      name: 'N',
      agentId: 'garden',
      sessionTarget: 'session:agent:main:web:1',
      payload: {
        kind: 'agentTurn',
        message: 'm',
        model: 'x/y',
        thinking: 'low',
        timeoutSeconds: 30,
        deliver: true,
        channel: 'telegram',
        to: '42',
        accountId: 'b',
      },
      missed: { policy: 'all', maxAgeMs: 5_400_000 },
    },
  );
});

test('of a known job only what differs is sent; what was emptied is null', () => {
  const before = draftOf(job);
  assert.equal(
    patchOf(before, before, { kind: 'every', everyMs: 1 }),
    undefined,
    'a schedule nobody touched is not sent again',
  );
  assert.deepEqual(patchOf(before, { ...before, when: 'every 2 hours' }, { kind: 'every', everyMs: 7_200_000 }), {
    schedule: { kind: 'every', everyMs: 7_200_000 },
  });
  assert.deepEqual(patchOf(before, { ...before, model: '', to: '43' }, undefined), {
    payload: { kind: 'agentTurn', model: null, to: '43' },
  });
  assert.deepEqual(patchOf(before, { ...before, deliver: 'none' }, undefined), {
    payload: { kind: 'agentTurn', deliver: false, channel: null, to: null },
  });
  assert.deepEqual(patchOf(before, { ...before, place: 'main' }, undefined), {
    sessionTarget: 'main',
    wakeMode: 'next-heartbeat',
    payload: { kind: 'systemEvent', text: 'Tell me' },
  });
  assert.deepEqual(patchOf(before, { ...before, missed: '', name: 'Other' }, undefined), {
    name: 'Other',
    missed: null,
  });
});

test('what can be said without asking, and where the gateway’s answer belongs', () => {
  assert.deepEqual(Object.keys(problemsOf(EMPTY_DRAFT)), ['when', 'message']);
  const draft = { ...EMPTY_DRAFT, when: 'x', message: 'y' };
  assert.deepEqual(problemsOf(draft), {});
  assert.deepEqual(
    Object.keys(
      problemsOf({ ...draft, deliver: 'telegram', timeoutSeconds: '-1', missed: 'all', maxAgeHours: 'soon' }),
    ),
    ['deliver', 'timeoutSeconds', 'missed'],
  );
  assert.deepEqual(Object.keys(problemsOf({ ...draft, place: 'session' })), ['place']);
  const cases: [string, string | undefined, string | undefined][] = [
    ['schedule: “x” is no time', undefined, 'when'],
    ['schedule.tz: there is no zone Mars', undefined, 'when'],
    ['payload.model: unknown', undefined, 'model'],
    ['payload.to: is required', undefined, 'deliver'],
    ['patch.name: too long', undefined, 'name'],
    ['"payload.timeoutSeconds" must be at least 1', undefined, 'timeoutSeconds'],
    ['There is nothing to do', undefined, undefined],
    ['anything', 'agentId', 'agentId'],
    ['main cron jobs require payload.kind="systemEvent"', undefined, undefined],
  ];
  for (const [message, field, place] of cases) assert.equal(placeOf({ message, field }), place, message);
  assert.equal(sayPlainly('payload.model: there is none'), 'there is none');
  assert.equal(sayPlainly('Cron delivery requires a recipient'), 'Cron delivery requires a recipient');
});
