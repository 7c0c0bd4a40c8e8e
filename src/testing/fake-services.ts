/** All services of the gateway in memory, for the gateway's own tests. */
import { join } from 'node:path';
import type { WebhookHandler } from '../core/channel.ts';
import { AppError } from '../core/errors.ts';
import { joinFeatures, type FeatureSurface, type RunningFeature } from '../host/join-features.ts';
import { silentLog, type Log } from '../core/log.ts';
import { canonicalSessionKey, mainSessionKey } from '../core/session-key.ts';
import type { Message } from '../core/transcript.ts';
import type { ConfigStore } from '../config/store.ts';
import { gatewayConfigSchema, type GatewayConfig } from '../gateway/config.ts';
import type { ChannelService, ChannelStatus, SendRequest } from '../host/channel-services.ts';
import type { GatewayServices, GatewayStatus, StorageStatus } from '../gateway/services.ts';
import type { SessionService } from '../host/session-service.ts';
import type { Descriptors } from '../platform/descriptors.ts';
import type { PerformanceReport } from '../protocol/answers/system.ts';
import type { SessionEntry } from '../sessions/entry.ts';
import { createFakeChat, type FakeChat } from './fake-chat.ts';
import { createFakeAccess, createFakePairing, type FakePairing } from './fake-access.ts';
import { createFakeTools, type FakeTools } from './fake-tools.ts';
import { createFakeConfigStore } from './fake-config-store.ts';

export interface FakeServices extends GatewayServices {
  readonly chat: FakeChat;
  readonly pairing: FakePairing;
  readonly tools: FakeTools;
  readonly sessionEntries: Map<string, SessionEntry>;
  readonly restarts: { reason: string; delayMs?: number; sessionKey?: string; note?: string }[];
  readonly wakes: { text: string; mode: string }[];
  readonly sent: SendRequest[];
  readonly webhooks: Map<string, WebhookHandler>;
  /** Changes what `status()` and `storage()` answer. */
  setStatus(patch: Partial<GatewayStatus & StorageStatus>): void;
  setChannels(status: readonly ChannelStatus[]): void;
  setGatewayConfig(config: GatewayConfig): void;
}

export interface FakeServicesOptions {
  readonly features?: readonly RunningFeature[];
  readonly featureEvents?: FeatureSurface['subscribe'];
  readonly stateDir?: string;
  readonly descriptors?: Descriptors;
  readonly gateway?: unknown;
  readonly log?: Log;
  readonly config?: ConfigStore<unknown>;
}

export function createFakeServices(options: FakeServicesOptions = {}): FakeServices {
  const stateDir = options.stateDir ?? '/nonexistent/clawdbot-fake';
  const chat = createFakeChat();
  const sessionEntries = new Map<string, SessionEntry>();
  const restarts: FakeServices['restarts'] = [];
  const wakes: FakeServices['wakes'] = [];
  const sent: FakeServices['sent'] = [];
  const webhooks: FakeServices['webhooks'] = new Map();
  let gateway = gatewayConfigSchema.parse(options.gateway ?? {});
  let status = readyStatus;
  let channels: readonly ChannelStatus[] = [];

  return {
    features: joinFeatures(options.features ?? [], options.featureEvents),
    log: options.log ?? silentLog,
    version: '0.0.0-test',
    stateDir,
    descriptors: options.descriptors,
    chat,
    sessionEntries,
    restarts,
    wakes,
    sent,
    config: options.config ?? createFakeConfigStore({ gateway: options.gateway ?? {} }),
    gatewayConfig: () => gateway,
    sessions: fakeSessions(sessionEntries, chat, stateDir),
    agents: {
      defaultId: () => 'main',
      list: () => [
        {
          id: 'main',
          name: 'Clawd',
          identity: { name: 'Clawd', emoji: '🦞' },
          workspace: '/fake/clawd',
          model: 'fake/echo',
        },
        { id: 'work', workspace: '/fake/work', model: 'fake/echo' },
      ],
      models: async () => [
        { id: 'echo', name: 'Echo', provider: 'fake', contextWindow: 1000, input: ['text', 'image'] },
      ],
      pickModel: async (written) =>
        ['echo', 'fake/echo'].includes(written) ? { provider: 'fake', modelId: 'echo' } : undefined,
      mainSessionKey: (agentId = 'main') => mainSessionKey(agentId),
    },
    channels: fakeChannels(() => channels, sent),
    webhook: (path) => webhooks.get(path),
    webhooks,
    tools: createFakeTools(),
    pairing: createFakePairing(),
    access: createFakeAccess(),
    status: () => status,
    storage: async () => status,
    performance: async () => quietHour,
    requestRestart(request) {
      restarts.push(request);
      return { scheduledAt: 1000 + (request.delayMs ?? 0) };
    },
    async wake(request) {
      wakes.push(request);
    },
    copyJournal: async () => join(stateDir, 'tmp', 'journal-copy.sqlite'),
    logFile: { path: () => join(stateDir, 'logs', 'clawdbot-2026-01-15.log'), onWritten: () => () => undefined },
    setStatus: (patch) => void (status = { ...status, ...patch }),
    setChannels: (next) => void (channels = next),
    setGatewayConfig: (next) => void (gateway = next),
  };
}

