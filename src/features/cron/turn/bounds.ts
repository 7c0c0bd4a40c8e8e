/**
 * How far a job reaches that a turn asks for: into which conversation, to which chat, how often. What is checked is
 * what is stored.
 */
import type { MessageToolConfig } from '../../../config/message-tool-config.ts';
import type { CronJob, CronOwner } from '../../../core/cron.ts';
import type { Opening } from '../../../core/access-table.ts';
import { inPerson, sendersOf } from '../../../core/authority.ts';
import { AppError } from '../../../core/errors.ts';
import { insist, may, type KeepVerdict, type Verdict } from '../../../core/may.ts';
import type { ChatAddress } from '../../../core/message.ts';
import { DEFAULT_ACCOUNT_ID } from '../../../core/product.ts';
import { normaliseAccountId, parseSessionKey } from '../../../core/session-key.ts';
import type { Turn } from '../../../core/turn.ts';
import type { TargetRequest } from '../../../core/target-request.ts';
import { sameChat } from '../../../host/delivery-target.ts';
import type { DeliveryWords } from './wish.ts';
import { crossing, namesChannel } from '../../../host/message-guard.ts';

export interface CronBoundsDeps {
  readonly turn: Turn;
  /** `invalid` for channels and targets nobody knows. */
  resolve(target: TargetRequest): ChatAddress;
  isDeliverable(channel: string): boolean;
  config(): MessageToolConfig;
  /** What `access.open` lists. */
  open(): readonly Opening[];
  keep?: KeepVerdict | undefined;
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
  /** `there`: where it goes so far, for a wish that names no chat. */
  delivery(wish: DeliveryWords | undefined, there?: ChatAddress): StoredDelivery;
  /** A job as it stands says nothing this turn could not ask for. */
  covers(job: CronJob): boolean;
}

export function createCronBounds(deps: CronBoundsDeps): CronBounds {
  return new TurnBounds(deps);
}

class TurnBounds implements CronBounds {
  readonly #deps: CronBoundsDeps;
  readonly #agentId;
  readonly #sessionKey;
  readonly #here;
  readonly #authority;
  readonly #asked;
  readonly #free;
  readonly #reachable;
  // The product's own surface is bound to no chat when a person writes there; work that nobody wrote is.
  readonly #unbound;

  constructor(deps: CronBoundsDeps) {
    this.#deps = deps;
    this.#agentId = deps.turn.route.agentId;
    this.#sessionKey = deps.turn.route.sessionKey;
    this.#here = deps.turn.route.replyTo;
    this.#authority = deps.turn.authority;
    this.#asked = sendersOf(this.#authority);
    this.#free = may(this.#authority, 'aim', { kind: 'job' }, deps.open()).ok;
    this.#reachable = deps.isDeliverable(this.#here.channel);
    this.#unbound = !this.#reachable && inPerson(this.#authority);
  }

  get free(): boolean {
    return this.#free;
  }

