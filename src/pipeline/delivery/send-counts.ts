/** Counts messages sent, failed and retried per account since the start. */
import type { ChatAddress } from '../../core/message.ts';

export interface SendCounts {
  readonly sent: number;
  readonly failed: number;
  /** Said once more, because nobody could tell whether it had arrived. */
  readonly repeated: number;
}

type Account = Pick<ChatAddress, 'channel' | 'accountId'>;

export interface SendTally {
  add(account: Account, what: keyof SendCounts): void;
  of(account: Account): SendCounts;
}

const NONE: SendCounts = { sent: 0, failed: 0, repeated: 0 };

export function createSendTally(): SendTally {
  const counts = new Map<string, SendCounts>();
  const keyOf = ({ channel, accountId }: Account): string => JSON.stringify([channel, accountId]);
  const of = (account: Account): SendCounts => counts.get(keyOf(account)) ?? NONE;
  return {
    of,
    add(account, what) {
      const known = of(account);
      counts.set(keyOf(account), { ...known, [what]: known[what] + 1 });
    },
  };
}
