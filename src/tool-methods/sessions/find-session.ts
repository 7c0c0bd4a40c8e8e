/** Finds the session a tool names, by key, transcript id or label, if the turn may access it. */
import { present } from '../../core/present.ts';
import { canonicalSessionKey, mainSessionKey, type KeyRules } from '../../core/session-key.ts';
import type { SessionService } from '../../host/session-service.ts';
import type { Found, SessionFinder } from '../../host/session-finder.ts';
import type { SessionAccessQuestion } from './check-session-access.ts';
import { createAccessSession, type AccessSessionDeps } from './access-session.ts';

export interface FinderDeps extends AccessSessionDeps {
  readonly sessions: Pick<SessionService, 'get' | 'list'>;
  keyRules(): KeyRules;
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export function createSessionFinder(deps: FinderDeps): SessionFinder {
  const { requester, sessions } = deps;
  const checkAccess = createAccessSession(deps);
  /** A key without its agent is one of the agent that writes it. */
  const ownRules = (): KeyRules => ({ ...deps.keyRules(), defaultAgentId: requester.agentId });
  const mainKey = (agentId = requester.agentId): string => mainSessionKey(agentId, deps.keyRules());

  /** What nobody is shown: rests of other releases, and the one conversation for all where there is none. */
  const isHidden = (key: string): boolean => {
    const bare = key.replace(/^agent:[^:]+:/, '');
    return bare === 'unknown' || (bare === 'global' && key !== mainKey());
  };

  async function byKey(written: string, action: SessionAccessQuestion['action']): Promise<Found> {
    const key = canonicalSessionKey(written, ownRules());
    const entry = isHidden(key) ? undefined : await sessions.get(key);
    if (!entry && UUID.test(written)) return byId(written, action);
    const access = checkAccess({ key, entry }, action);
    // Whether there is such a session is nobody's business who may not touch it.
    if (!access.ok) return { status: 'forbidden', error: access.error, sessionKey: key };
    return entry
      ? { status: 'ok', session: { key, entry } }
      : { status: 'error', error: `Unknown session ${key}. Use sessions_list to list the sessions.` };
  }

  async function byId(id: string, action: SessionAccessQuestion['action']): Promise<Found> {
    const wanted = id.toLowerCase();
    const found = (await sessions.list({ search: wanted })).find(
      ({ key, entry }) => entry.sessionId.toLowerCase() === wanted && !isHidden(key),
    );
    const access = found && checkAccess(found, action);
    if (access && !access.ok && found.key === requester.key)
      return { status: 'forbidden', error: access.error, sessionKey: found.key };
    return access?.ok
      ? { status: 'ok', session: found! }
      : { status: 'error', error: `No visible session has the id ${id}.` };
  }

  return {
    checkAccess,
    isHidden,
    mainKey,

    /** As the requester's agent writes it: `main` for its main session. */
    shown: (key: string): string => (key === mainKey() && key !== 'global' ? 'main' : key),

    find: (written: string, action: SessionAccessQuestion['action']): Promise<Found> => byKey(written.trim(), action),

    async findLabel(
      { label, agentId }: { readonly label: string; readonly agentId?: string | undefined },
      action: SessionAccessQuestion['action'],
    ): Promise<Found> {
      const named = (await sessions.list(present({ label, agentId }))).filter(({ key }) => !isHidden(key));
      const reachable = named.filter((one) => checkAccess(one, action).ok);
      if (reachable.length === 1) return { status: 'ok', session: reachable[0]! };
      const own = named.find(({ key }) => key === requester.key);
      const refused = own && checkAccess(own, action);
      if (reachable.length === 0 && refused && !refused.ok)
        return { status: 'forbidden', error: refused.error, sessionKey: own.key };
      return {
        status: 'error',
        error:
          reachable.length === 0
            ? `No visible session has the label "${label}".`
            : `${reachable.length} sessions have the label "${label}": ` +
              `${reachable.map(({ key }) => key).join(', ')}. Use sessionKey instead.`,
      };
    },
  };
}