const readyStatus: GatewayStatus & StorageStatus = {
  accepting: true,
  phase: 'ready',
  startedAt: 1,
  sessions: 0,
  activeTurns: 0,
  queuedMessages: 0,
  outboxPending: 0,
  overdue: 0,
  storage: { ok: true },
  config: { valid: true, source: 'file', safeMode: false, issues: [] },
  eventLoop: { p99Ms: 1, maxMs: 2, utilization: 0.1 },
  rssBytes: 1,
  model: { provider: 'fake', model: 'echo', source: 'config' },
};

const NOTHING = { count: 0, p50Ms: 0, p99Ms: 0, maxMs: 0 };
const quietHour: PerformanceReport = {
  sinceMs: 1,
  messages: 0,
  answers: { count: 0, p50Ms: 0, p95Ms: 0 },
  eventLoop: { p99Ms: 1, maxMs: 2, writtenBytes: 0 },
  commits: NOTHING,
  syncs: NOTHING,
  slowest: [],
};

function fakeChannels(status: () => readonly ChannelStatus[], sent: FakeServices['sent']): ChannelService {
  return {
    status: async () => status(),
    subscribe: () => () => undefined,
    lookup: ({ channel = 'webchat' }) => ({
      channel,
      readOnly: false,
      reach: 'account',
      moderates: false,
      asksPlatform: false,
    }),
    resolve({ channel = status().length === 1 ? status()[0]!.id : undefined, accountId = 'default', to }) {
      if (channel === undefined) throw new AppError('invalid', 'Choose a channel to send to.');
      return { channel, accountId, chat: { kind: 'direct', id: to } };
    },
    async send(request) {
      if (request.channel && !status().some((channel) => channel.id === request.channel))
        throw new AppError('invalid', `Unknown channel ${request.channel}.`);
      sent.push(request);
      const channel = request.channel ?? 'fake';
      return {
        messageId: `p${sent.length}`,
        messageIds: [`p${sent.length}`],
        channel,
        address: { channel, accountId: 'default', chat: { kind: 'direct', id: request.to } },
      };
    },
    registry: async () =>
      status().map(({ id, label }) => ({
        id,
        label,
        aliases: id === 'telegram' ? ['tg'] : [],
        configured: true,
        chats: [],
        actions: [],
        credentials: [],
        setup: [],
      })),
    act: async () => ({}),
    restart: async () => {},
    stop: async () => {},
    logout: async () => ({ cleared: false, loggedOut: false }),
    login: async () => ({ ...LOGIN, prompt: { kind: 'qr', text: '2@picture', expiresAt: 60_000 }, nth: 1 }),
    loginWait: async () => ({ ...LOGIN, state: 'linked', message: 'Fake is logged in.' }),
    loginCancel: async () => ({ ...LOGIN, state: 'none', message: 'No login is running.' }),
  };
}

const LOGIN = {
  channel: 'fake',
  label: 'Fake',
  accountId: 'default',
  state: 'waiting',
  message: 'Scan the QR code with the phone.',
  connected: false,
  steps: ['Open the app.'],
} as const;

function fakeSessions(entries: Map<string, SessionEntry>, chat: FakeChat, stateDir: string): SessionService {
  const transcript = (key: string): readonly Message[] => chat.transcripts.get(key) ?? [];
  const put = (key: string, patch: object): SessionEntry => {
    const next = Object.fromEntries(
      Object.entries({ sessionId: `id-${key}`, ...entries.get(key), ...patch, updatedAt: 5 }).filter(
        ([, value]) => value !== null,
      ),
    ) as unknown as SessionEntry;
    entries.set(key, next);
    return next;
  };
  return {
    canonicalKey: (raw) => canonicalSessionKey(raw),
    get: async (key) => entries.get(key),
    list: async (filter = {}) =>
      [...entries]
        .map(([key, entry]) => ({ key, entry }))
        .filter(
          ({ key, entry }) =>
            (!filter.agentId || key.startsWith(`agent:${filter.agentId}:`)) &&
            (filter.archived === undefined || (entry.archived === true) === filter.archived) &&
            (filter.pinned === undefined || (entry.pinned === true) === filter.pinned) &&
            (!filter.label || entry.label === filter.label) &&
            (!filter.search || key.includes(filter.search)),
        )
        .slice(0, filter.limit ?? Infinity),
    count: async () => entries.size,
    storePath: (agentId = 'main') => join(stateDir, 'agents', agentId, 'sessions', 'sessions.json'),
    async patch(key, patch) {
      if (patch.label && [...entries].some(([other, entry]) => other !== key && entry.label === patch.label))
        throw new AppError('conflict', `label already in use: ${patch.label}`);
      return put(key, patch);
    },
    async branch(key, { entryId }) {
      const entry = entries.get(key);
      if (!entry) throw new AppError('not_found', `There is no session ${key}.`);
      const child = `${key}-branch`;
      return {
        key: child,
        entry: put(child, { branchedFrom: { key, sessionId: entry.sessionId, entryId } }),
        copied: 1,
      };
    },
    reset: async (key) => put(key, { sessionId: `fresh-${key}` }),
    async delete(key) {
      if (key === 'agent:main:main') throw new AppError('invalid', 'The main session cannot be deleted.');
      return { deleted: entries.delete(key), archived: [] };
    },
    compact: async (key, { maxLines }) =>
      transcript(key).length > (maxLines ?? 0)
        ? { compacted: true, kept: maxLines ?? 0 }
        : { compacted: false, reason: 'short' },
    tail: async (key, limit) => transcript(key).slice(-limit),
  };
}
