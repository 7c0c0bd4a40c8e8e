/** Answers about the gateway itself: hello, health, status, logs, wakes and restarts. */
import { z } from 'zod';
import { accountStatus } from './channels.ts';
import { presenceEntry } from './presence.ts';
import { byName, done, instant, list, restartPlan, text } from './shapes.ts';

const storage = z.strictObject({
  ok: z.boolean(),
  error: text.exactOptional(),
  loss: text
    .exactOptional()
    .describe('What was lost because files of the journal disappeared while the gateway was running.'),
});
const config = z.strictObject({
  valid: z.boolean(),
  source: z.enum(['file', 'last-good', 'defaults']),
  safeMode: z.boolean(),
  issues: list(z.strictObject({ path: text, problem: text, fix: text.exactOptional() })),
});
const phase = z.enum(['starting', 'ready', 'draining']);

const summary = {
  ok: z.literal(true).describe('Only that the gateway answers.'),
  ts: instant,
  durationMs: z.number(),
  eventLoop: z.strictObject({
    degraded: z.boolean(),
    reasons: list(text),
    intervalMs: z.number(),
    delayP99Ms: z.number(),
    delayMaxMs: z.number(),
    utilization: z.number(),
    cpuCoreRatio: z.number(),
  }),
  channels: byName(
    z.strictObject({ configured: z.boolean(), ok: z.boolean(), summary: text, accounts: list(accountStatus) }),
  ),
  channelOrder: list(text),
  channelLabels: byName(text),
  defaultAgentId: text,
  sessions: z.strictObject({
    path: text,
    count: z.number(),
    recent: list(z.strictObject({ key: text, updatedAt: instant, age: z.number() })),
  }),
};
/** The published shape. Loose: features add facts of their own. */
const healthSummary = z.looseObject(summary);
/** The health of the gateway in a few fields. */
export type HealthSummary = z.output<typeof healthSummary>;

const details = { phase, storage, config, overdue: z.number() };

const health = healthSummary.extend(details);
/** Answer of `health`. */
export type WireHealth = z.output<typeof health>;

const durations = z.strictObject({ count: z.number(), p50Ms: z.number(), p99Ms: z.number(), maxMs: z.number() });

const performanceReport = z.strictObject({
  sinceMs: instant.describe('An hour ago, or later where so many messages came that only the newest were looked at.'),
  messages: z.number(),
  answers: z
    .strictObject({ count: z.number(), p50Ms: z.number(), p95Ms: z.number() })
    .describe('From the acceptance of a message to its end.'),
  eventLoop: z
    .strictObject({ p99Ms: z.number(), maxMs: z.number(), writtenBytes: z.number() })
    .describe('Delay in the worst minute, and what the process wrote to disks meanwhile, as the system counts it.'),
  commits: durations.describe('Commits of the journal, which hold up the event loop.'),
  syncs: durations.describe('Syncs of the journal, which hold up only what waits for them.'),
  slowest: list(
    z.strictObject({
      stage: text,
      at: instant,
      ms: z.number(),
      detail: text.exactOptional(),
      runId: text,
      sessionKey: text,
    }),
  ).describe('The slowest steps of these messages, slowest first.'),
});
/** Answer of `performance`. */
export type PerformanceReport = z.output<typeof performanceReport>;

const status = z.looseObject({
  ...details,
  accepting: z.boolean(),
  startedAt: instant,
  activeTurns: z.number(),
  queuedMessages: z.number(),
  outboxPending: z.number(),
  eventLoop: z.strictObject({ p99Ms: z.number(), maxMs: z.number(), utilization: z.number() }),
  rssBytes: z.number(),
  model: z.strictObject({ provider: text, model: text, source: text }),
  descriptors: z.strictObject({ limit: z.number(), used: z.number(), problem: text.exactOptional() }).exactOptional(),
  version: text,
  stateDir: text,
  ts: instant,
  uptimeMs: z.number(),
  connections: z.number(),
  unreadBytes: z.number(),
  channelProblems: list(
    z.strictObject({ channel: text, accountId: text, kind: text, message: text, fix: text.exactOptional() }),
  ),
  channelSummary: list(text),
  sessions: z.strictObject({
    path: text,
    count: z.number(),
    defaults: z.strictObject({ modelProvider: text, model: text }),
    recent: list(
      z.strictObject({
        key: text,
        sessionId: text,
        updatedAt: instant,
        age: z.number(),
        totalTokens: z.number().nullable(),
        contextTokens: z.number().nullable(),
      }),
    ),
  }),
});
/** Answer of `status`. */
export type WireStatus = z.output<typeof status>;

