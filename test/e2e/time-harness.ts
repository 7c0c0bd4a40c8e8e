/** Runs a whole gateway with a test channel, a scripted model, and helpers for jobs. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { FakeReply } from '../../src/testing/fake-models/wire.ts';
import {
  startGateway,
  type Chat,
  type GatewayOptions,
  type RunningGateway,
} from '../../src/testing/running-gateway.ts';
import { until } from '../../src/testing/until.ts';
import { desks, type DeskChat } from '../fixtures/desk-channel/index.ts';

const PLUGIN = join(import.meta.dirname, '..', 'fixtures', 'desk-channel');

export interface TimeHarness extends AsyncDisposable {
  readonly gateway: RunningGateway;
  readonly chat: Chat;
  readonly desk: DeskChat;
  /** What the bot said at the desk, in order. */
  said(): string[];
  /** Connects anew, after a restart. */
  again(): Promise<void>;
  job(job: object): Promise<any>;
  /** Waits until a run of this job has ended and the job says so; the run's entry. */
  finished(jobId: string, nth?: number): Promise<any>;
  runs(jobId?: string): Promise<any[]>;
  /** Answers a request of the model by the text it ends with. */
  model(rules: readonly (readonly [RegExp, FakeReply | ((text: string) => FakeReply)])[]): void;
  /** What the model was asked last by a request whose last text fits. */
  asked(pattern: RegExp): string[];
}

export async function openTime(
  table: string,
  { config = {}, channel = {}, ...options }: { config?: any; channel?: object } & Omit<GatewayOptions, 'config'> = {},
): Promise<TimeHarness> {
  const { agents, channels, ...rest } = config;
  const gateway = await startGateway({
    ...options,
    config: {
      plugins: { load: { paths: [PLUGIN] } },
      channels: {
        desk: { table, allowFrom: ['ann'], groupAllowFrom: ['ann', 'bob'], groups: { '*': {} }, ...channel },
        ...channels,
      },
      agents: { ...agents, defaults: { heartbeat: { every: '0m' }, skipBootstrap: true, ...agents?.defaults } },
      ...rest,
    },
  });
  await until(() => desks.get(table), 'the desk');
  const state = { chat: await gateway.connect() };
  const runs = async (jobId?: string): Promise<any[]> =>
    (await state.chat.call('cron.runs', { ...(jobId ? { id: jobId } : { scope: 'all' }), limit: 100 })).entries;
  /** The ledger ends a run first; a moment later its job carries the result, or is gone when it was for once. */
  const written = async (id: string, runAtMs: number): Promise<boolean> => {
    const { jobs } = await state.chat.call('cron.list', { includeDisabled: true, limit: 100 });
    const job = jobs.find((each: any) => each.id === id);
    return job === undefined || job.state.lastRunAtMs >= runAtMs;
  };
  /** After a call the last text is the model's own, and often empty. */
  const lastText = (texts: readonly string[]): string => texts.findLast((text) => text !== '') ?? '';
  return {
    gateway,
    runs,
    get chat() {
      return state.chat;
    },
    get desk() {
      return desks.get(table)!;
    },
    said: () => desks.get(table)!.sent.map(({ text }) => text),
    async again() {
      state.chat = await gateway.connect();
    },
    job: (job) => state.chat.call('cron.add', job),
    async finished(jobId, nth = 1) {
      let found: any;
      await until(
        async () => (found = (await runs(jobId)).filter(({ action }) => action === 'finished')[nth - 1]),
        `run ${nth} of ${jobId}`,
      );
      await until(() => written(jobId, found.runAtMs), `run ${nth} of ${jobId} to be written into its job`);
      return found;
    },
    model(rules) {
      gateway.models.otherwise(({ texts }) => {
        const text = lastText(texts);
        const rule = rules.find(([pattern]) => pattern.test(text));
        assert.ok(rule, `no rule for: ${text}`);
        return typeof rule[1] === 'function' ? rule[1](text) : rule[1];
      });
    },
    asked: (pattern) =>
      gateway.models.requests.map(({ texts }) => lastText(texts)).filter((text) => pattern.test(text)),
    [Symbol.asyncDispose]: () => gateway[Symbol.asyncDispose](),
  };
}

/** A little ahead: long enough to be added, short enough to wait for. */
export const soon = (ms = 80): number => Date.now() + ms;
