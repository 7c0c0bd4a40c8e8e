/** Serves the session tools of one turn: lists and histories. */
import { AppError } from '../core/errors.ts';
import type { RecordAccess } from '../core/may.ts';
import { agentOfKey, type KeyRules } from '../core/session-key.ts';
import type { Message } from '../core/transcript.ts';
import type { Turn } from '../core/turn.ts';
import type { SessionService } from '../host/session-service.ts';
import type { FindSessions } from '../host/session-finder.ts';
import type { SessionEntry } from '../sessions/entry.ts';
import { historyPage, type HistoryPage } from './sessions/history-page.ts';
import { listRows, type ListAnswer, type ListRequest } from './sessions/list-rows.ts';

export interface ToolSessionsDeps {
  readonly turn: Turn;
  readonly sessions: Pick<SessionService, 'list' | 'tail'>;
  readonly finder: FindSessions;
  keyRules(): KeyRules;
  keep?: RecordAccess | undefined;
  /** Whether commands of a session are boxed in. */
  sandboxed(at: { readonly agentId: string; readonly sessionKey: string }): boolean;
  /** All messages of a session, oldest first; undefined: it has none. */
  messages(key: string): Promise<readonly Message[] | undefined>;
  transcriptPath(key: string, entry: SessionEntry): string;
  now(): number;
}

export interface HistoryRequest {
  readonly sessionKey: string;
  readonly limit?: number | undefined;
  readonly offset?: number | undefined;
  readonly includeTools?: boolean | undefined;
}
export type HistoryAnswer =
  | (HistoryPage & { readonly sessionKey: string })
  | { readonly status: 'forbidden' | 'error'; readonly error: string };

/** The ones asking are our own tools, whose arguments the loop has checked. */
export interface ToolSessions {
  /** By method. */
  readonly methods: {
    'sessions.list'(request: ListRequest): Promise<ListAnswer>;
    'sessions.history'(request: HistoryRequest): Promise<HistoryAnswer>;
  };
  /**
   * The session named, else the turn's own, for tools that look at one or change it. Out of reach: `denied`; none of
   * that name: `not_found`.
   */
  keyOf(written: string | undefined): Promise<string>;
}

export function createToolSessions(deps: ToolSessionsDeps): ToolSessions {
  const { turn, sessions } = deps;
  const { sessionKey } = turn.route;
  const agentOf = (key: string): string => agentOfKey(key, deps.keyRules());
  const boxed = (): boolean => deps.sandboxed(turn.route);
  const finder = deps.finder(turn, deps.keep);

  async function history({
    sessionKey: written,
    limit,
    offset,
    includeTools = false,
  }: HistoryRequest): Promise<HistoryAnswer> {
    const found = await finder.find(written, 'history');
    if (found.status !== 'ok') return { status: found.status, error: found.error };
    const { key } = found.session;
    return {
      sessionKey: finder.shown(key),
      ...historyPage((await deps.messages(key)) ?? [], { limit, offset, includeTools }),
    };
  }

  return {
    methods: {
      'sessions.list': (request) =>
        listRows(request, {
          finder,
          sessions,
          agentOf,
          now: deps.now,
          transcriptPath: (key, entry) => (boxed() ? undefined : deps.transcriptPath(key, entry)),
        }),
      'sessions.history': history,
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
