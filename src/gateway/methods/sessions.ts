/** Serves the `sessions.*` methods that make changes: settings, reset, delete, compact, and subscriptions. */
import { present } from '../../core/present.ts';
import { isSubagentKey, parseSessionKey } from '../../core/session-key.ts';
import type { SessionPatch } from '../../sessions/entry.ts';
import {
  sessionMessagesParams,
  sessionsBranchParams,
  sessionsCompactParams,
  sessionsDeleteParams,
  sessionsPatchParams,
  sessionsResetParams,
  sessionsSubscribeParams,
  type SessionsPatchParams,
} from '../../protocol/sessions.ts';
import type { Connection } from '../ws/connection.ts';
import { announceSession, method, refuse, sessionKeyOf, type Call, type Methods } from './method.ts';

export const sessionMethods: Methods = {
  'sessions.patch': method({
    summary: 'Changes the settings of a session.',
    needs: 'operator.admin',
    params: sessionsPatchParams,
    async run(params, call) {
      const key = sessionKeyOf(call, params.key, params.agentId);
      await requireSession(call, key, params.expectedSessionId);
      const { patch, ignored } = await storedPatch(params, key, call);
      const entry = await call.services.sessions.patch(key, patch);
      announceSession(call, key, 'patch');
      return present({
        ok: true,
        path: call.services.sessions.storePath(agentIn(key)),
        key,
        entry,
        ignored: ignored.length > 0 ? ignored : undefined,
      });
    },
  }),

  'sessions.reset': method({
    summary: 'Resets a session; its settings are kept.',
    needs: 'operator.admin',
    params: sessionsResetParams,
    async run(params, call) {
      const key = sessionKeyOf(call, params.key, params.agentId);
      const entry = await call.services.sessions.reset(key);
      announceSession(call, key, 'reset');
      return { ok: true, key, entry };
    },
  }),

  'sessions.branch': method({
    summary: 'Creates a session that continues from a message of another one.',
    needs: 'operator.admin',
    params: sessionsBranchParams,
    heavy: true,
    async run({ key: raw, agentId, entryId, before = false }, call) {
      const { key, entry, copied } = await call.services.sessions.branch(sessionKeyOf(call, raw, agentId), {
        entryId,
        before,
      });
      announceSession(call, key, 'patch');
      return { ok: true, key, entry, copied };
    },
  }),

  'sessions.delete': method({
    summary: 'Deletes a session; its transcript is archived.',
    needs: 'operator.admin',
    params: sessionsDeleteParams,
    async run(params, call) {
      const key = sessionKeyOf(call, params.key, params.agentId);
      await requireSession(call, key, params.expectedSessionId);
      const { deleted, archived } = await call.services.sessions.delete(key, {
        archiveTranscript: params.deleteTranscript ?? true,
      });
      if (deleted) announceSession(call, key, 'delete');
      return { ok: true, key, deleted, archived };
    },
  }),

  'sessions.compact': method({
    summary: 'Compacts a session: to a summary by the model, or to its last lines.',
    needs: 'operator.admin',
    params: sessionsCompactParams,
    async run(params, call) {
      const key = sessionKeyOf(call, params.key, params.agentId);
      const { maxLines, instructions } = params;
      const result = await call.services.sessions.compact(key, present({ maxLines, instructions }));
      if (result.compacted) announceSession(call, key, 'compact');
      return { ok: true, key, ...result };
    },
  }),

  'sessions.subscribe': method({
    summary: 'Subscribes to the list of sessions: `sessions.changed` events.',
    needs: 'operator.read',
    params: sessionsSubscribeParams,
    run: (_params, { connection }) => followList(connection, true),
  }),
  'sessions.unsubscribe': method({
    summary: 'Unsubscribes from the list of sessions.',
    needs: 'operator.read',
    params: sessionsSubscribeParams,
    run: (_params, { connection }) => followList(connection, false),
  }),

  'sessions.messages.subscribe': method({
    summary: 'Subscribes to one session: `session.message` and tool events.',
    needs: 'operator.read',
    params: sessionMessagesParams,
    run(params, call) {
      const key = sessionKeyOf(call, params.key, params.agentId);
      follow(call.connection, key);
      return { subscribed: true, key };
    },
  }),
  'sessions.messages.unsubscribe': method({
    summary: 'Unsubscribes from one session.',
    needs: 'operator.read',
    params: sessionMessagesParams,
    run(params, call) {
      const key = sessionKeyOf(call, params.key, params.agentId);
      call.connection.followedSessions.delete(key);
      return { subscribed: false, key };
    },
  }),
};

