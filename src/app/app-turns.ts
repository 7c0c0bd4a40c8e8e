/** Creates the processing of a message: turns with their tools, commands, and the pipeline that connects them. */
import { turnRoom } from '../agent/turn/compact-session.ts';
import { createEnvironment, type TurnEnvironment } from '../agent/environment/create-environment.ts';
import type { Toolbox } from '../agent/toolbox/toolbox.ts';
import { createTurnSetting } from '../agent/turn/turn-setting.ts';
import { warmTurn } from '../agent/turn/warm-turn.ts';
import { agentIds } from '../agent/resolve-agent.ts';
import type { ChannelHost } from '../channel-host/create-channels.ts';
import { PRODUCT_LABEL } from '../core/product.ts';
import type { Host } from '../host/host.ts';
import type { Features } from '../host/mount-features.ts';
import { restartRules } from '../host/reload-rules.ts';
import { joinPolicies } from '../host/reply-policy.ts';
import { createApprovalCommands } from '../pipeline/command-host/approval-commands.ts';
import { createBashService } from '../pipeline/command-host/bash-service.ts';
import { createCommandHost } from '../pipeline/command-host/create-command-host.ts';
import { senderEntry } from '../pipeline/command-host/sender-entry.ts';
import { statusText } from '../pipeline/command-host/status-card.ts';
import { createInbound } from '../pipeline/inbound.ts';
import { recordAccess } from '../pipeline/record-access.ts';
import { createMessageRules } from '../pipeline/message-rules.ts';
import { createQuietNote } from '../pipeline/outbound/quiet-note.ts';
import { rightsKey } from '../pipeline/rights-key.ts';
import { createToolService } from '../services/tool-service.ts';
import { maySend } from '../sessions/send-policy.ts';
import { createToolMethods } from '../tool-methods/create-tool-methods.ts';
import type { AppDeps } from './app-deps.ts';
import type { Flow } from './app-flow.ts';
import type { Ground } from './app-ground.ts';

/** All that turns and commands are made of. */
export interface TurnParts {
  readonly deps: AppDeps;
  readonly ground: Ground;
  readonly flow: Flow;
  readonly host: Host;
  readonly features: Features;
  readonly channelHost: ChannelHost;
}

export function createTurns(parts: TurnParts) {
  const { deps, ground, flow, host, features, channelHost } = parts;
  const { config, models, sessions } = ground;
  const tools = features.usable(ground.found.tools);
  const toolbox = ground.toolboxOf(tools);
  const environment = environmentOf(parts);
  const setting = createTurnSetting({
    config,
    models,
    toolbox,
    toolBounds: environment.toolBounds,
    session: sessions.get,
    place: flow.place,
    mayElevate: (whose) => features.environment.elevationOf(whose).allowed,
    describesPictures: environment.pictures.available,
    replyTags: flow.delivery.replyTags,
    sections: features.sections,
    folders: { workspaceOf: flow.workspaceOf, stateDir: ground.env.stateDir, docsPath: ground.docsPath },
  });
  const rpc = createToolMethods({
    host,
    features,
    models,
    sessions,
    sessionService: flow.sessionService,
    channels: channelHost.service,
    keepFiles: flow.keep.all,
    keep: (run, check) => recordAccess(ground.journal, run, check),
    facts: flow.facts,
    needsRestart: restartRules(deps.features),
    ownPort: () => deps.listening?.port(),
    connect: async (options) => (await import('../gateway/client.ts')).connectGateway(options),
  });
  const texts = createMessageRules({
    config,
    plugin: ground.channels.plugin,
    sessions,
    settingsOf: flow.settingsOf,
    rulesOf: flow.rulesOf,
  });
  const inbound = inboundOf(parts, { setting, rpc, texts, toolbox, environment });
  const toolService = createToolService({
    toolbox,
    config,
    models,
    sessions,
    rules: ground.rules,
    place: flow.place,
    ...environment,
    log: ground.log,
    rpc,
    tools,
    access: channelHost.access.explain,
  });
  return { inbound, texts, toolService, warm: () => warmTurn({ config, models, toolbox, mainKey: ground.keys.main }) };
}

function environmentOf({ ground, flow, features }: TurnParts): TurnEnvironment {
  const { env, log, config, models, media } = ground;
  return createEnvironment({
    env,
    log,
    config,
    models,
    media,
    understanding: flow.understanding,
    recogniser: async (by) => (await import('../pipeline/understanding/media/format.ts')).recogniser(by),
    shellOf: features.environment.shellOf,
    agentWorkspaces: () => agentIds(config()).map(flow.workspaceOf),
    docsPath: ground.docsPath,
    ownFiles: flow.ownFiles,
  });
}

interface TurnWork {
  readonly setting: ReturnType<typeof createTurnSetting>;
  readonly rpc: ReturnType<typeof createToolMethods>;
  readonly texts: ReturnType<typeof createMessageRules>;
  readonly toolbox: Toolbox;
  readonly environment: TurnEnvironment;
}

function inboundOf(parts: TurnParts, work: TurnWork) {
  const { setting, rpc, texts } = work;
  const { ground, flow, features } = parts;
  const { config, log, clock, journal, sessions, reconciler, channels } = ground;
  const { workspaceOf, delivery, checkpoint } = flow;
  return createInbound({
    turns: {
      journal,
      sessions,
      reconciler,
      log,
      clock,
      rpc,
      workspaceOf,
      checkpoint,
      prepare: setting.prepare,
      autoCompact: turnRoom({ sessions, log, clock, config }),
      replies: {
        isDeliverable: channels.isDeliverable,
        plan: delivery.plan,
        policy: joinPolicies(features.replyPolicies),
      },
    },
    texts,
    inbox: flow.inbox,
    lanes: flow.lanes,
    hub: flow.hub,
    sender: flow.sender,
    commands: commandsOf(parts, work),
    understander: flow.understanding,
    notices: { plan: delivery.planNotice, offer: flow.choices.offer },
    bounds: {
      rightsKey: (row) => rightsKey(row, config(), features.environment),
      origins: features.origins,
      maySend: ({ route: { sessionKey: key } }) => maySend(config().session.sendPolicy, key, sessions.peek(key)),
    },
    note: createQuietNote({ sessions, workspaceOf }),
    checkpoint,
  });
}

function commandsOf(
  { deps, ground, flow, host, features }: TurnParts,
  { setting, toolbox, environment: { toolBounds } }: TurnWork,
) {
  const { config, now, models, sessions, channels } = ground;
  const inUse = (channel: string) => channels.active().find(({ id }) => id === channel);
  return createCommandHost({
    sessions,
    models,
    config,
    store: deps.config,
    work: { lanes: flow.lanes, endStopped: flow.endStopped, compact: flow.compact },
    turns: { prepare: setting.prepare, skills: setting.skillsOf },
    children: features.children,
    exec: {
      ...createApprovalCommands({ environment: features.environment, sessions }),
      bash: createBashService({
        models,
        sessions,
        toolbox,
        toolBounds,
        place: flow.place,
        going: () => host.gateway.closing,
      }),
    },
    channels: { ids: channels.ids, senderEntry: (channel, entry) => senderEntry(inUse(channel), entry) },
    restart: { request: host.gateway.requestRestart, needed: restartRules(deps.features), now },
    statusCard: async (key, whole) => statusText(await flow.facts(key), PRODUCT_LABEL, now(), whole),
  });
}
