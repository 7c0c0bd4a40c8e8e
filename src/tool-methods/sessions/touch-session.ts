/** Decides whether a turn may do something with a session: first visibility, then the requester's rights. */
import type { Opening } from '../../core/access-table.ts';
import type { Authority } from '../../core/authority.ts';
import { may, reasonOf, type AccessCheck } from '../../core/may.ts';
import type { SessionEntry } from '../../sessions/entry.ts';
import { mayTouch, type Party, type TouchQuestion } from './may-touch.ts';

export interface TouchDeps {
  readonly requester: Party;
  readonly authority: Authority;
  open(): readonly Opening[];
  /** Told of sessions somebody means, not of those a list passes by. */
  keep?: ((check: AccessCheck) => void) | undefined;
  agentOf(key: string): string;
  visibility(): TouchQuestion['config'];
  sandboxed(): boolean;
}

interface Target {
  readonly key: string;
  readonly entry: SessionEntry | undefined;
}

export type Touch = (target: Target, action: TouchQuestion['action']) => ReturnType<typeof mayTouch>;

export function createTouch(deps: TouchDeps): Touch {
  const { requester } = deps;

  /** What the session that asks has started is its people's own. */
  function allowsTouch(
    { key, entry, spawned }: Target & { readonly spawned: boolean },
    action: TouchQuestion['action'],
  ): ReturnType<typeof mayTouch> {
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
    const touched = mayTouch({
      requester,
      target,
      action,
      config: deps.visibility(),
      sandboxed: deps.sandboxed(),
      spawned,
    });
    return touched.ok && key !== requester.key ? allowsTouch({ key, entry, spawned }, action) : touched;
  };
}
