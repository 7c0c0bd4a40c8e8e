/** Decides whether a turn may do something with a session: first visibility, then the requester's rights. */
import type { Opening } from '../../core/access-table.ts';
import type { Authority } from '../../core/authority.ts';
import { may, reasonOf, type AccessCheck } from '../../core/may.ts';
import type { SessionEntry } from '../../sessions/entry.ts';
import { checkSessionAccess, type Party, type SessionAccessQuestion } from './check-session-access.ts';

export interface AccessSessionDeps {
  readonly requester: Party;
  readonly authority: Authority;
  open(): readonly Opening[];
  /** Told of sessions somebody means, not of those a list passes by. */
  keep?: ((check: AccessCheck) => void) | undefined;
  agentOf(key: string): string;
  visibility(): SessionAccessQuestion['config'];
  sandboxed(): boolean;
}

interface Target {
  readonly key: string;
  readonly entry: SessionEntry | undefined;
}

export type AccessSession = (
  target: Target,
  action: SessionAccessQuestion['action'],
) => ReturnType<typeof checkSessionAccess>;

export function createAccessSession(deps: AccessSessionDeps): AccessSession {
  const { requester } = deps;

  /** What the session that asks has started is its people's own. */
  function rightAllows(
    { key, entry, spawned }: Target & { readonly spawned: boolean },
    action: SessionAccessQuestion['action'],
  ): ReturnType<typeof checkSessionAccess> {
    const startedBy = [
      ...(entry?.spawnedBy === undefined ? [] : [entry.spawnedBy]),
      ...(spawned ? [deps.authority.home.sessionKey] : []),
    ];
    const check = may(
      deps.authority,
      action === 'send' ? 'send' : 'read',
      { kind: 'session', of: { sessionKey: key, startedBy } },
      deps.open(),
    );
    if (action !== 'list') deps.keep?.(check);
    return check.ok ? { ok: true } : { ok: false, error: reasonOf(check) };
  }

  return ({ key, entry }, action) => {
    const target = { key, agentId: deps.agentOf(key) };
    const spawned = entry?.spawnedBy === requester.key;
    const access = checkSessionAccess({
      requester,
      target,
      action,
      config: deps.visibility(),
      sandboxed: deps.sandboxed(),
      spawned,
    });
    return access.ok && key !== requester.key ? rightAllows({ key, entry, spawned }, action) : access;
  };
}
