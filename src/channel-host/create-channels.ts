/**
 * The channels of a running app put together: the door in front of them, the live accounts, what is sent and done there
 * without a turn.
 */
import { settingsOf } from '../config/channel-config.ts';
import type { ConfigStore } from '../config/store.ts';
import type { ChannelAccount, ChannelPlugin } from '../core/channel.ts';
import type { Log } from '../core/log.ts';
import type { ChannelService } from '../host/channel-services.ts';
import type { Journal } from '../journal/journal.ts';
import { nativeCommands } from '../pipeline/commands/native-commands.ts';
import { readCommand } from '../pipeline/commands/read-command.ts';
import { COMMANDS } from '../pipeline/commands/table.ts';
import { createGroupHistory } from '../pipeline/context/group-history.ts';
import type { OutboxSender } from '../pipeline/delivery/outbox-sender.ts';
import type { Inbound } from '../pipeline/inbound.ts';
import { broadcastRoutes } from '../pipeline/routing/broadcast.ts';
import { route, type RoutingRules } from '../pipeline/routing/route.ts';
import type { Clock } from '../platform/clock.ts';
import type { Env } from '../platform/env.ts';
import type { Config } from '../schema.ts';
import type { Sessions } from '../sessions/sessions.ts';
import { createChannelHub, type ChannelHub } from './accounts/channel-hub.ts';
import { createChannelInbound } from './channel-inbound.ts';
import { createChannelService, type ChannelServiceDeps } from './sending/channel-service.ts';
import { createDoors, type Doors, type DoorsDeps } from './access/doors.ts';
import { accountsOf } from '../plugins/channel-accounts.ts';
import type { MediaStore } from '../sessions/media-store.ts';
import { createSentNote } from '../pipeline/outbound/sent-note.ts';
import { createShow } from '../pipeline/outbound/show.ts';

export interface ChannelsDeps {
  readonly env: Env;
  readonly log: Log;
  readonly clock: Clock;
  readonly config: ConfigStore<Config>;
  readonly journal: Journal;
  readonly sessions: Sessions;
  readonly sender: OutboxSender;
  readonly media: MediaStore;
  /** Every channel there is, configured or not, in display order. */
  readonly plugins: readonly ChannelPlugin[];
  rules(): RoutingRules;
  inbound(): Inbound;
  /** False: what comes in is left to its platform, which offers it again. */
  accepting(): boolean;
  hear: DoorsDeps['hear'];
  findThing: DoorsDeps['find'];
  /** The bytes of a file that is to be sent. */
  readonly open: ChannelAccount<unknown>['open'];
  workspaceOf(agentId: string): string;
  /** What a message without a turn becomes on its channel. */
  plan: ChannelServiceDeps['plan'];
}

export interface AppChannels {
  readonly hub: ChannelHub;
  readonly service: ChannelService;
  readonly doors: Doors;
}

export function createChannels(deps: ChannelsDeps): AppChannels {
  const doors = doorsOf(deps);
  const hub = hubOf(deps, doors);
  return { hub, doors, service: serviceOf(deps, hub) };
}

function doorsOf({
  env,
  log,
  clock,
  journal,
  sessions,
  sender,
  plugins,
  rules,
  hear,
  findThing,
  config: { current: config },
}: ChannelsDeps): Doors {
  return createDoors({
    stateDir: env.stateDir,
    log,
    journal,
    now: () => clock.now(),
    config,
    rules,
    sender,
    plugins: async () => plugins,
    activationOf: (key) => sessions.peek(key)?.groupActivation,
    isCommand: (words) =>
      config().commands.text && readCommand(words, COMMANDS, config().session.resetTriggers) !== undefined,
    hear,
    open: () => config().access.open,
    find: findThing,
    accounts: (id) =>
      plugins
        .filter((plugin) => plugin.id === id)
        .flatMap((plugin) => accountsOf(plugin, { channels: config().channels, variable: (name) => env.get(name) }))
        .map(({ accountId }) => accountId),
  });
}

function hubOf(deps: ChannelsDeps, doors: Doors): ChannelHub {
  const {
    env,
    log,
    clock,
    sessions,
    journal,
    plugins,
    media,
    config: { current: config, edit },
  } = deps;
  const plugin = (id: string): ChannelPlugin | undefined => plugins.find((one) => one.id === id);
  return createChannelHub({
    plugins,
    config: () => config().channels,
    log,
    clock,
    edit,
    variable: (name) => env.get(name),
    home: env.home,
    stateDir: env.stateDir,
    nativeCommands: (id, accountId) =>
      nativeCommands(config(), {
        usual: plugin(id)?.capabilities.nativeCommands,
        own: settingsOf(config().channels, id, accountId).commands?.native,
      }),
    keep: (file) => media.keep(file),
    open: deps.open,
    show: createShow({ sessions, now: () => clock.now(), said: saidOutsideTurns(journal) }),
    onConnected: () => deps.sender.resume(),
    receive: createChannelInbound({
      journal,
      log,
      history: createGroupHistory(),
      inbound: deps.inbound,
      accepting: deps.accepting,
      judge: doors.doorkeeper,
      route: (message) => route(message, deps.rules()),
      broadcast: (message) => broadcastRoutes(message, deps.rules()),
      historyLimit: ({ address }) =>
        settingsOf(config().channels, address.channel, address.accountId).historyLimit ??
        config().messages.groupChat.historyLimit,
      adopt: (attachments, sessionKey) => Promise.all(attachments.map((file) => media.adopt(file, sessionKey))),
      lastUsed: (key) => sessions.peek(key)?.updatedAt,
    }),
  });
}

function serviceOf(
  { journal, sender, clock, config, media, plan, rules, sessions, workspaceOf }: ChannelsDeps,
  channels: ChannelHub,
): ChannelService {
  return createChannelService({
    channels,
    journal,
    sender,
    clock,
    plan,
    keep: (file) => media.keep(file),
    config: () => config.current().channels,
    plugins: () => channels.active(),
    accounts: (channel) => channels.accountIds(channel),
    sessionKeyOf: (address) => route({ address }, rules()).sessionKey,
    note: createSentNote({ sessions, now: () => clock.now(), workspaceOf }),
  });
}

/** A turn's opening stands in the transcript already; a command's text does not. */
const saidOutsideTurns =
  (journal: Journal) =>
  (runId: string): string | undefined => {
    const row = journal.inbound.find(runId);
    return row && row.turnId === undefined ? row.message.text : undefined;
  };
