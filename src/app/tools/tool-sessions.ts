/** What the session tools ask of the gateway for one turn: lists, histories, messages to other sessions, sub-agents. */
import type { AgentsConfig, ToolsConfig } from '../../agent/config.ts';
import type { Models } from '../../agent/models/create-models.ts';
import { agentEntry } from '../../agent/resolve-agent.ts';
import type { Opening } from '../../core/access-table.ts';
import { AppError } from '../../core/errors.ts';
import type { KeepVerdict } from '../../core/may.ts';
import { agentOfKey, type KeyRules } from '../../core/session-key.ts';
import type { Message } from '../../core/transcript.ts';
import type { Turn } from '../../core/turn.ts';
import type { SessionService } from '../../gateway/services.ts';
import type { SessionConfig } from '../../sessions/config.ts';
import type { SessionEntry } from '../../sessions/entry.ts';
import type { Exchanges } from '../exchange/create-exchanges.ts';
import { openSessions } from './opened.ts';
import { createSessionFinder } from './sessions/find-session.ts';
import { historyPage, type HistoryPage } from './sessions/history-page.ts';
import { listRows, type ListAnswer, type ListWish } from './sessions/list-rows.ts';
import { sendMessage, type SendAnswer, type SendWish } from './sessions/send-message.ts';
import { spawnSubagent, type SpawnAnswer, type SpawnWish } from './sessions/spawn-subagent.ts';
import { allowedAgents, type AllowedAgents } from './sessions/subagent-rules.ts';

export interface ToolSessionsDeps {
  readonly turn: Turn;
  readonly sessions: Pick<SessionService, 'get' | 'list' | 'tail'>;
  readonly exchanges: Exchanges;
  readonly models: Pick<Models, 'choose'>;
  config(): { readonly agents: AgentsConfig; readonly tools: Pick<ToolsConfig, 'sessions' | 'agentToAgent'>; readonly session: Pick<SessionConfig, 'sendPolicy' | 'agentToAgent'> };
  keyRules(): KeyRules;
  /** What `access.open` lists. */
  open(): readonly Opening[];
  keep?: KeepVerdict | undefined;
  /** Whether commands of a session are boxed in. */
  sandboxed(at: { readonly agentId: string; readonly sessionKey: string }): boolean;
  /** All messages of a session, oldest first; undefined: it has none. */
  messages(key: string): Promise<readonly Message[] | undefined>;
  transcriptPath(key: string, entry: SessionEntry): string;
  now(): number;
}

export interface HistoryWish { readonly sessionKey: string; readonly limit?: number | undefined; readonly offset?: number | undefined; readonly includeTools?: boolean | undefined }
export type HistoryAnswer = (HistoryPage & { readonly sessionKey: string }) | { readonly status: 'forbidden' | 'error'; readonly error: string };

/** The ones asking are our own tools, whose arguments the loop has checked. */
export interface ToolSessions {
  /** By method. */
  readonly methods: {
    'sessions.list'(wish: ListWish): Promise<ListAnswer>;
    'sessions.history'(wish: HistoryWish): Promise<HistoryAnswer>;
    'sessions.send'(wish: SendWish): Promise<SendAnswer>;
    'sessions.spawn'(wish: SpawnWish): Promise<SpawnAnswer>;
    'agents.list'(): Promise<AllowedAgents & { readonly requester: string }>;
  };
  /** The session named, else the turn's own, for tools that look at one or change it. Out of reach: `denied`; none of that name: `not_found`. */
  keyOf(written: string | undefined): Promise<string>;
}

export function createToolSessions(deps: ToolSessionsDeps): ToolSessions {
  const { turn, sessions, config } = deps;
  const { agentId, sessionKey } = turn.route;
  const agentOf = (key: string): string => agentOfKey(key, deps.keyRules());
  const boxed = (): boolean => deps.sandboxed(turn.route);
  const finder = createSessionFinder({
    requester: { key: sessionKey, agentId }, authority: turn.authority, keep: (verdict) => deps.keep?.(turn, verdict),
    open: () => openSessions(deps.open(), config().tools.sessions), sessions, agentOf, keyRules: deps.keyRules, sandboxed: boxed,
    visibility: () => {
      const { agents, tools } = config();
      return { visibility: tools.sessions.visibility, agentToAgent: tools.agentToAgent, sandboxVisibility: agentEntry({ agents }, agentId)?.sandbox?.sessionToolsVisibility ?? agents.defaults.sandbox.sessionToolsVisibility };
    },
  });

  async function history({ sessionKey: written, limit, offset, includeTools = false }: HistoryWish): Promise<HistoryAnswer> {
    const found = await finder.find(written, 'history');
    if (found.status !== 'ok') return { status: found.status, error: found.error };
    const { key } = found.session;
    return { sessionKey: finder.shown(key), ...historyPage((await deps.messages(key)) ?? [], { limit, offset, includeTools }) };
  }

  return {
    methods: {
      'sessions.list': (wish) => listRows(wish, { finder, sessions, agentOf, now: deps.now, transcriptPath: (key, entry) => (boxed() ? undefined : deps.transcriptPath(key, entry)) }),
      'sessions.history': history,
      'sessions.send': (wish) => sendMessage(wish, { turn, finder, exchanges: deps.exchanges, session: () => config().session, now: deps.now }),
      'sessions.spawn': (wish) => spawnSubagent(wish, { turn, exchanges: deps.exchanges, models: deps.models, sessions, config, sandboxed: deps.sandboxed, now: deps.now }),
      'agents.list': async () => ({ requester: agentId, ...allowedAgents(config(), agentId) }),
    },

    async keyOf(written) {
      const wanted = written?.trim();
      if (!wanted || wanted === sessionKey || wanted === finder.shown(sessionKey)) return sessionKey;
      const found = await finder.find(wanted, 'status');
      if (found.status === 'ok') return found.session.key;
      throw new AppError(found.status === 'forbidden' ? 'denied' : 'not_found', found.error);
    },
  };
}
