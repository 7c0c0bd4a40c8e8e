/** Maps the bot's messages to the sends that created them. Discord reports this once, in the gateway event. */
import { createHash } from 'node:crypto';
import { setNewest } from '../../sdk/index.ts';

const MAX = 2000;

export interface Ledger {
  /** A message of ours with this nonce exists. */
  sent(nonce: string, messageId: string): void;
  messageOf(nonce: string): string | undefined;
  /** Whether this message is known to have come of another send. */
  isClaimed(messageId: string, nonce: string): boolean;
  /** We are about to send with it. */
  expect(nonce: string): void;
  isExpected(nonce: string): boolean;
}

/** Discord takes 25 characters; the prefix tells our own from another program's. */
export const nonceOf = (token: string): string => `cb${createHash('sha256').update(token).digest('hex').slice(0, 22)}`;
export const isOurNonce = (nonce: unknown): nonce is string =>
  typeof nonce === 'string' && /^cb[0-9a-f]{22}$/.test(nonce);

export function createLedger(): Ledger {
  const messages = new Map<string, string>();
  const nonces = new Map<string, string>();
  const expected = new Map<string, true>();
  return {
    sent(nonce, messageId) {
      setNewest(messages, nonce, messageId, MAX);
      setNewest(nonces, messageId, nonce, MAX);
    },
    messageOf: (nonce) => messages.get(nonce),
    isClaimed: (messageId, nonce) => nonces.has(messageId) && nonces.get(messageId) !== nonce,
    expect: (nonce) => void setNewest(expected, nonce, true, MAX),
    isExpected: (nonce) => expected.has(nonce),
  };
}
