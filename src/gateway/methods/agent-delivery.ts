/**
 * Where the answer of an `agent` run goes besides its caller: decided before the run, for an answer nobody could
 * deliver is not worth a turn.
 */
import type { ChatAddress } from '../../core/message.ts';
import { DEFAULT_ACCOUNT_ID } from '../../core/product.ts';
import type { AgentParams } from '../../protocol/agent.ts';
import type { SessionEntry } from '../../sessions/entry.ts';
import type { ChannelMeta } from '../../host/channel-services.ts';
import { refuse, type Call } from './method.ts';

/**
 * Names that mean no channel in particular. The first is the product's own surface: it is never written to from
 * outside.
 */
const [INSIDE, LAST] = ['webchat', 'last'];

export interface Delivery {
  readonly to: string;
  readonly channel: string;
  readonly address: ChatAddress;
}

/** True: nothing has to be looked up, so nothing is awaited before the message takes its place in the session. */
export const isForCaller = (params: AgentParams): boolean =>
  params.deliver !== true && channelNamed(params) === undefined;

/**
 * Undefined: the answer goes to the caller alone. An unknown channel is refused whether something is to be delivered or
 * not.
 */
export async function planDelivery(
  params: AgentParams,
  { call, sessionKey }: { readonly call: Call; readonly sessionKey: string },
): Promise<Delivery | undefined> {
  const known = (await call.services.channels.registry()).filter(({ configured }) => configured);
  const named = channelNamed(params);
  const channel = known.find(({ id, aliases }) => id === named || (named !== undefined && aliases.includes(named)))?.id;
  if (named !== undefined && channel === undefined)
    throw refuse(`unknown channel "${named}"; configured: ${listed(known)}`);
  if (params.deliver !== true || written(params) === INSIDE) return undefined;
  const to = params.replyTo ?? params.to;
  const accountId = params.replyAccountId ?? params.accountId;
  const entry = to === undefined || written(params) === LAST ? await call.services.sessions.get(sessionKey) : undefined;
  if (to === undefined) return lastPlace(entry, { channel, known, accountId });
  // An account is meant for the chat it was seen with; whoever names another chat names its account too, or has the
  // default one.
  const address = call.services.channels.resolve({
    to,
    channel: channel ?? known.find(({ id }) => id === entry?.lastChannel)?.id,
    accountId,
  });
  return { to, channel: address.channel, address };
}

interface Wanted {
  readonly channel: string | undefined;
  readonly known: readonly ChannelMeta[];
  readonly accountId: string | undefined;
}

/**
 * Where the session was written to last; never on another channel than the one named, for its chats mean nothing there.
 */
function lastPlace(entry: SessionEntry | undefined, { channel, known, accountId }: Wanted): Delivery {
  const { lastChannel, lastTo, lastAccountId, lastThreadId, chatType = 'direct' } = entry ?? {};
  const there = known.find(({ id }) => id === lastChannel && id === (channel ?? lastChannel));
  if (!there || lastTo === undefined)
    throw refuse(
      `deliver needs \`to\`: nobody wrote to this session from ${channel ?? 'a channel'} yet; configured: ${listed(known)}`,
    );
  const address: ChatAddress = {
    channel: there.id,
    accountId: accountId ?? lastAccountId ?? DEFAULT_ACCOUNT_ID,
    chat: { kind: chatType, id: lastTo },
    ...(lastThreadId === undefined ? {} : { threadId: lastThreadId }),
  };
  return { to: lastTo, channel: there.id, address };
}

const written = ({ replyChannel, channel }: AgentParams): string | undefined =>
  (replyChannel ?? channel)?.trim().toLowerCase() || undefined;

function channelNamed(params: AgentParams): string | undefined {
  const name = written(params);
  return name === INSIDE || name === LAST ? undefined : name;
}

const listed = (known: readonly ChannelMeta[]): string => known.map(({ id }) => id).join(', ') || 'none';
