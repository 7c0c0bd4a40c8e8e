/**
 * Resolves where the answer of an `agent` run is delivered, before the run: an invalid target fails without spending a
 * turn.
 */
import { OWN_CHANNEL } from '../../core/product.ts';
import type { ChatAddress } from '../../core/message.ts';
import type { AgentParams } from '../../protocol/agent.ts';
import type { ChannelMeta } from '../../host/channel-services.ts';
import { deliveryTarget } from '../../host/delivery-target.ts';
import { refuse, type Call } from './method.ts';

/**
 * Names that mean no channel in particular. The first is the product's own surface: it is never written to from
 * outside.
 */
const [INSIDE, LAST] = [OWN_CHANNEL, 'last'];

export interface Delivery {
  readonly to: string;
  readonly channel: string;
  readonly address: ChatAddress;
}

/** True: nothing must be resolved, so nothing is awaited before the message is queued in its session. */
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
  // The session's channel is used only for "last", and its chat only if the request names none.
  const entry = to === undefined || written(params) === LAST ? await call.services.sessions.get(sessionKey) : undefined;
  const address = deliveryTarget({ channel, to, accountId }, entry, {
    resolve: call.services.channels.resolve,
    channelId: (name) => known.find(({ id }) => id === name)?.id,
  });
  if (!address)
    throw refuse(
      `deliver needs \`to\`: nobody wrote to this session from ${channel ?? 'a channel'} yet; configured: ` +
        `${listed(known)}`,
    );
  return { to: to ?? address.chat.id, channel: address.channel, address };
}

const written = ({ replyChannel, channel }: AgentParams): string | undefined =>
  (replyChannel ?? channel)?.trim().toLowerCase() || undefined;

function channelNamed(params: AgentParams): string | undefined {
  const name = written(params);
  return name === INSIDE || name === LAST ? undefined : name;
}

const listed = (known: readonly ChannelMeta[]): string => known.map(({ id }) => id).join(', ') || 'none';
