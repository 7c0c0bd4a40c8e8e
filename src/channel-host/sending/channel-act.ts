/**
 * Performs one channel action: finds the action, account and chat, checks whether it is enabled, and says what is
 * missing.
 */
import { offeredActions, parameterHelp, type OfferedAction } from '../../core/channel-actions.ts';
import type { ActionCall, ChannelConnection, ChannelPlugin, Poll } from '../../core/channel.ts';
import { AppError } from '../../core/errors.ts';
import { parameterText, targetIn } from '../../core/message-parameters.ts';
import type { ChatAddress } from '../../core/message.ts';
import { present } from '../../core/present.ts';
import type { ActRequest } from '../../host/channel-services.ts';
import { askPoll } from './ask-poll.ts';
import { pickAccount, pickChannel, resolveTarget, type Targets } from './channel-target.ts';
import { uuid } from '../../platform/ids.ts';
import { PUBLIC_COMMAND } from '../../platform/own-command.ts';

export interface ChannelActDeps extends Targets {
  /** `channels.<id>.actions` of one account. */
  gates(channel: string, accountId: string): Readonly<Record<string, boolean>>;
  connection(account: Pick<ChatAddress, 'channel' | 'accountId'>): ChannelConnection | undefined;
  now(): number;
}

type Parameters = ActRequest['parameters'];

/** What an action needs to know before it runs; nothing is done yet. `unsupported`, `invalid`. */
export interface PlannedAction {
  readonly plugin: ChannelPlugin;
  readonly action: OfferedAction;
  readonly accountId: string;
  readonly to?: ChatAddress;
}

export function planAction(
  { action: name, channel, accountId, here, parameters }: Omit<ActRequest, 'signal' | 'requestedBy'>,
  deps: Pick<ChannelActDeps, 'plugins' | 'accounts' | 'gates'>,
): PlannedAction {
  const plugin = pickChannel(channel ?? (isExternal(here, deps) ? here?.channel : undefined), deps);
  const inHere = here?.channel === plugin.id ? here : undefined;
  const account = accountId === undefined && inHere ? inHere.accountId : pickAccount(accountId, plugin.id, deps);
  const action = enabledAction({ plugin, name, account }, deps);
  for (const parameter of action.required ?? []) {
    if (isAbsent(parameters[parameter]) && !(parameter === 'target' && inHere))
      throw new AppError('invalid', `${name} needs ${parameter}: ${parameterHelp(action, parameter)}.`);
  }
  const target = targetIn(parameters);
  const threadId = parameterText(parameters['threadId']);
  const to =
    target === undefined
      ? inHere
      : resolveTarget({ channel: plugin.id, accountId: account, to: target, threadId }, deps);
  return present({ plugin, action, accountId: account, to });
}

export async function act(request: ActRequest, deps: ChannelActDeps): Promise<unknown> {
  const { plugin, action, accountId, to } = planAction(request, deps);
  const connection = deps.connection({ channel: plugin.id, accountId });
  if (!connection)
    throw new AppError(
      'unavailable',
      `${plugin.label} (${accountId}) is not connected; \`${PUBLIC_COMMAND} channels status\` shows why.`,
    );
  request.signal.throwIfAborted();
  const { parameters, signal, requesters, requestedBy } = request;
  const call = present({ to, parameters, signal, requesters, requestedBy });
  await assertActAllowed({ connection, action, plugin, requesters, call });
  if (connection.act && !action.generic) return connection.act(action.name, call);
  if (!to)
    throw new AppError(
      'invalid',
      `${action.name} needs target: the chat it is about.${plugin.targetHint ? ` Targets: ${plugin.targetHint}` : ''}`,
    );
  return byMethod({ action: action.name, to, parameters, connection }, deps);
}

interface ActionCheck {
  readonly connection: ChannelConnection;
  readonly action: OfferedAction;
  readonly plugin: ChannelPlugin;
  readonly requesters: ActRequest['requesters'];
  readonly call: ActionCall;
}

/** Whether the action needs rights of the requester on the platform. */
export const asksPlatform = ({ moderates, needs }: Pick<OfferedAction, 'moderates' | 'needs'>): boolean =>
  moderates !== undefined || needs !== undefined;

/**
 * Whoever has people or places acted on or looked at through us needs the right to do it there; where that cannot be
 * asked, it is not done.
 */
