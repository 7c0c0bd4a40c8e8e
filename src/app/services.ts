/** The running app as the gateway sees it. */
import { isAbsolute, join } from 'node:path';
import type { ConfigStore } from '../config/store.ts';
import type { Log } from '../core/log.ts';
import { handedOn, nobodysAuthority, operatorAuthority } from '../core/authority.ts';
import { present } from '../core/present.ts';
import { mainSessionKey, type SessionKey } from '../core/session-key.ts';
import type { GatewayServices } from '../gateway/services.ts';
import { keyRules } from '../pipeline/routing/route.ts';
import type { Clock } from '../platform/clock.ts';
import { ownDescriptors } from '../platform/descriptors.ts';
import { expandPath, type Env } from '../platform/env.ts';
import { ensureDir } from '../platform/files.ts';
import type { EventLoopWatch } from '../platform/event-loop.ts';
import { uuid } from '../platform/ids.ts';
import type { Config } from '../schema.ts';
import { ownChat } from '../host/delivery-target.ts';
import type { RequestRestart } from '../host/restart.ts';
import type { App } from './create-app.ts';
import { OVERDUE_MS } from '../journal/housekeeping.ts';

export interface ServicesDeps {
  readonly app: App;
  readonly env: Env;
  readonly config: ConfigStore<Config>;
  readonly log: Log;
  readonly clock: Clock;
  readonly version: string;
  readonly startedAt: number;
  readonly eventLoop: EventLoopWatch;
  phase(): 'starting' | 'ready' | 'draining';
  logFile(): string;
  requestRestart: RequestRestart;
}

export function createServices(deps: ServicesDeps): GatewayServices {
  const { app, config, env } = deps;
  const current = (): Config => config.current();
  return {
    log: deps.log,
    version: deps.version,
    stateDir: env.stateDir,
    descriptors: ownDescriptors(),
    gatewayConfig: () => current().gateway,
    config,
    chat: app.chat,
    sessions: app.flow.sessionService,
    agents: {
      defaultId: () => app.ground.rules().defaultAgentId,
      mainSessionKey: (agentId) => app.mainSessionKey(agentId),
      models: () => app.ground.models.list(),
      pickModel: (written) => app.ground.models.pick(written),
      list: () =>
        app.agents().map((agent) =>
          present({
            id: agent.id,
            workspace: expandPath(agent.workspace, env.home),
            model: agent.model.primary ?? modelText(app),
            name: agent.name || undefined,
            identity: agent.identity ? defined(agent.identity) : undefined,
          }),
        ),
    },
    channels: app.channelHost.service,
    webhook: (path) => app.channelHost.hub.webhook(path),
    pairing: app.channelHost.access.pairing,
    access: app.channelHost.access.explain,
    features: app.features.surface,
    tools: app.tools,
    status() {
      const snapshot = config.snapshot();
      const lanes = app.flow.lanes.snapshot();
      const model = app.ground.models.describe();
      return {
        accepting: app.accepting,
        phase: deps.phase(),
        startedAt: deps.startedAt,
        sessions: app.ground.store.loaded,
        activeTurns: app.flow.lanes.running,
        queuedMessages: lanes.reduce((sum, lane) => sum + lane.waiting.length, 0),
        config: {
          valid: snapshot.valid,
          source: snapshot.source,
          safeMode: snapshot.safeMode,
          issues: snapshot.issues,
        },
        eventLoop: deps.eventLoop.read(),
        rssBytes: process.memoryUsage.rss(),
        model: { provider: model.provider, model: model.model, source: model.source },
      };
    },
    async storage() {
      const { inbound, outbox, health } = app.ground.journal;
      const { failure, loss } = await health();
      return {
        outboxPending: await outbox.pending(),
        overdue: await inbound.overdue(deps.clock.now() - OVERDUE_MS),
        storage: failure ? { ok: false, error: failure.message } : present({ ok: true, loss }),
      };
    },
    requestRestart: deps.requestRestart,
    async wake({ text, mode, sessionKey, principal, authority }) {
      const key =
        sessionKey === undefined ? undefined : (app.flow.sessionService.canonicalKey(sessionKey) as SessionKey);
      const agentId = key === undefined ? app.ground.rules().defaultAgentId : app.ground.sessions.agentOf(key);
      const homeKey = key ?? mainSessionKey(agentId, keyRules(app.ground.rules()));
      const home = { agentId, sessionKey: homeKey, address: ownChat(homeKey) };
      await app.features.waker.nudge({
        agentId,
        sessionKey: key,
        text,
        mode,
        id: `wake:${uuid()}`,
        reason: 'wake',
        authority: handedOn(
          principal ? operatorAuthority(principal, home) : (authority ?? nobodysAuthority(home)),
          'wake',
        ),
        ifSkipped: 'note',
      });
    },
    async copyJournal() {
      const folder = join(env.stateDir, 'tmp');
      await ensureDir(folder);
      const path = join(folder, `journal-${uuid()}.sqlite`);
      await app.ground.journal.copy(path);
      return path;
    },
    logFile: deps.logFile,
  };
}

const modelText = (app: App): string => {
  const { provider, model } = app.ground.models.describe();
  return `${provider}/${model}`;
};

/** The same object without its undefined fields. */
function defined<T extends object>(value: T): { [K in keyof T]: NonNullable<T[K]> } {
  return Object.fromEntries(Object.entries(value).filter(([, field]) => field !== undefined)) as {
    [K in keyof T]: NonNullable<T[K]>;
  };
}

/** Where log lines of one gateway end. */
export const logPath = (stateDir: string, configured: string | undefined, home: string): string | undefined =>
  configured === undefined
    ? undefined
    : isAbsolute(configured) || configured.startsWith('~')
      ? expandPath(configured, home)
      : join(stateDir, configured);
