/** The context passed to an action handler. */
import type { ActionCall, ChannelAccount } from '../../sdk/index.ts';
import { wrong, type Input } from './act-input.ts';
import type { Call } from './api.ts';
import type { DiscordConfig } from './config.ts';
import type { PermissionName } from './permissions.ts';
import type { Places } from './places.ts';
import type { Sending } from './send.ts';
import { parseMessageLink } from './targets.ts';

export interface ActDeps {
  readonly call: Call;
  readonly places: Places;
  readonly account: ChannelAccount<DiscordConfig>;
  readonly sending: Sending;
  readonly botId: string;
}

/** One action under way. */
export interface Acting extends ActDeps {
  readonly input: Input;
  readonly action: ActionCall;
  /** The channel or thread it is about. */
  channel(): Promise<string>;
  guild(): Promise<string>;
  /** For Discord's audit log: why, and who asked. */
  readonly reason: string | undefined;
  /** Of these channels, those that everybody who asked can open; all of them where the owner asked. */
  visible(channelIds: Iterable<string>, needs?: readonly PermissionName[]): Promise<ReadonlySet<string>>;
}

/** The message a link names, where one is given. */
export function linkedIn(input: Input): ReturnType<typeof parseMessageLink> {
  const link = input.optional('messageLink');
  const found = link === undefined ? undefined : parseMessageLink(link);
  if (link !== undefined && !found) throw wrong('messageLink', 'is not a link to a Discord message');
  return found;
}

/** The server that is named, or the one of the chat. */
export async function guildOf({
  input,
  action,
  channel,
  places,
}: Pick<Acting, 'input' | 'action' | 'channel' | 'places'>): Promise<string> {
  const found =
    input.optionalId('guildId') ?? (action.to ? (await places.around(await channel())).place.guildId : undefined);
  if (found === undefined) throw wrong('guildId', 'is required: this chat does not belong to a server');
  return found;
}

export type Handler = (act: Acting) => Promise<unknown>;
