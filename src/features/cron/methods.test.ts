// Scheduled work, asked for over the wire by clients of either vocabulary.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createFeatureEvents } from '../../host/feature-events.ts';
import { systemClock } from '../../platform/clock.ts';
import { createFakeCron, FAKE_NOW } from './fake.ts';
import cronFeature from './index.ts';
import { cronMethods } from './methods.ts';
import { publishJobEvents } from './job-events.ts';
import { wireJob } from './wire.ts';
import { startTestGateway } from '../../testing/ws-gateway.ts';

const HOUR = 3_600_000;
const report = {
  name: 'Report',
  schedule: { kind: 'cron', expr: '0 7 * * 1-5', tz: 'Europe/Berlin' },
  sessionTarget: 'isolated',
  wakeMode: 'now',
  payload: {
    kind: 'agentTurn',
    message: 'Sum up',
    deliver: true,
    channel: 'telegram',
    to: '42',
    threadId: '7',
    bestEffortDeliver: true,
  },
};

/** A gateway whose only feature is cron, over jobs in memory. */
async function startCronGateway() {
  const cron = createFakeCron();
  const events = createFeatureEvents();
  const unfollow = publishJobEvents(cron, events.publish);
  const agents = { ids: () => ['main', 'work'], defaultId: () => 'main' };
  const parts = { methods: cronMethods({ cron, agents, clock: systemClock }) };
  const gateway = await startTestGateway({
    services: { features: [{ feature: cronFeature, parts }], featureEvents: events.subscribe },
  });
  return Object.assign(gateway, { cron, unfollow });
}