/** Sessions one connection may follow; a client that shows more than that is not looking. */
const MAX_FOLLOWED = 1000;

function follow({ followedSessions }: Connection, key: string): void {
  if (followedSessions.size >= MAX_FOLLOWED && !followedSessions.has(key))
    throw refuse(`one connection can follow at most ${MAX_FOLLOWED} sessions; unsubscribe from some`);
  followedSessions.add(key);
}

function followList(connection: Connection, subscribed: boolean): { subscribed: boolean } {
  connection.followsSessionList = subscribed;
  return { subscribed };
}

const agentIn = (key: string): string | undefined => parseSessionKey(key)?.agentId;

/** The caller read one transcript and means that one. */
async function requireSession({ services }: Call, key: string, expected: string | undefined): Promise<void> {
  if (expected === undefined) return;
  const entry = await services.sessions.get(key);
  if (entry?.sessionId !== expected)
    throw refuse(`session ${key} was reset since it was read`, { code: 'SESSION_CHANGED' });
}

/** `off` of a level is the same as no setting, except for `elevated`, where it overrides a default. */
async function storedPatch(
  params: SessionsPatchParams,
  key: string,
  call: Call,
): Promise<{ patch: SessionPatch; ignored: string[] }> {
  const {
    key: _key,
    agentId: _agent,
    expectedSessionId: _expected,
    label,
    thinkingLevel,
    verboseLevel,
    reasoningLevel,
    elevatedLevel,
    responseUsage,
    model,
    sendPolicy,
    groupActivation,
    spawnedBy,
    archived,
    pinned,
    ...others
  } = params;
  const offIsUnset = <T>(value: T): T | null => (value === 'off' ? null : value);
  const fields = {
    label: label === undefined ? undefined : label?.trim() || null,
    thinkingLevel: offIsUnset(thinkingLevel),
    verboseLevel: offIsUnset(verboseLevel),
    reasoningLevel: offIsUnset(reasoningLevel),
    elevatedLevel,
    responseUsage: responseUsage === 'on' ? ('tokens' as const) : offIsUnset(responseUsage),
    sendPolicy,
    groupActivation,
    archived: archived === undefined ? undefined : archived || null,
    pinned: pinned === undefined ? undefined : pinned || null,
    // Marks are for lists: the order by last use stays.
    updatedAt: isMarkOnly(params) ? null : undefined,
    ...(await modelFields(model, call)),
    ...(await spawnField(spawnedBy, key, call)),
  };
  const patch = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as SessionPatch;
  return { patch, ignored: Object.keys(others) };
}

/** Nothing is changed but where lists show it. */
const isMarkOnly = ({ key: _key, agentId: _agent, expectedSessionId: _id, ...changed }: SessionsPatchParams): boolean =>
  Object.keys(changed).every((name) => name === 'archived' || name === 'pinned' || name === 'label');

async function modelFields(
  model: string | null | undefined,
  { services }: Call,
): Promise<{ providerOverride?: string | null; modelOverride?: string | null }> {
  if (model === undefined) return {};
  if (model === null) return { providerOverride: null, modelOverride: null };
  const known = await services.agents.pickModel(model.trim());
  if (!known) throw refuse(`unknown model "${model}"; models.list names them`);
  return { providerOverride: known.provider, modelOverride: known.modelId };
}

/** Who started a session is a fact: written once, and only for sessions that were started by another. */
async function spawnField(
  spawnedBy: string | null | undefined,
  key: string,
  { services }: Call,
): Promise<{ spawnedBy?: string }> {
  if (spawnedBy === undefined) return {};
  const known = (await services.sessions.get(key))?.spawnedBy;
  if (spawnedBy === known) return {};
  if (spawnedBy === null || known !== undefined) throw refuse('spawnedBy cannot be changed once set');
  if (!isSubagentKey(key)) throw refuse('spawnedBy is for sub-agent sessions only');
  return { spawnedBy };
}
