/** Stores pairing requests and approvals by channel, in private files beside the credentials. */
import type { Log } from '../../core/log.ts';
import { present } from '../../core/present.ts';
import { createSerialQueue } from '../../platform/keyed-queue.ts';
import { byCode, newCode } from './pairing-code.ts';
import type { PairedSender, PairingRequest } from './pairing-file.ts';
import { createPairingFiles, PAIRING_TTL_MS, type Known } from './pairing-files.ts';

export type { PairedSender, PairingRequest } from './pairing-file.ts';
export { PAIRING_TTL_MS } from './pairing-files.ts';

const MAX_PENDING = 3;
/**
 * New codes in an hour of one channel, at most: a crowd of strangers must not make us write to all of them, nor push
 * out who asked before.
 */
const MAX_NEW = 30;
/** An unknown sender who keeps writing must not keep the disk busy. */
const SEEN_AGAIN_MS = 60_000;

export interface PairingStoreDeps {
  /** `<stateDir>/credentials` */
  readonly dir: string;
  readonly log: Log;
  now(): number;
  random?(size: number): Uint8Array;
}

export type PairingAttempt = Pick<PairingRequest, 'id' | 'accountId' | 'chatId' | 'name' | 'handle'>;
export interface ChannelRequest extends PairingRequest {
  readonly channel: string;
}
export type PairingNews =
  | { readonly requested: ChannelRequest }
  | { readonly resolved: ChannelRequest; readonly decision: 'approved' | 'rejected' };

export interface PairingStore {
  /** Requests settle in the order they were made; a file that was edited by hand is read again. */
  allowed(channel: string): Promise<readonly PairedSender[]>;
  /** The open request of this sender, made when there is none. Undefined: too many asked within the hour. */
  request(channel: string, attempt: PairingAttempt): Promise<ChannelRequest | undefined>;
  /** Oldest first; expired ones are gone. */
  pending(channel?: string): Promise<readonly ChannelRequest[]>;
  /** Undefined: no such code, or not any more. */
  approve(
    channel: string,
    code: string,
    as?: { readonly owner?: boolean | undefined },
  ): Promise<ChannelRequest | undefined>;
  reject(channel: string, code: string): Promise<ChannelRequest | undefined>;
  /** False: they were not approved by pairing. */
  revoke(channel: string, id: string): Promise<boolean>;
  subscribe(listener: (news: PairingNews) => void): () => void;
}

export function createPairingStore({ dir, log, now, random }: PairingStoreDeps): PairingStore {
  const files = createPairingFiles({ dir, log, now });
  /** When the last new requests were made, by channel. */
  const made = new Map<string, readonly number[]>();
  const listeners = new Set<(news: PairingNews) => void>();
  const oneByOne = createSerialQueue();

  /** One thing at a time, each from what is on disk. */
  const inTurn = <T>(channel: string, run: (state: Known) => Promise<T>): Promise<T> =>
    oneByOne.run(async () => run(await files.current(channel)));

  const notify = (news: PairingNews): void => listeners.forEach((listener) => listener(news));

  function resolve(
    channel: string,
    code: string,
    decision: 'approved' | 'rejected',
    owner = false,
  ): Promise<ChannelRequest | undefined> {
    return inTurn(channel, async ({ requests, allowed }) => {
      const found = byCode(requests, code);
      if (!found) return undefined;
      const others = allowed.filter(({ id }) => id !== found.id);
      await files.keep(channel, {
        requests: requests.filter((one) => one !== found),
        ...present({ allowed: decision === 'approved' ? [...others, senderOf(found, now(), owner)] : undefined }),
      });
      notify({ resolved: { channel, ...found }, decision });
      return { channel, ...found };
    });
  }

  return {
    allowed: (channel) => inTurn(channel, async ({ allowed }) => allowed),

    request: (channel, attempt) =>
      inTurn(channel, async ({ requests }) => {
        const open = requests.find(({ id }) => id === attempt.id);
        const lately = (made.get(channel) ?? []).filter((at) => Math.abs(now() - at) < PAIRING_TTL_MS);
        if (!open && lately.length >= MAX_NEW) return undefined;
        if (!open) made.set(channel, [...lately, now()]);
        const request = requestOf(attempt, { open, others: requests, now: now(), random });
        if (open && now() - open.lastSeenAt < SEEN_AGAIN_MS) return { channel, ...open };
        const others = requests.filter((one) => one !== open).sort((a, b) => a.lastSeenAt - b.lastSeenAt);
        await files.keep(channel, { requests: [...others.slice(-(MAX_PENDING - 1)), request] });
        if (!open) notify({ requested: { channel, ...request } });
        return { channel, ...request };
      }),

    async pending(channel) {
      const channels = channel === undefined ? await files.channels() : [channel];
      const all = await Promise.all(
        channels.map((one) =>
          inTurn(one, async ({ requests }) => requests.map((request) => ({ channel: one, ...request }))),
        ),
      );
      return all.flat().sort((a, b) => a.createdAt - b.createdAt);
    },

    approve: (channel, code, { owner } = {}) => resolve(channel, code, 'approved', owner),
    reject: (channel, code) => resolve(channel, code, 'rejected'),

    revoke: (channel, id) =>
      inTurn(channel, async ({ allowed }) => {
        const left = allowed.filter((one) => one.id.toLowerCase() !== id.trim().toLowerCase());
        if (left.length < allowed.length) await files.keep(channel, { allowed: left });
        return left.length < allowed.length;
      }),

    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

const senderOf = ({ id, name }: PairingRequest, at: number, owner: boolean): PairedSender => ({
  id,
  name,
  at,
  ...present({ owner: owner ? (true as const) : undefined }),
});

/** `open`: the request this sender has already. */
const requestOf = (
  attempt: PairingAttempt,
  {
    open,
    others,
    now,
    random,
  }: {
    readonly open: PairingRequest | undefined;
    readonly others: readonly PairingRequest[];
    readonly now: number;
    readonly random: PairingStoreDeps['random'];
  },
): PairingRequest => {
  if (open) return { ...open, ...attempt, lastSeenAt: now };
  const taken = others.map(({ code }) => code);
  return { ...attempt, code: newCode(taken, random), createdAt: now, lastSeenAt: now };
};