describe('cron jobs on the wire', () => {
  it('(183) are made, read, changed and removed by either spelling of their id', async () => {
    await using gateway = await startCronGateway();
    const client = await gateway.client();
    const made = await client.call('cron.add', report);
    assert.deepEqual(
      [made.id, made.enabled, made.when, made.nextRunsAtMs.length],
      ['job-1', true, '0 7 * * 1-5 (Europe/Berlin)', 3],
    );
    assert.equal((await client.call('cron.get', { id: 'job-1' })).name, 'Report');
    assert.equal((await client.call('cron.get', { jobId: 'job-1', id: 'nobody' })).name, 'Report', 'jobId counts');
    assert.equal((await client.call('cron.update', { id: 'job-1', patch: { name: 'Morning' } })).name, 'Morning');
    assert.equal((await client.call('cron.update', { jobId: 'job-1', patch: { enabled: false } })).enabled, false);
    assert.deepEqual((await client.call('cron.list')).jobs, []);
    assert.deepEqual(
      (await client.call('cron.list', { includeDisabled: true })).jobs.map(({ name }: any) => name),
      ['Morning'],
    );
    assert.deepEqual(await client.call('cron.remove', { jobId: 'job-1' }), { ok: true, removed: true });
    assert.deepEqual(await client.call('cron.remove', { id: 'job-1' }), { ok: true, removed: false });
    const { error } = await client.request('cron.update', { id: 'job-1', patch: {} });
    assert.deepEqual([error.details.code, error.details.jobId], ['CRON_JOB_NOT_FOUND', 'job-1']);
  });

  it('(183) get their defaults from the service, wrapped or not, in old words or new', async () => {
    await using gateway = await startCronGateway();
    const client = await gateway.client();
    const event = await client.call('cron.add', {
      job: { schedule: { atMs: FAKE_NOW + HOUR }, payload: { text: 'stretch' } },
    });
    assert.deepEqual(
      [event.name, event.sessionTarget, event.wakeMode, event.schedule.kind],
      ['stretch', 'main', 'next-heartbeat', 'at'],
    );
    const turn = await client.call('cron.add', {
      schedule: 'every 20 minutes',
      payload: { message: 'look', provider: 'Telegram', to: '1' },
    });
    assert.deepEqual(
      [turn.sessionTarget, turn.payload.channel, turn.nextRunsAtMs[0]],
      ['isolated', 'telegram', FAKE_NOW + 1_200_000],
    );
  });

  it('carry the documented fields and those of the published protocol side by side, and nothing of who asked', async () => {
    await using gateway = await startCronGateway();
    const { cron } = gateway;
    const client = await gateway.client({ scopes: ['operator.read'] });
    cron.put({
      id: 'a',
      schedule: { kind: 'at', atMs: FAKE_NOW + HOUR },
      sessionTarget: 'isolated',
      payload: report.payload as never,
      owner: { sessionKey: 'agent:main:main', senders: ['4711'] },
      state: { lastStatus: 'error', lastError: 'no', lastRunAtMs: 5, disabledReason: 'x' },
      missed: { policy: 'all' },
    });
    cron.put({ id: 'b', schedule: { kind: 'at', atMs: 9e15 } });
    cron.put({ id: 'c', sessionTarget: 'isolated', payload: { kind: 'agentTurn', message: 'm', to: '1' } });
    cron.put({
      id: 'd',
      sessionTarget: 'isolated',
      payload: { kind: 'agentTurn', message: 'm', deliver: false, to: '1' },
    });
    const job = await client.call('cron.get', { id: 'a' });
    assert.deepEqual(job.schedule, { kind: 'at', atMs: FAKE_NOW + HOUR, at: '2026-01-15T13:00:00.000Z' });
    assert.deepEqual(job.payload, report.payload);
    assert.deepEqual(job.delivery, {
      mode: 'announce',
      channel: 'telegram',
      to: '42',
      threadId: '7',
      bestEffort: true,
    });
    assert.deepEqual(
      [
        job.state.lastStatus,
        job.state.lastRunStatus,
        job.lastRunStatus,
        job.lastRunError,
        job.lastRunAtMs,
        job.nextRunAtMs,
      ],
      ['error', 'error', 'error', 'no', 5, FAKE_NOW + HOUR],
    );
    assert.deepEqual(job.owner, { sessionKey: 'agent:main:main' });
    assert.deepEqual(
      (await client.call('cron.get', { id: 'c' })).delivery,
      { mode: 'announce', channel: 'last', to: '1' },
      'a target alone delivers',
    );
    assert.deepEqual((await client.call('cron.get', { id: 'd' })).delivery, { mode: 'none' });
    assert.equal(wireJob(cron.get('b')!).schedule.kind, 'at', 'whatever somebody wrote into the file by hand');
  });

  it('are listed in pages and by what they are', async () => {
    await using gateway = await startCronGateway();
    const { cron } = gateway;
    for (let n = 1; n <= 5; n++) cron.put({ id: `m${n}`, schedule: { kind: 'every', everyMs: n * HOUR } });
    cron.put({ id: 'w', agentId: 'work', schedule: { kind: 'cron', expr: '0 7 * * *' }, state: { lastStatus: 'ok' } });
    cron.put({ id: 'off', enabled: false });
    const client = await gateway.client({ scopes: ['operator.read'] });
    const ids = async (params: object): Promise<string[]> =>
      (await client.call('cron.list', params)).jobs.map(({ id }: any) => id);
    assert.deepEqual(
      await client.call('cron.list', { limit: 2, offset: 1 }).then(({ jobs, ...rest }) => [jobs.length, rest]),
      [2, { total: 6, offset: 1, limit: 2, hasMore: true, nextOffset: 3 }],
    );
    assert.deepEqual(await ids({ agentId: 'Work' }), ['w']);
    assert.deepEqual(
      await ids({ agentId: 'main', limit: 1, offset: 4 }),
      ['m5'],
      'a job without an agent is the default agent’s',
    );
    assert.deepEqual(await ids({ scheduleKind: 'cron' }), ['w']);
    assert.deepEqual(await ids({ lastRunStatus: 'unknown', query: 'm1' }), ['m1']);
    assert.deepEqual(await ids({ enabled: 'disabled' }), ['off']);
    assert.deepEqual(await ids({ trigger: 'conditional' }), []);
    assert.equal((await client.call('cron.list', { enabled: 'all' })).total, 7);
    assert.equal((await client.request('cron.list', { agentId: 'nobody' })).error.details.code, 'UNKNOWN_AGENT_ID');
  });

  it('refuse a change of what is no longer there', async () => {
    await using gateway = await startCronGateway();
    const client = await gateway.client();
    const { configRevision } = await client.call('cron.add', report);
    await client.call('cron.update', { id: 'job-1', patch: { name: 'mine' }, expectedConfigRevision: configRevision });
    const { error } = await client.request('cron.update', {
      id: 'job-1',
      patch: { name: 'theirs' },
      expectedConfigRevision: configRevision,
    });
    assert.equal(error.details.code, 'CRON_JOB_CHANGED');
    assert.equal(gateway.cron.jobs.get('job-1')!.name, 'mine');
  });

  it('(T159) say which field is wrong', async () => {
    await using gateway = await startCronGateway();
    const client = await gateway.client();
    const wrong: readonly (readonly [string, object, RegExp])[] = [
      ['cron.add', { ...report, sessionTarget: 'main' }, /main cron jobs require payload\.kind="systemEvent"/],
      [
        'cron.add',
        { ...report, payload: { kind: 'systemEvent', text: 'x' } },
        /isolated cron jobs require payload\.kind="agentTurn"/,
      ],
      ['cron.add', { payload: { text: 'x' } }, /schedule: /],
      ['cron.get', {}, /jobId: is required/],
      ['cron.update', { id: 'a' }, /patch: /],
      ['cron.run', { id: 'a', mode: 'now' }, /mode: /],
      ['cron.runs', { id: '../../etc/passwd' }, /id: an id has no slashes/],
      ['cron.get', { id: 'a\u0000b' }, /id: /],
      ['cron.runs', { limit: 5001 }, /limit: /],
      ['cron.runs', { scope: 'job' }, /jobId: is required with scope/],
      ['cron.list', { limit: 0 }, /limit: /],
      ['cron.preview', {}, /schedule: is required/],
      ['cron.preview', { schedule: 'whenever' }, /schedule: cannot read "whenever"/],
      ['cron.calendar', { fromMs: 2, toMs: 1 }, /toMs: is before fromMs/],
      ['cron.calendar', { fromMs: 0, toMs: 401 * 24 * HOUR }, /toMs: is more than 400 days/],
      ['cron.status', { surprise: 1 }, /unknown property "surprise"/],
    ];
    for (const [name, params, says] of wrong) {
      const { error } = await client.request(name, params);
      assert.equal(error?.code, 'INVALID_REQUEST', `${name} ${JSON.stringify(params)}`);
      assert.match(error.message, says);
    }
  });

  it('run when due, by force, or unless they are off', async () => {
    await using gateway = await startCronGateway();
    gateway.cron.put({ id: 'a' });
    gateway.cron.put({ id: 'off', enabled: false });
    const client = await gateway.client();
    assert.deepEqual(await client.call('cron.run', { id: 'a' }), {
      ok: true,
      ran: false,
      enqueued: false,
      reason: 'not-due',
    });
    assert.deepEqual(await client.call('cron.run', { jobId: 'a', mode: 'force' }), {
      ok: true,
      ran: true,
      enqueued: true,
      runId: `cron:a:${FAKE_NOW}`,
    });
    assert.equal((await client.call('cron.run', { id: 'a', mode: 'if-enabled' })).ran, true);
    assert.equal((await client.call('cron.run', { id: 'off', mode: 'if-enabled' })).reason, 'disabled');
    assert.equal((await client.request('cron.run', { id: 'gone' })).error.details.code, 'CRON_JOB_NOT_FOUND');
    assert.deepEqual(
      gateway.cron.asked.map(({ params }) => params),
      [
        ['a', 'due'],
        ['a', 'force'],
        ['a', 'force'],
      ],
    );
  });

  it('may be read with operator.read, and changed by administrators only', async () => {
    await using gateway = await startCronGateway();
    gateway.cron.put({ id: 'a' });
    const reader = await gateway.client({ scopes: ['operator.read'] });
    for (const [name, params] of [
      ['cron.status', {}],
      ['cron.list', {}],
      ['cron.get', { id: 'a' }],
      ['cron.runs', {}],
      ['cron.preview', { schedule: 'in 5 minutes' }],
      ['cron.calendar', {}],
    ] as const)
      assert.equal((await reader.request(name, params)).ok, true, name);
    const writer = await gateway.client({ scopes: ['operator.write'] });
    for (const [name, params] of [
      ['cron.add', report],
      ['cron.update', { id: 'a', patch: {} }],
      ['cron.remove', { id: 'a' }],
      ['cron.run', { id: 'a' }],
    ] as const)
      assert.equal((await writer.request(name, params)).error.details.missingScope, 'operator.admin', name);
    assert.equal(gateway.cron.asked.length, 0);
  });
});

