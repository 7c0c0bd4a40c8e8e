/** The sender's view of outbox rows, and their final states. */
import type { ChatAddress } from '../../core/message.ts';
import type { ReplyPayload } from '../../core/reply.ts';

export interface OutgoingRow {
  readonly id: number;
  readonly token: string;
  readonly runId: string;
  readonly sessionKey: string;
  readonly address: ChatAddress;
  readonly payload: ReplyPayload;
  readonly state: 'pending' | 'sending' | 'uncertain' | 'sent' | 'failed';
  readonly attempts: number;
  readonly createdAt: number;
  readonly messageIds?: readonly string[];
}

export interface TakenRow {
  readonly row: OutgoingRow;
  readonly begun: boolean;
}

/** The outbox's rows as the sender needs them; the journal has this shape. */
export interface OutboxRows {
  /** `begun`, to the first who asks: it was written as `sending` by this run of the gateway, and nothing was sent. */
  take(id: number): Promise<TakenRow | undefined>;
  byToken(token: string): Promise<OutgoingRow | undefined>;
  open(): Promise<readonly OutgoingRow[]>;
  sending(id: number): Promise<void>;
  sent(id: number, messageIds: readonly string[]): Promise<void>;
  retryAt(id: number, state: 'pending' | 'uncertain', nextAt: number, error: string): Promise<void>;
  failed(id: number, error: string): Promise<void>;
  /** What could be read before would outlast a power cut. */
  synced(): Promise<void>;
}

export type SendOutcome =
  | { readonly status: 'sent'; readonly messageIds: readonly string[] }
  | { readonly status: 'failed'; readonly error: string };

/** Marked as begun, and nothing of it has left us. */
export const asUnsent = (row: OutgoingRow): OutgoingRow => ({ ...row, state: 'pending', attempts: row.attempts - 1 });

export const isOver = ({ state }: OutgoingRow): boolean => state === 'sent' || state === 'failed';
