/** Validates every frame of the gateway with the published protocol package and with our answer schemas. */
import { ProtocolSchemas } from '@openclaw/gateway-protocol/schema';
import assert from 'node:assert/strict';
import { Compile } from 'typebox/compile';
import type { TSchema } from 'typebox';
import { frameFault } from './answer-check.ts';

type SchemaName = keyof typeof ProtocolSchemas;

const EVENT_SCHEMAS: Readonly<Record<string, SchemaName>> = {
  chat: 'ChatEvent',
  agent: 'AgentEvent',
  tick: 'TickEvent',
  shutdown: 'ShutdownEvent',
  'device.pair.requested': 'DevicePairRequestedEvent',
  'device.pair.resolved': 'DevicePairResolvedEvent',
};

/** Methods whose results the package describes. */
const RESULT_SCHEMAS: Readonly<Record<string, SchemaName>> = {
  connect: 'HelloOk',
  'agents.list': 'AgentsListResult',
  'models.list': 'ModelsListResult',
  'agent.identity.get': 'AgentIdentityResult',
  'sessions.resolve': 'SessionsResolveResult',
  'sessions.delete': 'SessionsDeleteResult',
  'config.schema': 'ConfigSchemaResponse',
  'tools.catalog': 'ToolsCatalogResult',
  'tools.effective': 'ToolsEffectiveResult',
  'tools.invoke': 'ToolsInvokeResult',
  'exec.approvals.get': 'ExecApprovalsSnapshot',
  'exec.approvals.set': 'ExecApprovalsSnapshot',
  'logs.tail': 'LogsTailResult',
  'channels.status': 'ChannelsStatusResult',
  'device.token.rotate': 'DeviceTokenRotateResult',
};

/**
 * Fields of a cron job that are ours or of the older documents; the published job has no room for them, and its readers
 * pass them by.
 */
const OWN_CRON_FIELDS: Readonly<Record<string, readonly string[]>> = {
  '': ['when', 'zone', 'nextRunsAtMs', 'problem', 'missed', 'isolation'],
  schedule: ['atMs'],
  state: ['disabledReason'],
  run: ['slotMs', 'attempt', 'trigger'],
  payload: ['deliver', 'channel', 'to', 'accountId', 'threadId', 'chatKind', 'bestEffortDeliver'],
};
const OWN_UPDATE_FIELDS = ['mode', 'root', 'current', 'reason', 'advice', 'running', 'last'];
const CRON_JOB_METHODS = ['cron.get', 'cron.add', 'cron.update'];

const without = (value: object, place: string): object =>
  Object.fromEntries(Object.entries(value).filter(([key]) => !OWN_CRON_FIELDS[place]!.includes(key)));
const publishedJob = (job: any): unknown => ({
  ...without(job, ''),
  schedule: without(job.schedule, 'schedule'),
  payload: without(job.payload, 'payload'),
  state: without(job.state, 'state'),
});
const publishedUpdate = (status: object): unknown =>
  Object.fromEntries(Object.entries(status).filter(([key]) => !OWN_UPDATE_FIELDS.includes(key)));
const publishedRun = (run: object): unknown => without(run, 'run');

interface Compiled {
  Check(value: unknown): boolean;
  Errors(value: unknown): Iterable<{ instancePath: string; message: string }>;
}

/** Compiling takes milliseconds per schema, so each is compiled once per validator. */
export interface PublishedProtocol {
  /** Throws when a frame, or what it carries, is not as published. `method` is what a response answers. */
  check(frame: any, method?: string): void;
  /** Names the first fault of a value, or undefined. */
  fault(name: string, value: unknown): string | undefined;
  has(name: string): boolean;
}

export function publishedProtocol(): PublishedProtocol {
  const compiled = new Map<string, Compiled>();
  const schemas = ProtocolSchemas as unknown as Record<string, TSchema>;
  const validator = (name: string): Compiled =>
    compiled.get(name) ?? compiled.set(name, Compile(schemas[name]!) as unknown as Compiled).get(name)!;

  function fault(name: string, value: unknown): string | undefined {
    if (validator(name).Check(value)) return undefined;
    const [first] = validator(name).Errors(value);
    return `${name}${first?.instancePath ?? ''}: ${first?.message ?? 'invalid'}`;
  }
  const must = (name: string, value: unknown): void =>
    assert.equal(fault(name, value), undefined, JSON.stringify(value)?.slice(0, 800));

  return {
    fault,
    has: (name) => name in schemas,
    check(frame, method) {
      must('GatewayFrame', frame);
      assert.equal(frameFault(frame, method), undefined, JSON.stringify(frame.payload)?.slice(0, 800));
      if (frame.type === 'event') {
        const schema = EVENT_SCHEMAS[frame.event];
        if (schema) must(schema, frame.payload);
        if (frame.event === 'presence') for (const entry of frame.payload.presence) must('PresenceEntry', entry);
      } else if (frame.ok && method) {
        const schema = RESULT_SCHEMAS[method];
        if (schema) must(schema, frame.payload);
        if (method === 'sessions.list') for (const row of frame.payload.sessions) must('SessionRow', row);
        if (CRON_JOB_METHODS.includes(method)) must('CronJob', publishedJob(frame.payload));
        if (method === 'cron.list') for (const job of frame.payload.jobs) must('CronJob', publishedJob(job));
        if (method === 'cron.runs') for (const run of frame.payload.entries) must('CronRunLogEntry', publishedRun(run));
        if (method === 'update.status') must('UpdateStatusResult', publishedUpdate(frame.payload));
        if (method === 'system-presence') for (const entry of frame.payload) must('PresenceEntry', entry);
      }
    },
  };
}