describe('cron runs on the wire', () => {
  it('(T165) are the newest, oldest first, of one job or of all, without those under way', async () => {
    await using gateway = await startCronGateway();
    const { cron } = gateway;
    cron.put({ id: 'a', name: 'Morning' });
    for (let n = 0; n < 5; n++)
      cron.ran({
        jobId: 'a',
        slotMs: n,
        startedAtMs: 100 + n,
        endedAtMs: 200 + n,
        ...(n === 3 && {
          state: 'error',
          error: 'broke',
          delivery: { status: 'not-delivered', channel: 'telegram', to: '1', error: 'blocked' },
        }),
      });
    cron.ran({
      jobId: 'b',
      slotMs: 9,
      summary: 'Rain',
      state: 'ok',
      sessionKey: 'agent:main:cron:b',
      sessionId: 's',
      delivery: { status: 'pending' },
    });
    cron.ran({ jobId: 'a', slotMs: 10, state: 'running' });
    const client = await gateway.client({ scopes: ['operator.read'] });
    const slots = async (params: object): Promise<number[]> =>
      (await client.call('cron.runs', params)).entries.map(({ slotMs }: any) => slotMs);
    assert.deepEqual(await slots({ jobId: 'a', limit: 3 }), [3, 4]);
    assert.deepEqual(await slots({ id: 'a', status: 'ok' }), [0, 1, 2, 4]);
    assert.deepEqual(await slots({}), [0, 1, 2, 3, 4, 9]);
    assert.deepEqual(await slots({ sortDir: 'desc', statuses: ['ok'], limit: 2 }), [9, 4]);
    assert.deepEqual(await slots({ statuses: ['ok'], limit: 2, offset: 1 }), [2, 4]);
    assert.deepEqual(await slots({ query: 'rain' }), [9]);
    assert.deepEqual(await slots({ deliveryStatus: 'unknown' }), [9]);
    assert.deepEqual(await slots({ runId: 'cron:a:2' }), [2]);
    assert.deepEqual(await slots({ agentId: 'main', deliveryStatuses: ['not-delivered'] }), [3]);
    assert.deepEqual(await slots({ agentId: 'work' }), []);
    assert.deepEqual(await slots({ id: 'nobody' }), []);
    const [entry] = (await client.call('cron.runs', { status: 'error' })).entries;
    assert.deepEqual(entry, {
      ts: 203,
      jobId: 'a',
      jobName: 'Morning',
      action: 'finished',
      status: 'error',
      error: 'broke',
      runAtMs: 103,
      durationMs: 100,
      runId: 'cron:a:3',
      slotMs: 3,
      attempt: 0,
      trigger: 'schedule',
      deliveryStatus: 'not-delivered',
      deliveryError: 'blocked',
      delivered: false,
      delivery: { intended: { channel: 'telegram', to: '1' } },
    });
  });

  it('are sent to clients with the read scope, until nobody subscribes', async () => {
    const gateway = await startCronGateway();
    const { cron } = gateway;
    {
      await using _ = gateway;
      const reader = await gateway.client({ scopes: ['operator.read'] });
      const outsider = await gateway.client({ scopes: ['operator.approvals'] });
      await (await gateway.client()).call('cron.add', report);
      assert.deepEqual((await reader.event('cron')).payload, { action: 'added', jobId: 'job-1' });
      cron.ran({ jobId: 'job-1', state: 'running', startedAtMs: 7 });
      assert.deepEqual((await reader.event('cron', ({ action }) => action === 'started')).payload, {
        action: 'started',
        jobId: 'job-1',
        runAtMs: 7,
      });
      cron.ran({ jobId: 'job-1', summary: 'done' });
      const { payload } = await reader.event('cron', ({ action }) => action === 'finished');
      assert.deepEqual(
        [payload.jobName, payload.status, payload.summary, payload.durationMs],
        ['Report', 'ok', 'done', 1500],
      );
      await outsider.request('exec.approval.list');
      assert.equal(
        outsider.frames.some((frame: any) => frame.event === 'cron'),
        false,
      );
    }
    gateway.unfollow();
    assert.equal(cron.listeners.size, 0);
  });
});

