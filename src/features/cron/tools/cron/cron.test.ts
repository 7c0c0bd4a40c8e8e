// The cron tool: what it makes of a model's arguments, what it asks the gateway for, and what it tells the model.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { parseToolInput } from '../../../../agent/schema/parse-tool-input.ts';
import { schemaFor } from '../../../../agent/schema/schema-for.ts';
import { AppError } from '../../../../core/errors.ts';
import type { GatewayAt } from '../../../../core/tool.ts';
import { textOf } from '../../../../core/transcript.ts';
import { runTool, toolContext, toolContract } from '../../../../testing/tool-contract.ts';
import cron from './index.ts';

const JOB = {
  id: 'job-1',
  name: 'Stretch',
  enabled: true,
  when: 'every 20 minutes',
  nextRunsAtMs: [1_768_478_400_000],
  nextRuns: ['Thu, 15 Jan 2026, 13:00 Europe/Berlin'],
  sessionTarget: 'session:agent:main:main',
  payload: { kind: 'agentTurn', message: 'Reminder: stretch', deliver: true, channel: 'alpha', to: '42' },
  state: {},
};

/** A gateway that says what it was asked; `gone` is a job nobody knows. */
function gateway(answers: Readonly<Record<string, unknown>> = {}) {
  const asked: { method: string; params: any; at: GatewayAt | undefined }[] = [];
  const all: Readonly<Record<string, unknown>> = {
    'cron.add': JOB,
    'cron.update': JOB,
    'cron.list': { jobs: [JOB], total: 1 },
    'cron.status': { enabled: true, jobs: 1 },
    'cron.remove': { ok: true, removed: true },
    'cron.run': { ok: true, ran: true },
    'cron.runs': { entries: [] },
    wake: { ok: true },
    ...answers,
  };
  const rpc = async (method: string, params: any, at?: GatewayAt): Promise<unknown> => {
    asked.push({ method, params, at });
    if (params?.id === 'gone') throw new AppError('not_found', 'There is no job "gone" here.');
    return all[method];
  };
  return { asked, rpc };
}

const call = async (input: object, answers?: Readonly<Record<string, unknown>>) => {
  const { asked, rpc } = gateway(answers);
  const result = await runTool(cron, input, toolContext('/w', { rpc }));
  return { result, asked, text: textOf(result.content) };
};

toolContract({
  tool: cron,
  good: {
    action: 'add',
    job: { schedule: 'in 20 minutes', payload: { kind: 'agentTurn', message: 'Reminder: stretch' } },
  },
  bad: [
    { input: {}, says: /action/ },
    { input: { action: 'fly' }, says: /action/ },
    { input: { action: 'add', job: 'soon' }, says: /job/ },
    { input: { action: 'wake', text: 'x', mode: 'later' }, says: /mode/ },
  ],
  failing: [
    { input: { action: 'add' }, says: /job required/ },
    { input: { action: 'update', jobId: 'a' }, says: /patch required/ },
    { input: { action: 'wake' }, says: /text required/ },
    { input: { action: 'wake', text: '  ' }, says: /text required/ },
    ...['update', 'remove', 'run', 'runs'].map((action) => ({
      input: { action, patch: { name: 'x' } },
      says: /jobId required/,
    })),
    { input: { action: 'remove', jobId: 'gone' }, says: /no job "gone"/ },
  ],
  rpc: gateway().rpc,
});

