/** Composes the channels of a running app: access gate, live accounts, and sends without a turn. */
import { settingsOf } from '../config/channel-config.ts';
import type { ConfigStore } from '../config/store.ts';
import type { ChannelAccount } from '../core/channel.ts';
import type { Log } from '../core/log.ts';
import type { ChannelService } from '../host/channel-services.ts';
import type { Features } from '../host/mount-features.ts';
import type { Journal } from '../journal/journal.ts';
import { nativeCommands } from '../pipeline/commands/native-commands.ts';
import { readCommand } from '../pipeline/commands/read-command.ts';
import { COMMANDS } from '../pipeline/commands/table.ts';
import { createGroupHistory } from '../pipeline/context/group-history.ts';
import type { OutboxSender } from '../pipeline/delivery/outbox-sender.ts';
import type { MessageInbox } from '../pipeline/inbox.ts';
import { broadcastRoutes } from '../pipeline/routing/broadcast.ts';
import { route, type RoutingRules } from '../pipeline/routing/route.ts';
import type { Clock } from '../platform/clock.ts';
import type { Env } from '../platform/env.ts';
import type { Config } from '../schema.ts';
import type { Sessions } from '../sessions/sessions.ts';
import { createChannelHub, type ChannelHub } from './accounts/channel-hub.ts';
import { createChannelInbound, type ChannelInbound, type ChannelInboundDeps } from './channel-inbound.ts';
import { createChannelService, type ChannelServiceDeps } from './sending/channel-service.ts';
import type { ChannelRegistry } from './channel-registry.ts';
import { createFindThing, type FindThingDeps } from './access/find-thing.ts';
import { resolveTarget } from './sending/channel-target.ts';
import { createChannelAccess, type ChannelAccess, type ChannelAccessDeps } from './access/channel-access.ts';
import type { MediaStore } from '../sessions/media-store.ts';
import { createSentNote } from '../pipeline/outbound/sent-note.ts';
import { createShow } from '../pipeline/outbound/show.ts';

export interface ChannelsDeps {
  readonly registry: ChannelRegistry;
  readonly machine: { readonly env: Env; readonly log: Log; readonly clock: Clock };
  readonly config: ConfigStore<Config>;
  readonly stores: { readonly journal: Journal; readonly sessions: Sessions; readonly media: MediaStore };
  readonly sender: OutboxSender;
  readonly incoming: { readonly inbox: Pick<MessageInbox, 'receiveAll'> } & Pick<ChannelInboundDeps, 'choices'>;
  rules(): RoutingRules;
  /** False: what comes in is left to its platform, which offers it again. */
  accepting(): boolean;
  transcribe: ChannelAccessDeps['transcribe'];
  /** What features say: of what they made, and of who answers what they ask. */
  readonly features: Pick<Features, 'things' | 'environment'>;
  canonicalKey: FindThingDeps['canonicalKey'];
  /** What is sent without a turn: the bytes of its files, what it becomes on its channel, where its agent works. */
  readonly outgoing: {
    readonly open: ChannelAccount<unknown>['open'];
    readonly plan: ChannelServiceDeps['plan'];
    workspaceOf(agentId: string): string;
  };
}

export interface ChannelHost {
  readonly hub: ChannelHub;
  readonly service: ChannelService;
  readonly access: ChannelAccess;
}

export function createChannels(deps: ChannelsDeps): ChannelHost {
  const access = accessOf(deps);
  const hub = hubOf(deps, access);
  return { hub, access, service: serviceOf(deps, hub) };
}