describe('coming runs', () => {
  it('are foretold of a schedule that is only thought of', async () => {
    await using gateway = await startCronGateway();
    const client = await gateway.client({ scopes: ['operator.read'] });
    assert.deepEqual(await client.call('cron.preview', { schedule: 'every 20 minutes', count: 2 }), {
      schedule: { kind: 'every', everyMs: 1_200_000 },
      when: 'every 20 minutes',
      zone: 'UTC',
      nextRunsAtMs: [FAKE_NOW + 1_200_000, FAKE_NOW + 2_400_000],
    });
    assert.equal((await client.call('cron.preview', { schedule: { expr: '0 7 * * *' } })).nextRunsAtMs.length, 3);
    assert.equal(gateway.cron.jobs.size, 0);
  });

  it('stand in a calendar, as many as asked for', async () => {
    await using gateway = await startCronGateway();
    gateway.cron.put({ id: 'a', name: 'A', schedule: { kind: 'every', everyMs: 2 * HOUR } });
    const client = await gateway.client({ scopes: ['operator.read'] });
    const span = { fromMs: FAKE_NOW, toMs: FAKE_NOW + 5 * HOUR };
    assert.deepEqual(await client.call('cron.calendar', span), {
      ...span,
      runs: [
        { jobId: 'a', name: 'A', atMs: FAKE_NOW + 2 * HOUR },
        { jobId: 'a', name: 'A', atMs: FAKE_NOW + 4 * HOUR },
      ],
      more: false,
    });
    assert.equal((await client.call('cron.calendar', { ...span, limit: 1 })).more, true);
    const week = await client.call('cron.calendar');
    assert.equal(week.toMs - week.fromMs, 7 * 24 * HOUR);
  });
});