  owner(home: string): CronOwner {
    return {
      sessionKey: home,
      ...(this.#asked.length > 0 ? { senders: this.#asked } : {}),
      ...(this.#authority.requester.kind === 'people' ? { address: withoutVia(this.#authority.home.address) } : {}),
      ...(this.#free ? { trusted: true as const } : {}),
    };
  }

  target(written: string): CronJob['sessionTarget'] {
    if (written === 'isolated') return 'isolated';
    if (written === 'main') return this.#free ? 'main' : `session:${this.#sessionKey}`;
    if (written === 'current') return `session:${this.#sessionKey}`;
    if (!/^session:./.test(written))
      throw new AppError('invalid', 'job.sessionTarget: is "main", "isolated", "current" or "session:<key>".');
    const key = this.#deps.canonicalKey(written.slice('session:'.length));
    if (key === this.#sessionKey) return `session:${key}`;
    if (!this.#free || parseSessionKey(key)?.agentId !== this.#agentId)
      throw new AppError(
        'denied',
        'A job may run in its own conversation, isolated, or – when its owner asks – in another conversation of the same agent.',
      );
    return `session:${key}`;
  }

  delivery(wish: DeliveryWords | undefined, there?: ChatAddress): StoredDelivery {
    if (wish?.deliver === false) return { deliver: false };
    if (!wish) return this.#reachable ? this.#stored(this.#here) : {};
    const address =
      there && wish.to === undefined && wish.channel === undefined ? sameChat(there, wish) : this.#addressOf(wish);
    if (address) {
      const verdict = this.#allowed(address);
      this.#deps.keep?.(this.#deps.turn, verdict);
      return this.#stored(address);
    }
    return this.#wherever(wish);
  }

  covers({ sessionTarget, payload, owner }: CronJob): boolean {
    if (this.#free) return true;
    // Without an owner it was made by an operator. Others run within the limits of those who asked for them, so nobody
    // else's words may come into them.
    if (!owner || owner.trusted || (owner.senders && this.#asked.some((sender) => !owner.senders!.includes(sender))))
      return false;
    if (
      sessionTarget === 'main'
        ? !this.#free
        : sessionTarget !== 'isolated' && sessionTarget !== `session:${this.#sessionKey}`
    )
      return false;
    if (payload.kind === 'systemEvent' || payload.deliver === false || (!payload.deliver && payload.to === undefined))
      return true;
    const to = storedAddress(payload);
    return to !== undefined && this.#mayReach(to);
  }

  #stored({ channel, accountId, chat, threadId }: ChatAddress): StoredDelivery {
    return {
      deliver: true,
      channel,
      to: chat.id,
      chatKind: chat.kind,
      accountId,
      ...(threadId === undefined ? {} : { threadId }),
    };
  }

  #allowed(to: Parameters<typeof crossing>[0]['to']): Verdict {
    const verdict = may(this.#authority, 'send', { kind: 'conversation', of: { address: to } }, this.#deps.open());
    insist(verdict, 'The answer of a job may not go there.');
    crossing({ here: this.#here, to, config: this.#deps.config(), unbound: this.#unbound });
    return verdict;
  }

  /** The chat that is named, this one where only its thread is; undefined: a channel without a chat. */
  #addressOf({ channel, to, accountId, threadId }: DeliveryWords): ChatAddress | undefined {
    const named = channel === 'last' ? undefined : channel;
    const stays =
      this.#reachable &&
      (named === undefined ? !namesChannel(to, this.#deps.isDeliverable) : named === this.#here.channel);
    if (to !== undefined)
      return this.#deps.resolve({
        to,
        channel: named ?? (stays ? this.#here.channel : undefined),
        accountId: accountId ?? (stays ? this.#here.accountId : undefined),
        threadId,
      });
    if (!stays || (channel === 'last' && this.#free)) return undefined;
    return sameChat(this.#here, { accountId, threadId });
  }

  /** The chat the agent was last written from: known only when the job runs, so it is for those who may reach any. */
  #wherever({ channel = 'last', accountId, threadId }: DeliveryWords): StoredDelivery {
    if (!this.#free)
      throw new AppError(
        this.#reachable ? 'denied' : 'invalid',
        `job.payload.to: is required with channel "${channel}": which chat the answer goes to.`,
      );
    if (channel !== 'last')
      this.#allowed({ channel, ...(accountId === undefined ? {} : { accountId: normaliseAccountId(accountId) }) });
    return {
      deliver: true,
      channel,
      ...(accountId === undefined ? {} : { accountId }),
      ...(threadId === undefined ? {} : { threadId }),
    };
  }

  #mayReach(to: ChatAddress): boolean {
    try {
      this.#allowed(to);
      return true;
    } catch (error) {
      if (error instanceof AppError && error.code === 'denied') return false;
      throw error;
    }
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
  return { channel, accountId, chat: { kind: chatKind, id: to }, ...(threadId === undefined ? {} : { threadId }) };
}

/** The way of one answer is closed by the time a job runs. */
const withoutVia = ({ channel, accountId, chat, threadId }: ChatAddress): ChatAddress => ({
  channel,
  accountId,
  chat,
  ...(threadId === undefined ? {} : { threadId }),
});