function accessOf(deps: ChannelsDeps): ChannelAccess {
  const { registry, machine, stores, sender, rules, transcribe, config, features, canonicalKey } = deps;
  const { env, log, clock } = machine;
  const { journal, sessions, media } = stores;
  const current = (): Config => config.current();
  return createChannelAccess({
    stateDir: env.stateDir,
    log,
    now: () => clock.now(),
    journal,
    sender,
    plugins: async () => registry.plugins,
    accounts: (id) => {
      const plugin = registry.plugin(id);
      return plugin ? registry.plansOf(plugin).map(({ accountId }) => accountId) : [];
    },
    rules,
    transcribe,
    find: createFindThing({
      sessions,
      media,
      canonicalKey,
      resolve: (request) => resolveTarget(request, { plugins: registry.active, accounts: registry.accountIds }),
      things: features.things,
    }),
    evaluating: {
      config: current,
      approversOf: (channel) => features.environment.approvals.approversOf(channel),
      activationOf: (key) => sessions.peek(key)?.groupActivation,
      isCommand: (words) =>
        current().commands.text && readCommand(words, COMMANDS, current().session.resetTriggers) !== undefined,
    },
    open: () => current().access.open,
  });
}

function hubOf(deps: ChannelsDeps, access: ChannelAccess): ChannelHub {
  const { registry, machine, stores, config, sender, outgoing } = deps;
  const { env, log, clock } = machine;
  const { sessions, journal, media } = stores;
  const current = (): Config => config.current();
  return createChannelHub({
    registry,
    log,
    clock,
    edit: (...change) => config.edit(...change),
    home: env.home,
    onConnected: () => sender.resume(),
    accounts: {
      stateDir: env.stateDir,
      keep: (file) => media.keep(file),
      open: outgoing.open,
      show: createShow({ sessions, now: () => clock.now(), said: saidOutsideTurns(journal) }),
      receive: receiveOf(deps, access),
      nativeCommands: (id, accountId) =>
        nativeCommands(current(), {
          usual: registry.plugin(id)?.capabilities.nativeCommands,
          own: settingsOf(current().channels, id, accountId).commands?.native,
        }),
    },
  });
}

function receiveOf(
  { machine, stores, config, incoming, accepting, rules }: ChannelsDeps,
  access: ChannelAccess,
): ChannelInbound {
  const { journal, media, sessions } = stores;
  return createChannelInbound({
    journal,
    log: machine.log,
    history: createGroupHistory({
      scopeOf({ threadId, ...chat }) {
        const { thread } = settingsOf(config.current().channels, chat.channel, chat.accountId);
        return threadId === undefined || thread?.historyScope === 'channel' ? chat : { ...chat, threadId };
      },
    }),
    ...incoming,
    accepting,
    gate: access.gate,
    route: (message) => route(message, rules()),
    broadcast: (message) => broadcastRoutes(message, rules()),
    historyLimit: ({ address }) =>
      settingsOf(config.current().channels, address.channel, address.accountId).historyLimit ??
      config.current().messages.groupChat.historyLimit,
    adopt: (attachments, sessionKey) => Promise.all(attachments.map((file) => media.adopt(file, sessionKey))),
    lastUsed: (key) => sessions.peek(key)?.updatedAt,
  });
}

function serviceOf(deps: ChannelsDeps, channels: ChannelHub): ChannelService {
  const { registry, machine, stores, sender, config, rules, outgoing } = deps;
  const { journal, sessions, media } = stores;
  const { clock } = machine;
  return createChannelService({
    channels,
    journal,
    sender,
    clock,
    plan: outgoing.plan,
    connection: registry.connection,
    keep: (file) => media.keep(file),
    config: () => config.current().channels,
    plugins: registry.active,
    accounts: registry.accountIds,
    sessionKeyOf: (address) => route({ address }, rules()).sessionKey,
    note: createSentNote({ sessions, now: () => clock.now(), workspaceOf: outgoing.workspaceOf }),
  });
}

/** A turn's opening stands in the transcript already; a command's text does not. */
const saidOutsideTurns =
  (journal: Journal) =>
  async (runId: string): Promise<string | undefined> => {
    const row = await journal.inbound.find(runId);
    return row && row.turnId === undefined ? row.message.text : undefined;
  };
