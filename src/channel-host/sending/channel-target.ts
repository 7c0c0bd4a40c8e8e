/** Finds the chat for a channel and a target as people write them. Pure. */
import type { ChannelPlugin } from '../../core/channel.ts';
import { AppError } from '../../core/errors.ts';
import type { ChatAddress } from '../../core/message.ts';
import { present } from '../../core/present.ts';
import { DEFAULT_ACCOUNT_ID } from '../../core/product.ts';
import { normaliseAccountId } from '../../core/session-key.ts';
import type { TargetRequest } from '../../core/target-request.ts';
import { PUBLIC_COMMAND } from '../../platform/own-command.ts';

export interface Targets {
  /** The channels that are configured, and those inside the product. */
  plugins(): readonly ChannelPlugin[];
  /** Accounts of a channel that are configured, in order. */
  accounts(channel: string): readonly string[];
}

/** The channel named; without a name the only one there is. `invalid` lists the choices. */
export function pickChannel(wanted: string | undefined, { plugins }: Pick<Targets, 'plugins'>): ChannelPlugin {
  const external = plugins().filter(({ capabilities }) => capabilities.deliverable);
  const choices = external.map(({ id }) => id).join(', ');
  const name = wanted?.trim().toLowerCase() || undefined;
  const there = choices
    ? `Channels: ${choices}.`
    : `There are no configured channels; \`${PUBLIC_COMMAND} channels add --help\` shows how to set one up.`;
  if (name === undefined) {
    if (external.length === 1) return external[0]!;
    throw new AppError('invalid', external.length === 0 ? there : `Choose a channel to send to. ${there}`);
  }
  const plugin = external.find((one) => one.id === name || one.aliases?.includes(name));
  if (plugin) return plugin;
  const inside = plugins().some(({ id }) => id === name);
  throw new AppError(
    'invalid',
    inside
      ? `${name} cannot be a delivery target. Use another channel, or no delivery. ${there}`
      : `Channel "${wanted}" is unknown or not configured. ${there}`,
  );
}

/** The account named; else the only one, the default one, the first one. */
export function pickAccount(
  accountId: string | undefined,
  channel: string,
  { accounts }: Pick<Targets, 'accounts'>,
): string {
  const known = accounts(channel);
  if (accountId === undefined)
    return known.length === 0 || known.includes(DEFAULT_ACCOUNT_ID) ? DEFAULT_ACCOUNT_ID : known[0]!;
  const wanted = normaliseAccountId(accountId);
  if (known.length > 0 && !known.includes(wanted))
    throw new AppError('invalid', `${channel} has no account "${accountId}". Accounts: ${known.join(', ')}.`);
  return wanted;
}

export function resolveTarget({ channel, accountId, to, threadId }: TargetRequest, targets: Targets): ChatAddress {
  const plugin = pickChannel(channel ?? channelIn(to, targets), targets);
  const found = parsed(plugin, to.trim());
  if (!found)
    throw new AppError(
      'invalid',
      `"${to}" is not a valid target on ${plugin.label}.${plugin.targetHint ? ` Targets: ${plugin.targetHint}` : ''}`,
    );
  const thread = threadId ?? found.threadId;
  return present({
    channel: plugin.id,
    accountId: pickAccount(accountId, plugin.id, targets),
    chat: found.chat,
    threadId: thread,
  });
}

/** `telegram:123` names its channel itself. */
const channelIn = (to: string, { plugins }: Targets): string | undefined =>
  plugins().find(
    (plugin) =>
      plugin.capabilities.deliverable && namesOf(plugin).some((name) => to.trim().toLowerCase().startsWith(`${name}:`)),
  )?.id;

/** As the channel reads it, with and without its own name before it. */
function parsed(plugin: ChannelPlugin, to: string): Pick<ChatAddress, 'chat' | 'threadId'> | undefined {
  if (to === '') return undefined;
  const prefix = namesOf(plugin).find((name) => to.toLowerCase().startsWith(`${name}:`));
  return (
    plugin.parseTarget?.(to) ?? (prefix === undefined ? undefined : plugin.parseTarget?.(to.slice(prefix.length + 1)))
  );
}

const namesOf = ({ id, aliases = [] }: ChannelPlugin): readonly string[] => [id, ...aliases];
