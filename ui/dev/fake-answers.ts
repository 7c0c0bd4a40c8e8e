/** Long answers of the fake gateway. */
import type { Answers } from '../../src/protocol/answers.ts';
import type { FakeState } from './fake-state.ts';

const STORAGE_PATH = '~/.clawdbot/agents/main/sessions/sessions.json';

/** Whole answer of `status`. */
export function statusOf(state: FakeState): Answers['status'] {
  return {
    phase: 'ready',
    accepting: true,
    startedAt: state.startedAt,
    activeTurns: state.runs.size,
    queuedMessages: 0,
    outboxPending: 0,
    overdue: 0,
    rssBytes: 88 * 1024 * 1024,
    storage: state.storage,
    config: {
      valid: state.config.valid,
      source: 'file',
      safeMode: state.safeMode,
      issues: state.config.issues.map(({ path, problem, fix }) => ({ path, problem, ...(fix ? { fix } : {}) })),
    },
    eventLoop: { p99Ms: 1.8, maxMs: 9.2, utilization: 0.02 },
    model: state.model,
    version: '0.1.0',
    stateDir: '~/.clawdbot',
    ts: Date.now(),
    uptimeMs: Date.now() - state.startedAt,
    connections: 1,
    unreadBytes: 0,
    channelProblems: [],
    channelSummary: [],
    sessions: {
      path: STORAGE_PATH,
      count: state.sessions.size,
      defaults: { modelProvider: state.model.provider, model: state.model.model },
      recent: [],
    },
  };
}

/** Whole answer of `health`. */
export function healthOf(state: FakeState): Answers['health'] {
  const { phase, storage, config, overdue } = statusOf(state);
  return {
    ok: true,
    ts: Date.now(),
    durationMs: 3,
    eventLoop: {
      degraded: false,
      reasons: [],
      intervalMs: 30_000,
      delayP99Ms: 1.8,
      delayMaxMs: 9.2,
      utilization: 0.02,
      cpuCoreRatio: 0.02,
    },
    channels: {},
    channelOrder: [],
    channelLabels: {},
    defaultAgentId: 'main',
    sessions: { path: STORAGE_PATH, count: state.sessions.size, recent: [] },
    phase,
    storage,
    config,
    overdue,
  };
}

/** Answer of `sessions.list` around its rows. */
export const listOf = (state: FakeState, sessions: readonly object[]): object => ({
  ts: Date.now(),
  path: STORAGE_PATH,
  count: sessions.length,
  totalCount: sessions.length,
  hasMore: false,
  defaults: { modelProvider: state.model.provider, model: state.model.model, contextTokens: null },
  sessions,
});

/** The entry of a session, as answers about one conversation have it. */
export function entryOf(state: FakeState, key: string): object {
  const {
    key: _key,
    kind: _kind,
    agentId: _agent,
    isMain: _main,
    derivedTitle: _title,
    ...entry
  } = state.session(key).row;
  return entry;
}

export const sessionsPath = (): string => STORAGE_PATH;
