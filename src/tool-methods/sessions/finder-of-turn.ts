/** Creates the session finder of one turn, with the current configuration. */
import type { ToolsConfig } from '../../agent/config.ts';
import type { Opening } from '../../core/access-table.ts';
import { agentOfKey, type KeyRules } from '../../core/session-key.ts';
import type { FindSessions } from '../../host/session-finder.ts';
import type { At, SandboxBounds } from '../../host/tool-environment.ts';
import { openSessions } from '../../agent/toolbox/opened.ts';
import { createSessionFinder, type FinderDeps } from './find-session.ts';

export interface FindSessionsDeps {
  readonly sessions: FinderDeps['sessions'];
  config(): { readonly tools: Pick<ToolsConfig, 'sessions' | 'agentToAgent'> };
  keyRules(): KeyRules;
  /** What `access.open` lists. */
  open(): readonly Opening[];
  /** The box of a session's tools; undefined: they are not boxed in. */
  boxOf(at: At): Pick<SandboxBounds, 'sessions'> | undefined;
}

export const createFindSessions =
  ({ sessions, config, keyRules, open, boxOf }: FindSessionsDeps): FindSessions =>
  (turn, keep) => {
    const { agentId, sessionKey } = turn.route;
    return createSessionFinder({
      requester: { key: sessionKey, agentId },
      authority: turn.authority,
      keep: (check) => keep?.(turn, check),
      open: () => openSessions(open(), config().tools.sessions),
      sessions,
      agentOf: (key) => agentOfKey(key, keyRules()),
      keyRules,
      sandboxed: () => boxOf(turn.route) !== undefined,
      visibility: () => {
        const { tools } = config();
        return {
          visibility: tools.sessions.visibility,
          agentToAgent: tools.agentToAgent,
          sandboxVisibility: boxOf(turn.route)?.sessions ?? 'spawned',
        };
      },
    });
  };
