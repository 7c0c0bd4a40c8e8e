import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { CronJob } from '../cron-job.ts';
import { AppError } from '../../../core/errors.ts';
import { present } from '../../../core/present.ts';
import { cronHarness, GROUP_KEY, HOURLY, turnJob, WEB, type Who } from './harness.ts';

describe('a job a job makes', () => {
  const ofJob = (cron: ReturnType<typeof cronHarness>['cron']) =>
    cronHarness({
      cron,
      key: 'agent:main:cron:job-1',
      here: WEB,
      origins: [GROUP_KEY],
      trigger: { origin: 'cron', jobId: 'job-1', slotMs: 1, attempt: 0, delivers: 'never' },
    });

  it('is its conversation’s like the first, also when that one is gone meanwhile', async () => {
    const { cron, add } = cronHarness();
    await add(turnJob);
    const own = ofJob(cron);
    await own.call('cron.remove', { jobId: 'job-1' });
    const made = await own.add({ ...HOURLY, message: 'look', delivery: { mode: 'none' } });
    assert.equal(cron.jobs.get(made.id)!.owner?.sessionKey, GROUP_KEY);
    assert.deepEqual(
      (await own.call('cron.list')).jobs.map(({ id }: CronJob) => id),
      [made.id],
    );
    assert.deepEqual(
      (await cronHarness({ cron }).call('cron.list')).jobs.map(({ id }: CronJob) => id),
      [made.id],
      'people see what their jobs plan',
    );
  });

  it('counts among those of the conversation, and sees none of the owner’s', async () => {
    const { cron, add } = cronHarness();
    for (let n = 0; n < 50; n++) await add(turnJob);
    await assert.rejects(ofJob(cron).add(turnJob), { code: 'denied', message: /limit of 50 jobs/ });
    cron.put({ id: 'boss', agentId: 'main', owner: { sessionKey: GROUP_KEY, trusted: true } });
    await assert.rejects(ofJob(cron).call('cron.remove', { jobId: 'boss' }), { code: 'not_found' });
  });
});

describe('whatever a stranger’s model writes', () => {
  const value = fc.oneof(
    fc.constantFrom<unknown>(
      'main',
      'isolated',
      'current',
      'session:agent:main:main',
      'session:main',
      'agent:main:main',
      'last',
      'alpha',
      'beta',
      'ALPHA',
      '42',
      'beta:1',
      'user:bob',
      'work',
      'agentTurn',
      'systemEvent',
      'announce',
      'none',
      'webhook',
      true,
      false,
      'true',
      null,
      42,
      'hi',
    ),
    fc.string({ maxLength: 3 }),
  );
  const names = [
    'kind',
    'text',
    'message',
    'deliver',
    'channel',
    'provider',
    'to',
    'accountId',
    'threadId',
    'chatKind',
    'agentId',
    'sessionTarget',
    'sessionKey',
    'session',
    'owner',
    'id',
    'mode',
    'model',
    'job',
    'data',
    'isolation',
    'trusted',
  ];
  const flat = fc.dictionary(fc.constantFrom(...names), value, { maxKeys: 6 });
  const wild = fc.tuple(flat, flat, flat, fc.boolean()).map(([top, payload, delivery, nested]) => ({
    ...HOURLY,
    message: 'm',
    ...top,
    ...present({
      payload: nested ? payload : undefined,
      delivery: Object.keys(delivery).length > 2 ? delivery : undefined,
    }),
  }));
  const closed: Who = { config: { crossContext: { allowWithinProvider: false } } };

  /** Where a job may be that was asked for in the group. */
  const stays = ({ agentId, owner, sessionTarget, payload }: CronJob): boolean =>
    agentId === 'main' &&
    owner?.sessionKey === GROUP_KEY &&
    owner.trusted === undefined &&
    ['isolated', `session:${GROUP_KEY}`].includes(sessionTarget) &&
    payload.kind === 'agentTurn' &&
    (payload.deliver === false ||
      (payload.channel === 'alpha' &&
        payload.to === '42' &&
        payload.chatKind === 'group' &&
        payload.accountId === 'default' &&
        (payload.threadId === undefined || payload.threadId === '7')));
  const attempt = async (work: Promise<unknown>): Promise<boolean> =>
    work.then(
      () => true,
      (error) => {
        assert.ok(error instanceof AppError && error.code !== 'internal', String(error));
        return false;
      },
    );

  it('a job stays with its agent, in its conversation, and answers in its chat', async () => {
    let made = 0;
    await fc.assert(
      fc.asyncProperty(wild, async (job) => {
        const one = cronHarness(closed);
        if (!(await attempt(one.add(job)))) return;
        made += 1;
        assert.ok(stays({ agentId: 'main', ...one.only() }), JSON.stringify(one.only()));
      }),
      { numRuns: 1500 },
    );
    assert.ok(made > 40, `${made} were made at all`);
  });

  it('and a change moves it nowhere else', async () => {
    let changed = 0;
    await fc.assert(
      fc.asyncProperty(wild, async (patch) => {
        const one = cronHarness(closed);
        await one.add(turnJob);
        if (!(await attempt(one.call('cron.update', { jobId: 'job-1', patch })))) return;
        changed += 1;
        assert.ok(stays({ agentId: 'main', ...one.only() }), JSON.stringify(one.only()));
      }),
      { numRuns: 1500 },
    );
    assert.ok(changed > 40, `${changed} were changed at all`);
  });
});
