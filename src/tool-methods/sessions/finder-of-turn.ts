/** Which sessions the tools of one turn reach, by the configuration as it is when they ask. */
import type { AgentsConfig, ToolsConfig } from '../../agent/config.ts';
import { agentEntry } from '../../agent/resolve-agent.ts';
import type { Opening } from '../../core/access-table.ts';
import { agentOfKey, type KeyRules } from '../../core/session-key.ts';
import type { FindSessions } from '../../host/session-finder.ts';
import { openSessions } from '../../agent/toolbox/opened.ts';
import { createSessionFinder, type FinderDeps } from './find-session.ts';

export interface FindSessionsDeps {
  readonly sessions: FinderDeps['sessions'];
  config(): { readonly agents: AgentsConfig; readonly tools: Pick<ToolsConfig, 'sessions' | 'agentToAgent'> };
  keyRules(): KeyRules;
  /** What `access.open` lists. */
  open(): readonly Opening[];
  /** Whether commands of a session are boxed in. */
  sandboxed(at: { readonly agentId: string; readonly sessionKey: string }): boolean;
}

export const createFindSessions =
  ({ sessions, config, keyRules, open, sandboxed }: FindSessionsDeps): FindSessions =>
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
      sandboxed: () => sandboxed(turn.route),
      visibility: () => {
        const { agents, tools } = config();
        return {
          visibility: tools.sessions.visibility,
          agentToAgent: tools.agentToAgent,
          sandboxVisibility:
            agentEntry({ agents }, agentId)?.sandbox?.sessionToolsVisibility ??
            agents.defaults.sandbox.sessionToolsVisibility,
        };
      },
    });
  };
