/** Where the answer of an `agent` run goes besides its caller: decided before the run, for an answer nobody could deliver is not worth a turn. */
import { asAppError } from '../../core/errors.ts';
import type { ChatAddress } from '../../core/message.ts';
import { DEFAULT_ACCOUNT_ID } from '../../core/product.ts';
import type { AgentParams } from '../../protocol/agent.ts';
import type { SessionEntry } from '../../sessions/entry.ts';
import { refuse, type Call } from './method.ts';

/** Names that mean no channel in particular; the product's own surface is never written to from outside. */
const INSIDE = 'webchat';
const LAST = 'last';

export interface Delivery { readonly to: string; readonly channel: string; readonly accountId: string; readonly address: ChatAddress }

/** True: nothing has to be looked up, so nothing is awaited before the message takes its place in the session. */
export const isPlain = (params: AgentParams): boolean => params.deliver !== true && channelNamed(params) === undefined;

/** Undefined: the answer goes to the caller alone. An unknown channel is refused whether something is to be delivered or not. */
export async function planDelivery(params: AgentParams, { call, sessionKey }: { readonly call: Call; readonly sessionKey: string }): Promise<Delivery | undefined> {
  const written = params.replyChannel ?? params.channel;
  const known = await channelsOf(call);
  const named = channelNamed(params);
  const channel = named === undefined ? undefined : known.find(({ id, aliases }) => id === named || aliases.includes(named))?.id;
  if (named !== undefined && channel === undefined) throw refuse(`unknown channel "${named}"; configured: ${listed(known)}`);
  if (params.deliver !== true || written === INSIDE) return undefined;
  const to = params.replyTo ?? params.to;
  const entry = to === undefined || written === LAST ? await call.services.sessions.get(sessionKey) : undefined;
  if (to === undefined) return lastPlace(entry, { channel, known, accountId: accountNamed(params) });
  const chosen = channel ?? (known.some(({ id }) => id === entry?.lastChannel) ? entry?.lastChannel : undefined) ?? (known.length === 1 ? known[0]!.id : undefined);
  return asDelivery(resolved({ to, channel: chosen, accountId: accountNamed(params) }, { call, known }), to);
}

/** Where the session was written to last; never on another channel than the one named, for its chats mean nothing there. */
function lastPlace(entry: SessionEntry | undefined, { channel, known, accountId }: { readonly channel: string | undefined; readonly known: readonly Known[]; readonly accountId: string | undefined }): Delivery {
  const { lastChannel, lastTo, lastAccountId, lastThreadId, chatType = 'direct' } = entry ?? {};
  const usable = lastTo !== undefined && known.some(({ id }) => id === lastChannel) && (channel ?? lastChannel) === lastChannel;
  if (!usable) throw refuse(`deliver needs \`to\`: this session was never written to from ${channel ?? 'a channel'}; configured: ${listed(known)}`);
  const address: ChatAddress = { channel: lastChannel!, accountId: accountId ?? lastAccountId ?? DEFAULT_ACCOUNT_ID, chat: { kind: chatType, id: lastTo }, ...(lastThreadId === undefined ? {} : { threadId: lastThreadId }) };
  return asDelivery(address, lastTo);
}

function resolved(target: { readonly to: string; readonly channel: string | undefined; readonly accountId: string | undefined }, { call, known }: { readonly call: Call; readonly known: readonly Known[] }): ChatAddress {
  try {
    return call.services.channels.resolve(target);
  } catch (error) {
    const { code, message } = asAppError(error);
    if (code !== 'invalid') throw error;
    throw refuse(target.channel === undefined ? `deliver needs a channel; configured: ${listed(known)}` : message, error);
  }
}

const asDelivery = (address: ChatAddress, to: string): Delivery => ({ to, channel: address.channel, accountId: address.accountId, address });

interface Known { readonly id: string; readonly aliases: readonly string[] }

async function channelsOf({ services }: Call): Promise<readonly Known[]> {
  const [status, registry] = await Promise.all([services.channels.status({ probe: false, timeoutMs: 1000 }), services.channels.registry()]);
  return status.map(({ id }) => ({ id, aliases: registry.find((one) => one.id === id)?.aliases ?? [] }));
}

function channelNamed(params: AgentParams): string | undefined {
  const written = (params.replyChannel ?? params.channel)?.trim().toLowerCase();
  return written && written !== INSIDE && written !== LAST ? written : undefined;
}

const accountNamed = ({ replyAccountId, accountId }: AgentParams): string | undefined => replyAccountId ?? accountId;
const listed = (known: readonly Known[]): string => known.map(({ id }) => id).join(', ') || 'none';
