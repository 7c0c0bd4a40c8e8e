/** Serves the methods about the gateway itself: health, status, presence, restart and wakes. */
import { present } from '../../core/present.ts';
import type { PresenceEntry } from '../../protocol/answers/presence.ts';
import {
  healthParams,
  journalCopyParams,
  performanceParams,
  presenceParams,
  restartParams,
  statusParams,
  systemEventParams,
  wakeParams,
  type SystemEventParams,
} from '../../protocol/system.ts';
import { channelHealth } from '../ws/health.ts';
import { descriptorUse } from '../../platform/descriptors.ts';
import { method, refuse, requireAgent, sessionKeyOf, type Methods } from './method.ts';

const RESTART_DELAY_MS = 2000;

export const systemMethods: Methods = {
  health: method({
    summary: 'Returns the health of the gateway and its channels; `probe` sends a test request to each platform.',
    needs: 'operator.read',
    params: healthParams,
    run: async ({ probe }, { health }) => ({
      ...(await (probe ? health.refresh({ probe: true }) : health.recent())),
      ...(await health.details()),
    }),
  }),

  status: method({
    summary: 'Returns the status of the gateway: versions, model, queue and storage.',
    needs: 'operator.read',
    params: statusParams,
    async run(_params, { services, clock, hub }) {
      const status = services.status();
      const [channels, recent, storage] = await Promise.all([
        services.channels.status({ probe: false, timeoutMs: 1000 }),
        services.sessions.list({ limit: 10 }),
        services.storage(),
      ]);
      return {
        ...status,
        ...storage,
        ...present({ descriptors: services.descriptors ? descriptorUse(services.descriptors) : undefined }),
        version: services.version,
        stateDir: services.stateDir,
        ts: clock.now(),
        uptimeMs: Math.max(0, clock.now() - status.startedAt),
        connections: hub.connections().length,
        unreadBytes: hub.unreadBytes(),
        channelProblems: channels.flatMap(({ id, accounts }) =>
          accounts
            .filter(({ enabled }) => enabled)
            .flatMap(({ accountId, problems }) => problems.map((problem) => ({ channel: id, accountId, ...problem }))),
        ),
        ...services.features.status(),
        channelSummary: channels
          .filter(({ accounts }) => accounts.length > 0)
          .map((channel) => channelHealth(channel, clock.now()).summary),
        sessions: {
          path: services.sessions.storePath(),
          count: status.sessions,
          defaults: { modelProvider: status.model.provider, model: status.model.model },
          recent: recent.map(({ key, entry: { sessionId, updatedAt, totalTokens = null, contextTokens = null } }) => ({
            key,
            sessionId,
            updatedAt,
            age: Math.max(0, clock.now() - updatedAt),
            totalTokens,
            contextTokens,
          })),
        },
      };
    },
  }),

  performance: method({
    summary: 'How fast the gateway was in the last hour: answers, their slowest steps, commits, syncs, event loop.',
    needs: 'operator.read',
    params: performanceParams,
    run: (_params, { services }) => services.performance(),
  }),

  'journal.copy': method({
    summary:
      'Copies the journal for a backup and returns the path in the state directory. The caller must remove the copy.',
    needs: 'operator.admin',
    params: journalCopyParams,
    heavy: true,
    run: async (_params, { services }) => ({ path: await services.copyJournal() }),
  }),

  'system-presence': method({
    summary: 'Who is around.',
    needs: 'operator.read',
    params: presenceParams,
    run: (_params, { presence }) => presence.list(),
  }),

  'system-event': method({
    summary: 'Sends a system event to the main session and updates presence.',
    needs: 'operator.admin',
    params: systemEventParams,
    async run(params, call) {
      const { presence, services } = call;
      const text = params.text.trim();
      if (!text) throw refuse('system-event needs a text');
      const changed = presence.report(reported(params));
      // A node's routine beacon is news only when it says something new.
      if (changed || !text.startsWith('Node:'))
        await services.wake(
          present({
            text,
            mode: params.wake ? 'now' : 'next-heartbeat',
            principal: call.principal,
            sessionKey: params.sessionKey ? sessionKeyOf(call, params.sessionKey) : undefined,
          }),
        );
      return { ok: true };
    },
  }),

  wake: method({
    summary: 'Wakes the agent with a text, now or with its next heartbeat.',
    needs: 'operator.write',
    params: wakeParams,
    async run({ mode, text, sessionKey, agentId }, call) {
      const { services } = call;
      if (text.trim() === '') return { ok: false };
      if (agentId !== undefined) requireAgent(services, agentId);
      const key = sessionKey
        ? sessionKeyOf(call, sessionKey)
        : agentId
          ? services.agents.mainSessionKey(agentId)
          : undefined;
      await services.wake(present({ text, mode, principal: call.principal, sessionKey: key || undefined }));
      return { ok: true };
    },
  }),

  'gateway.restart.request': method({
    summary: 'Restarts the gateway in place.',
    needs: 'operator.admin',
    params: restartParams,
    run: ({ reason, delayMs = RESTART_DELAY_MS, sessionKey, note }, { services }) => {
      const { scheduledAt } = services.requestRestart(
        present({
          reason: reason || 'gateway.restart.request',
          delayMs,
          sessionKey: sessionKey || undefined,
          note: note || undefined,
        }),
      );
      return { ok: true, delayMs, scheduledAt };
    },
  }),
};

function reported({
  text,
  lastInputSeconds,
  host,
  ip,
  mode,
  version,
  platform,
  deviceFamily,
  modelIdentifier,
  deviceId,
  instanceId,
  reason,
  roles,
  scopes,
  tags,
}: SystemEventParams): Omit<PresenceEntry, 'ts'> {
  const facts = {
    text,
    host,
    ip,
    mode,
    version,
    platform,
    deviceFamily,
    modelIdentifier,
    deviceId,
    instanceId,
    reason,
    roles: filled(roles),
    scopes: filled(scopes),
    tags: filled(tags),
  };
  return {
    ...Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined)),
    ...present({
      lastInputSeconds: lastInputSeconds !== undefined ? Math.max(0, Math.round(lastInputSeconds)) : undefined,
    }),
  };
}

const filled = (names: readonly string[] | undefined): readonly string[] | undefined =>
  names?.filter((name) => name !== '');
