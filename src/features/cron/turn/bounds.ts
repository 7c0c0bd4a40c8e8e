/** The limits of a job that a turn requests: session, target chat, frequency. The checked job is the stored one. */
import type { MessageToolConfig } from '../../../config/message-tool-config.ts';
import type { CronJob, CronOwner } from '../cron-job.ts';
import type { Opening } from '../../../core/access-table.ts';
import { isDirectRequest, sendersOf } from '../../../core/authority.ts';
import { AppError } from '../../../core/errors.ts';
import { assertAllowed, may, type RecordAccess, type AccessCheck } from '../../../core/may.ts';
import type { ChatAddress } from '../../../core/message.ts';
import { present } from '../../../core/present.ts';
import { DEFAULT_ACCOUNT_ID } from '../../../core/product.ts';
import { normaliseAccountId, parseSessionKey } from '../../../core/session-key.ts';
import type { Turn } from '../../../core/turn.ts';
import type { TargetRequest } from '../../../core/target-request.ts';
import { sameChat } from '../../../host/delivery-target.ts';
import type { DeliveryWords } from './request.ts';
import { crossChatMarker, namesChannel } from '../../../host/message-guard.ts';

export interface CronBoundsDeps {
  readonly turn: Turn;
  /** `invalid` for channels and targets nobody knows. */
  resolve(target: TargetRequest): ChatAddress;
  isDeliverable(channel: string): boolean;
  config(): MessageToolConfig;
  /** What `access.open` lists. */
  open(): readonly Opening[];
  keep?: RecordAccess | undefined;
  canonicalKey(raw: string): string;
}

/** Part of a payload. `chatKind`: `to` is the id of the chat itself. */
export type StoredDelivery = Partial<
  Pick<
    Extract<CronJob['payload'], { kind: 'agentTurn' }>,
    'deliver' | 'channel' | 'to' | 'accountId' | 'threadId' | 'chatKind'
  >
>;

export interface CronBounds {
  /** Everybody in the turn may configure. */
  readonly free: boolean;
  /** `home`: the conversation people are in. */
  owner(home: string): CronOwner;
  /** `main`: in place of a conversation the turn may not speak to. Another agent's: `denied`. */
  target(written: string): CronJob['sessionTarget'];
  /** `there`: where it goes so far, for a request that names no chat. */
  delivery(request: DeliveryWords | undefined, there?: ChatAddress): StoredDelivery;
  /** A job as it stands says nothing this turn could not ask for. */
  covers(job: CronJob): boolean;
}

/** The turn that asks: what it may, and what its own conversation is. */
interface Asking extends CronBoundsDeps {
  /** Everybody in it may configure. */
  readonly free: boolean;
  /** Its own conversation can be written to. */
  readonly reachable: boolean;
}

export function createCronBounds(deps: CronBoundsDeps): CronBounds {
  const { turn, isDeliverable, open } = deps;
  const { authority } = turn;
  const free = may(authority, 'aim', { kind: 'job' }, open()).ok;
  const asking: Asking = { ...deps, free, reachable: isDeliverable(turn.route.replyTo.channel) };
  const senders = sendersOf(authority);
  return {
    free,
    target: (written) => targetOf(written, asking),
    delivery: (request, there) => deliveryOf(request, there, asking),
    covers: (job) => covers(job, asking),
    owner: (home) =>
      present({
        sessionKey: home,
        senders: senders.length > 0 ? senders : undefined,
        address: authority.requester.kind === 'people' ? withoutVia(authority.home.address) : undefined,
        trusted: free ? (true as const) : undefined,
      }),
  };
}

function targetOf(written: string, { turn, free, canonicalKey }: Asking): CronJob['sessionTarget'] {
  const { agentId, sessionKey } = turn.route;
  if (written === 'isolated') return 'isolated';
  if (written === 'main') return free ? 'main' : `session:${sessionKey}`;
  if (written === 'current') return `session:${sessionKey}`;
  if (!/^session:./.test(written))
    throw new AppError('invalid', 'job.sessionTarget: must be "main", "isolated", "current" or "session:<key>".');
  const key = canonicalKey(written.slice('session:'.length));
  if (key === sessionKey) return `session:${key}`;
  if (!free || parseSessionKey(key)?.agentId !== agentId)
    throw new AppError(
      'denied',
      'A job may run in its own conversation, isolated, or – when its owner asks – in another conversation ' +
        'of the same agent.',
    );
  return `session:${key}`;
}