async function assertActAllowed({ connection, action, plugin, requesters, call }: ActionCheck): Promise<void> {
  if (requesters === undefined || !asksPlatform(action)) return;
  const rights = [action.moderates ?? action.needs ?? []].flat().join(', ');
  const refused = (why: string, cause?: unknown): AppError =>
    new AppError('denied', `${action.name} was refused: ${why} The owner of this gateway may request it.`, {
      cause,
    });
  if (!connection.whyNot || requesters.length === 0)
    throw refused(`${plugin.label} offers no way to check their rights (${rights}).`);
  const why = await connection.whyNot(requesters, action, call).catch((error: unknown) => {
    throw refused(`${plugin.label} did not return their rights (${rights}).`, error);
  });
  if (why !== undefined) throw refused(why);
}

function enabledAction(
  { plugin, name, account }: { readonly plugin: ChannelPlugin; readonly name: string; readonly account: string },
  { gates }: Pick<ChannelActDeps, 'gates'>,
): OfferedAction {
  const all = offeredActions(plugin, gates(plugin.id, account));
  const action = all.find((one) => one.name === name);
  const there =
    all
      .filter(({ enabled }) => enabled)
      .map((one) => one.name)
      .join(', ') || 'nothing beyond sending';
  if (!action) throw new AppError('unsupported', `${plugin.label} cannot "${name}". It can: ${there}.`);
  if (!action.enabled)
    throw new AppError(
      'unsupported',
      `${name} is turned off on ${plugin.label}: set channels.${plugin.id}.actions.${action.gate ?? name} to ` +
        `true. Enabled actions: ${there}.`,
    );
  return action;
}

interface Direct {
  readonly action: string;
  readonly to: ChatAddress;
  readonly parameters: Parameters;
  readonly connection: ChannelConnection;
}

/** What every channel that can it does in the same way. */
async function byMethod(
  { action, to, parameters, connection }: Direct,
  { now }: Pick<ChannelActDeps, 'now'>,
): Promise<unknown> {
  const messageId = parameterText(parameters['messageId']) ?? '';
  const remove = isTrue(parameters['remove']);
  switch (action) {
    case 'react':
      await method(connection.react, action).call(
        connection,
        to,
        messageId,
        parameterText(parameters['emoji']) ?? emptyOf(parameters, remove),
        { remove: remove || parameterText(parameters['emoji']) === undefined },
      );
      break;
    case 'edit': {
      const text = parameterText(parameters['message']) ?? '';
      await method(connection.edit, action).call(connection, to, messageId, {
        token: `act:${messageId}:${now()}`,
        runId: '',
        sessionKey: '',
        payload: { kind: 'final', text },
      });
      break;
    }
    case 'delete':
      await method(connection.remove, action).call(connection, to, messageId);
      break;
    case 'poll':
      return { ok: true, ...(await askPoll(connection, { to, poll: pollOf(parameters), token: `act:${uuid()}` })) };
    default:
      throw new AppError('unsupported', `${to.channel} cannot "${action}".`);
  }
  return { ok: true, messageId };
}

function method<T>(found: T | undefined, action: string): T {
  if (found === undefined)
    throw new AppError('unsupported', `The channel declares the action ${action} but does not implement it.`);
  return found;
}

/** An empty emoji takes ours away; none at all, without that being said, is a mistake. */
function emptyOf(parameters: Parameters, remove: boolean): string {
  if (remove || parameters['emoji'] === '') return '';
  throw new AppError('invalid', 'react needs emoji; an empty value removes all reactions of the bot.');
}

const MIN_ANSWERS = 2;

export function pollOf(parameters: Parameters): Poll {
  const options = [parameters['pollOption']]
    .flat()
    .map((one) => parameterText(one) ?? '')
    .filter((one) => one !== '');
  if (options.length < MIN_ANSWERS) throw new AppError('invalid', 'poll needs at least two pollOption values.');
  const hours = Number(parameters['pollDurationHours']);
  return present({
    question: parameterText(parameters['pollQuestion'])!,
    options,
    maxSelections: isTrue(parameters['pollMulti']) ? options.length : 1,
    durationHours: hours > 0 ? hours : undefined,
  });
}

const isExternal = (here: ChatAddress | undefined, { plugins }: Pick<Targets, 'plugins'>): boolean =>
  plugins().some(({ id, capabilities }) => id === here?.channel && capabilities.deliverable);
const isAbsent = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);
const isTrue = (value: unknown): boolean => value === true || value === 'true';