const hello = z.strictObject({
  type: z.literal('hello-ok'),
  protocol: z.number(),
  server: z.strictObject({ version: text, bootId: text, connId: text }),
  features: z.strictObject({ methods: list(text), events: list(text) }),
  snapshot: z.strictObject({
    presence: list(presenceEntry),
    health: z.union([healthSummary, z.strictObject({})]).describe('Empty without the scope operator.read.'),
    stateVersion: z.strictObject({ presence: z.number(), health: z.number() }),
    uptimeMs: z.number(),
    configPath: text.exactOptional(),
    stateDir: text.exactOptional(),
    sessionDefaults: z
      .strictObject({
        defaultAgentId: text,
        mainKey: text,
        mainSessionKey: text,
        scope: z.enum(['per-sender', 'global']),
      })
      .exactOptional(),
    authMode: z.enum(['token', 'password']).exactOptional(),
  }),
  auth: z.strictObject({
    role: text,
    scopes: list(text),
    deviceToken: text.exactOptional(),
    issuedAtMs: instant.exactOptional(),
  }),
  policy: z.strictObject({
    maxPayload: z.number(),
    maxBufferedBytes: z.number(),
    tickIntervalMs: z.number(),
    attachments: z.strictObject({ maxBytes: z.number(), maxImageBytes: z.number() }),
  }),
});
/** The answer to `connect`: what this gateway can do, and what the client may. */
export type HelloOk = z.output<typeof hello>;

const logs = z.strictObject({
  file: text,
  cursor: z.number(),
  size: z.number(),
  lines: list(text),
  truncated: z.boolean(),
  reset: z.boolean(),
});

const followed = z.strictObject({ subscribed: z.boolean() });
const newLines = z.strictObject({
  file: text,
  from: z.number().describe('Where the lines before these ended, in bytes of the file.'),
  cursor: z.number().describe('Where these end: `cursor` for `logs.tail`.'),
  lines: list(text),
  truncated: z.boolean().describe('There were more lines than an event carries; these are the last.'),
});

/** Payload of `logs.lines`. */
export type LogLinesEvent = z.output<typeof newLines>;

const ability = z.strictObject({
  kind: z.enum(['link', 'image', 'audio', 'video', 'file']),
  on: z.boolean().describe('False when configuration says so; links are off until a command is configured.'),
  by: list(text).describe('Commands and providers in the order they are tried.'),
  shown: z.boolean().exactOptional().describe('The chat model receives the file directly.'),
});
/** One kind of link or attachment, and what reads it. */
export type Understands = z.output<typeof ability>;

/** Answers of the methods about the gateway itself. */
export const systemAnswers = {
  connect: hello,
  health,
  status,
  performance: performanceReport,
  'logs.subscribe': followed,
  'logs.tail': logs,
  'logs.unsubscribe': followed,
  'understanding.status': z.strictObject({ abilities: list(ability) }),
  'journal.copy': z.strictObject({ path: text }),
  'system-event': done,
  wake: z.strictObject({ ok: z.boolean() }),
  'gateway.restart.request': restartPlan,
};

/** `ts` of the challenge is what a device signs as its time. */
const challenge = z.strictObject({ nonce: text, ts: instant });
/** Payload of `connect.challenge`. */
export type ConnectChallenge = z.output<typeof challenge>;
/** Milliseconds; `restartExpectedMs` when the gateway comes back by itself. */
const shutdown = z.strictObject({ reason: text, restartExpectedMs: z.number().exactOptional() });
/** Payload of `shutdown`. */
export type ShutdownEvent = z.output<typeof shutdown>;

/** Payloads of the gateway's own events. */
export const systemEvents = {
  'connect.challenge': challenge,
  'logs.lines': newLines,
  tick: z.strictObject({ ts: instant }),
  shutdown,
  health,
  presence: z.strictObject({ presence: list(presenceEntry) }),
};