const stored = ({ channel, accountId, chat, threadId }: ChatAddress): StoredDelivery =>
  present({ deliver: true, channel, to: chat.id, chatKind: chat.kind, accountId, threadId });

/** Throws `denied` where the answer of a job may not go. */
function allowed(
  to: Parameters<typeof crossChatMarker>[0]['to'],
  { turn, open, config, reachable }: Asking,
): AccessCheck {
  const { authority } = turn;
  const check = may(authority, 'send', { kind: 'conversation', of: { address: to } }, open());
  assertAllowed(check, 'The job may not send its answer there.');
  // The product's own surface is bound to no chat when a person writes there; work that nobody wrote is.
  crossChatMarker({
    here: turn.route.replyTo,
    to,
    config: config(),
    unbound: !reachable && isDirectRequest(authority),
  });
  return check;
}

function deliveryOf(
  request: DeliveryWords | undefined,
  there: ChatAddress | undefined,
  asking: Asking,
): StoredDelivery {
  const { turn, reachable, keep } = asking;
  if (request?.deliver === false) return { deliver: false };
  if (!request) return reachable ? stored(turn.route.replyTo) : {};
  const address =
    there && request.to === undefined && request.channel === undefined
      ? sameChat(there, request)
      : addressOf(request, asking);
  if (!address) return wherever(request, asking);
  const check = allowed(address, asking);
  keep?.(turn, check);
  return stored(address);
}

/** The chat that is named, this one where only its thread is; undefined: a channel without a chat. */
function addressOf({ channel, to, accountId, threadId }: DeliveryWords, asking: Asking): ChatAddress | undefined {
  const { turn, free, reachable, isDeliverable, resolve } = asking;
  const here = turn.route.replyTo;
  const named = channel === 'last' ? undefined : channel;
  const stays = reachable && (named === undefined ? !namesChannel(to, isDeliverable) : named === here.channel);
  if (to !== undefined)
    return resolve({
      to,
      channel: named ?? (stays ? here.channel : undefined),
      accountId: accountId ?? (stays ? here.accountId : undefined),
      threadId,
    });
  if (!stays || (channel === 'last' && free)) return undefined;
  return sameChat(here, { accountId, threadId });
}

/** The chat the agent was last written from: known only when the job runs, so it is for those who may reach any. */
function wherever({ channel = 'last', accountId, threadId }: DeliveryWords, asking: Asking): StoredDelivery {
  if (!asking.free)
    throw new AppError(
      asking.reachable ? 'denied' : 'invalid',
      `job.payload.to: is required with channel "${channel}": which chat the answer goes to.`,
    );
  if (channel !== 'last')
    allowed(
      present({ channel, accountId: accountId !== undefined ? normaliseAccountId(accountId) : undefined }),
      asking,
    );
  return present({ deliver: true, channel, accountId, threadId });
}

function covers({ sessionTarget, payload, owner }: CronJob, asking: Asking): boolean {
  const { turn, free } = asking;
  if (free) return true;
  // Without an owner it was made by an operator. Others run within the limits of those who asked for them, so nobody
  // else's words may come into them.
  const senders = sendersOf(turn.authority);
  if (!owner || owner.trusted || (owner.senders && senders.some((sender) => !owner.senders!.includes(sender))))
    return false;
  if (sessionTarget !== 'isolated' && sessionTarget !== `session:${turn.route.sessionKey}`) return false;
  if (payload.kind === 'systemEvent' || payload.deliver === false || (!payload.deliver && payload.to === undefined))
    return true;
  const to = storedAddress(payload);
  return to !== undefined && maySend(to, asking);
}

function maySend(to: ChatAddress, asking: Asking): boolean {
  try {
    allowed(to, asking);
    return true;
  } catch (error) {
    if (error instanceof AppError && error.code === 'denied') return false;
    throw error;
  }
}

/** Of a payload that names its chat by id. */
export function storedAddress({
  channel,
  to,
  accountId = DEFAULT_ACCOUNT_ID,
  chatKind,
  threadId,
}: StoredDelivery): ChatAddress | undefined {
  if (channel === undefined || to === undefined || chatKind === undefined) return undefined;
  return { channel, accountId, chat: { kind: chatKind, id: to }, ...present({ threadId }) };
}

/** The way of one answer is closed by the time a job runs. */
const withoutVia = ({ channel, accountId, chat, threadId }: ChatAddress): ChatAddress =>
  present({ channel, accountId, chat, threadId });
