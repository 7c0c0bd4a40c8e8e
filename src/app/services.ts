/** Provides the services of the running app to the gateway. */
import type { ConfigStore } from '../config/store.ts';
import type { GatewayServices } from '../gateway/services.ts';
import type { RequestRestart } from '../host/restart.ts';
import { ownDescriptors } from '../platform/descriptors.ts';
import type { EventLoopWatch } from '../platform/event-loop.ts';
import type { Config } from '../schema.ts';
import { createAgentService } from '../services/agent-service.ts';
import { copyJournal } from '../services/copy-journal.ts';
import { createGatewayStatus, type Progress } from '../services/gateway-status.ts';
import { createWakeService } from '../services/wake-service.ts';
import type { App } from './create-app.ts';

export interface ServicesDeps {
  readonly app: App;
  readonly config: ConfigStore<Config>;
  readonly version: string;
  readonly eventLoop: EventLoopWatch;
  readonly progress: Omit<Progress, 'accepting'>;
  readonly requestRestart: RequestRestart;
  gatewayConfig(): Config['gateway'];
  readonly logFile: GatewayServices['logFile'];
}

export function createServices({ app, eventLoop, progress, ...rest }: ServicesDeps): GatewayServices {
  const { ground, flow, channelHost, features } = app;
  const { journal, models, keys, clock, sessions } = ground;
  const defaultAgentId = (): string => ground.rules().defaultAgentId;
  return {
    ...rest,
    log: ground.log,
    stateDir: ground.env.stateDir,
    descriptors: ownDescriptors(),
    chat: app.chat,
    sessions: flow.sessionService,
    agents: createAgentService({
      models,
      home: ground.env.home,
      config: ground.config,
      defaultId: defaultAgentId,
      mainKey: keys.main,
    }),
    channels: channelHost.service,
    webhook: (path) => channelHost.hub.webhook(path),
    pairing: channelHost.access.pairing,
    access: channelHost.access.explain,
    features: features.surface,
    tools: app.tools,
    ...createGatewayStatus({
      progress: { ...progress, accepting: () => app.accepting },
      config: rest.config,
      lanes: flow.lanes,
      models,
      sessions: ground.store,
      eventLoop,
      journal,
      clock,
    }),
    wake: createWakeService({
      waker: features.waker,
      defaultAgentId,
      agentOf: sessions.agentOf,
      mainKey: keys.main,
      canonicalKey: keys.canonical,
    }),
    copyJournal: () => copyJournal({ journal, stateDir: ground.env.stateDir }),
  };
}
