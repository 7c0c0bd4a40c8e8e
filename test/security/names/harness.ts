/** Checks whether a name gets the access, limits or route of an id. */
import { groupStages } from '../../../src/agent/tool-policy/group-stages.ts';
import { entryReader } from '../../../src/pipeline/command-host/sender-entry.ts';
import discord from '../../../src/channels/discord/index.ts';
import { namesOf } from '../../../src/channels/discord/place.ts';
import { createPlaces } from '../../../src/channels/discord/places.ts';
import slack from '../../../src/channels/slack/index.ts';
import telegram from '../../../src/channels/telegram/index.ts';
import type { IdForms } from '../../../src/core/place-key.ts';
import type { InboundMessage, PlaceNames, Sender } from '../../../src/core/message.ts';
import { chatSessionKey } from '../../../src/core/session-key.ts';
import { elevation } from '../../../src/features/exec/elevated.ts';
import { admit } from '../../../src/pipeline/access/admit.ts';
import { createPlaceRules } from '../../../src/pipeline/access/place-rules.ts';
import { broadcastConfigSchema } from '../../../src/pipeline/routing/broadcast-config.ts';
import { broadcastRoutes } from '../../../src/pipeline/routing/broadcast.ts';
import { bindingsConfigSchema } from '../../../src/pipeline/routing/config.ts';
import { route, type RoutingRules } from '../../../src/pipeline/routing/route.ts';

export const CHANNELS = { discord, slack, telegram };
export type ChannelId = keyof typeof CHANNELS;

export interface At {
  readonly kind?: 'direct' | 'group' | 'channel';
  readonly id: string;
  readonly threadId?: string;
  readonly spaceId?: string;
  readonly names?: PlaceNames;
  readonly sender?: Sender;
  readonly roles?: readonly string[];
}

const STRANGER: Sender = { id: '666666666666666666', name: 'Mallory', handle: 'mallory' };

function messageOf(
  channel: string,
  { kind = 'channel', id, threadId, spaceId, names, sender = STRANGER, roles }: At,
): InboundMessage {
  return {
    address: { channel, accountId: 'default', chat: { kind, id }, ...(threadId ? { threadId } : {}) },
    sender,
    addressesBot: true,
    ...(spaceId ? { spaceId } : {}),
    ...(names ? { place: names } : {}),
    ...(roles ? { roles } : {}),
  } as InboundMessage;
}

/** The rules of the place and the decision of the access gate on somebody who addresses the agent there. */
export const gate = (channel: ChannelId, settings: object, at: At) =>
  gateFor(channel, settings, messageOf(channel, at));

export function gateFor(channel: ChannelId, settings: object, arrived: InboundMessage) {
  const plugin = CHANNELS[channel];
  const message = { ...arrived, addressesBot: true };
  const { rules, problem } = createPlaceRules()(plugin, { [channel]: settings as Record<string, unknown> }, message);
  if (problem !== undefined) throw new Error(problem);
  const admission = admit({
    message,
    channel: plugin,
    rules,
    paired: false,
    mention: { named: false, byWords: false },
    isCommand: false,
    useAccessGroups: true,
  });
  return {
    rules,
    admission: admission,
    lets: admission.kind === 'allowed',
    commands: admission.kind === 'allowed' && admission.commands,
  };
}

/** The tools denied there. */
export function denied(
  channel: ChannelId,
  settings: object,
  { id, threadId, spaceId, names, sender = STRANGER }: At,
): readonly string[] {
  const ids: IdForms = CHANNELS[channel].capabilities.ids!;
  const place = {
    channel,
    id,
    accountId: 'default',
    ids,
    ...(threadId ? { threadId } : {}),
    ...(spaceId ? { spaceId } : {}),
    ...(names ? { names } : {}),
  };
  return groupStages({ [channel]: settings as Record<string, unknown> }, place, [sender.id]).flatMap((stage) =>
    stage.deny.flatMap(({ patterns }) => patterns),
  );
}

/** The agent a message goes to, where everything else goes to `main`. */
export function agentFor(match: object, channel: ChannelId, at: At): string {
  const rules: RoutingRules = {
    bindings: bindingsConfigSchema.parse([{ agentId: 'bound', match: { channel, ...match } }]),
    session: { dmScope: 'main', identityLinks: {}, mainKey: 'main' } as never,
    defaultAgentId: 'main',
    agentIds: [],
  };
  return route(messageOf(channel, at), rules).agentId;
}

export function broadcasts(key: string, channel: ChannelId, at: At): boolean {
  const rules = {
    bindings: [],
    session: { dmScope: 'main', identityLinks: {}, mainKey: 'main' } as never,
    defaultAgentId: 'main',
    agentIds: [],
    broadcast: broadcastConfigSchema.parse({ [key]: ['a', 'b'] }),
  };
  return broadcastRoutes(messageOf(channel, at), rules) !== undefined;
}

/** Whether this sender may have approvals skipped, where the list says so. */
export function elevates(channel: ChannelId, entry: string, senderId: string): boolean {
  const entryOf = entryReader(Object.values(CHANNELS));
  return elevation({
    config: { enabled: true, allowFrom: { [channel]: [entry] } },
    agentId: 'main',
    level: 'full',
    isRequested: true,
    channel,
    senders: [senderId],
    operator: false,
    sessionKey: 'agent:main:main',
    sandboxed: true,
    entryOf: (one) => entryOf(channel, one),
  }).allowed;
}

export const sessionOf = (channel: string, peer: string, identityLinks: Record<string, readonly string[]>): string =>
  chatSessionKey({ agentId: 'main', channel, chat: { kind: 'direct', id: peer }, dmScope: 'per-peer', identityLinks });

export interface Server {
  readonly id: string;
  readonly name: string;
  readonly channels: readonly { readonly id: string; readonly name: string }[];
}

/** What the access gate is told of a channel's names, by a bot that is in these servers. */
export async function reportedOf(
  servers: readonly Server[],
  channelId: string,
  guildId: string,
): Promise<PlaceNames | undefined> {
  const places = createPlaces({ call: () => Promise.reject(new Error('nothing is asked')), botId: '900' });
  for (const { channels, ...guild } of servers)
    places.learn({
      t: 'GUILD_CREATE',
      d: { ...guild, roles: [], channels: channels.map((one) => ({ ...one, type: 0 })), threads: [] },
    } as never);
  return namesOf(await places.around(channelId, guildId));
}