test('what is planned while cron is switched off says so; what cannot be asked changes nothing', async () => {
  const job = { schedule: 'in 20 minutes', payload: { kind: 'agentTurn', message: 'x' } };
  const off = { 'cron.status': { enabled: false } };
  for (const input of [
    { action: 'add', job },
    { action: 'update', jobId: 'a', patch: { name: 'n' } },
  ]) {
    assert.match((await call(input, off)).text, /"warning":"The job is saved but will not run: cron is disabled/);
    assert.doesNotMatch((await call(input)).text, /warning/);
  }
  const broken = await runTool(
    cron,
    { action: 'add', job },
    toolContext('/w', {
      rpc: async (method) => {
        if (method === 'cron.status') throw new AppError('denied', 'no');
        return JOB;
      },
    }),
  );
  assert.notEqual(broken.isError, true);
});

describe('what the model reads', () => {
  const texts = (): string => cron.description + JSON.stringify(schemaFor('openai-completions', cron));

  test('three complete jobs, each of which the tool takes as it stands', async () => {
    const examples = [...cron.description.matchAll(/: (\{.*\})$/gm)].map(([, json]) => JSON.parse(json!) as object);
    assert.equal(examples.length, 3);
    for (const job of examples) {
      const { result, asked } = await call({ action: 'add', job });
      assert.notEqual(result.isError, true);
      assert.deepEqual(asked[0]!.params, job);
    }
    assert.ok(cron.description.length <= 1024, `${cron.description.length} characters`);
    for (const word of ['current', 'isolated', 'main', 'wakeMode', 'tomorrow 9:00'])
      assert.ok(texts().includes(word), word);
  });

  test('a small schema: no unions, enums of words', () => {
    const schema = schemaFor('openai-completions', cron);
    assert.doesNotMatch(JSON.stringify(schema), /anyOf|oneOf|allOf|"integer"/);
    assert.deepEqual((schema['properties'] as any).action.enum, [
      'status',
      'list',
      'add',
      'update',
      'remove',
      'run',
      'runs',
      'wake',
    ]);
    assert.ok(JSON.stringify(schema).length < 4000);
  });
});

describe('what the tool asks for', () => {
  test('a job wherever the model put it', async () => {
    const job = { schedule: 'every weekday at 7', payload: { kind: 'agentTurn', message: 'm' } };
    const spellings = [
      { job },
      { ...job },
      { job: JSON.stringify(job) },
      { job: { schedule: job.schedule }, payload: job.payload },
    ];
    for (const spelling of spellings)
      assert.deepEqual(
        (await call({ action: 'add', ...spelling })).asked[0],
        { method: 'cron.add', params: job, at: {} },
        JSON.stringify(spelling),
      );
    const flat = await call({ action: 'add', at: 'tomorrow 9:00', message: 'm', name: 'n', text: null });
    assert.deepEqual(flat.asked[0]!.params, { at: 'tomorrow 9:00', message: 'm', name: 'n' });
    assert.deepEqual(
      (await call({ action: 'add', job: { ...job, agentId: null } })).asked[0]!.params.agentId,
      null,
      '(T163) null is kept',
    );
  });

  test('(T166) context of ten messages at most, and none for nothing', async () => {
    const job = { schedule: 'in 5 minutes', payload: { kind: 'systemEvent', text: 'x' } };
    assert.deepEqual((await call({ action: 'add', job, contextMessages: 20 })).asked[0]!.params, {
      job,
      contextMessages: 10,
    });
    assert.deepEqual((await call({ action: 'add', job, contextMessages: '3' })).asked[0]!.params.contextMessages, 3);
    for (const contextMessages of [0, -4, 0.5])
      assert.deepEqual((await call({ action: 'add', job, contextMessages })).asked[0]!.params, job);
    assert.deepEqual(
      (await call({ action: 'add', job, contextMessages: 5, gatewayUrl: 'ws://127.0.0.1:9' })).asked[0]!.params,
      job,
      'another gateway does not know the conversation',
    );
  });

  test('(T166) jobId before id, and either', async () => {
    assert.deepEqual((await call({ action: 'remove', id: 'a', jobId: 'b' })).asked[0]!.params, { id: 'b' });
    assert.deepEqual((await call({ action: 'runs', id: 'a', limit: 3 })).asked[0]!.params, { id: 'a', limit: 3 });
    assert.deepEqual((await call({ action: 'update', jobId: 'a', enabled: false })).asked[0]!.params, {
      id: 'a',
      patch: { enabled: false },
    });
    assert.deepEqual((await call({ action: 'update', jobId: 'a', patch: { name: 'n' } })).asked[0]!.params, {
      id: 'a',
      patch: { name: 'n' },
    });
  });

  test('(T173) run means now', async () => {
    const { asked, text } = await call({ action: 'run', jobId: 'a' });
    assert.deepEqual(asked[0]!.params, { id: 'a', mode: 'force' });
    assert.equal(JSON.parse(text).started, 'a');
    const busy = await call(
      { action: 'run', jobId: 'a' },
      { 'cron.run': { ok: true, ran: false, reason: 'already-running' } },
    );
    assert.deepEqual([busy.result.isError, busy.text], [true, 'Job a was not started: it is already running.']);
  });

  test('the gateway named, with its token and time', async () => {
    const { asked } = await call({
      action: 'status',
      gatewayUrl: ' ws://127.0.0.1:9 ',
      gatewayToken: 't',
      timeoutMs: 5,
    });
    assert.deepEqual(asked[0]!.at, { url: 'ws://127.0.0.1:9', token: 't', timeoutMs: 5 });
    assert.deepEqual((await call({ action: 'wake', text: ' look ' })).asked[0]!.params, {
      text: 'look',
      mode: 'next-heartbeat',
    });
    assert.equal((await call({ action: 'list' })).asked[0]!.params.includeDisabled, false);
  });

  test('nothing once the turn was stopped', async () => {
    const { asked, rpc } = gateway();
    const parsed = parseToolInput(cron, { action: 'status' });
    assert.ok(parsed.ok);
    await assert.rejects(cron.run(parsed.input, toolContext('/w', { rpc, signal: AbortSignal.abort() })), {
      name: 'AbortError',
    });
    assert.equal(asked.length, 0);
  });
});

describe('what the tool tells', () => {
  test('a job in words, with its next instants, the whole of it beside', async () => {
    const { result, text } = await call({ action: 'add', job: { schedule: 'x' } });
    const { job } = JSON.parse(text);
    assert.deepEqual(
      [job.id, job.name, job.when, job.nextRuns, job.nextRunsAtMs, job.to],
      ['job-1', 'Stretch', 'every 20 minutes', JOB.nextRuns, JOB.nextRunsAtMs, 'alpha 42'],
    );
    assert.deepEqual(result.details, { job: JOB });
    assert.ok(!text.includes('\n'));
  });

  test('a list without what nobody asked for', async () => {
    const long = {
      ...JOB,
      id: 'b',
      enabled: false,
      nextRuns: [],
      payload: { kind: 'systemEvent', text: 'y'.repeat(400) },
      state: { lastStatus: 'error', lastRunAtMs: 0, lastError: 'broke', disabledReason: 'gave up' },
      problem: 'The agent is gone.',
    };
    const { jobs, total } = JSON.parse(
      (await call({ action: 'list' }, { 'cron.list': { jobs: [JOB, long], total: 9 } })).text,
    );
    assert.deepEqual([total, jobs[0].next, jobs[0].enabled], [9, JOB.nextRuns[0], undefined]);
    assert.deepEqual(
      [jobs[1].enabled, jobs[1].because, jobs[1].does.length, jobs[1].to, jobs[1].last, jobs[1].problem],
      [
        false,
        'gave up',
        160,
        undefined,
        { status: 'error', at: '1970-01-01T00:00:00.000Z', error: 'broke' },
        'The agent is gone.',
      ],
    );
  });

  test('runs with their outcome, and jobs of a gateway that says less', async () => {
    const entries = [
      { runAtMs: 0, durationMs: 5, status: 'ok', summary: 's'.repeat(300), deliveryStatus: 'delivered' },
    ];
    assert.deepEqual(JSON.parse((await call({ action: 'runs', jobId: 'a' }, { 'cron.runs': { entries } })).text).runs, [
      { at: '1970-01-01T00:00:00.000Z', ms: 5, status: 'ok', summary: `${'s'.repeat(159)}…`, delivery: 'delivered' },
    ]);
    const bare = JSON.parse(
      (
        await call(
          { action: 'update', jobId: 'a', patch: { name: 'n' } },
          { 'cron.update': { id: 'a', schedule: { kind: 'every', everyMs: 5 }, state: { nextRunAtMs: 0 } } },
        )
      ).text,
    );
    assert.deepEqual([bare.job.when, bare.job.nextRuns], [{ kind: 'every', everyMs: 5 }, ['1970-01-01T00:00:00.000Z']]);
    assert.equal(
      (await call({ action: 'remove', jobId: 'a' }, { 'cron.remove': { ok: true, removed: false } })).result.isError,
      true,
    );
  });
});
