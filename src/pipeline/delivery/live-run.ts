/** What live display needs to know about a run, and what it may show. */
import type { LeavingPreviews } from './leaving-previews.ts';
import type { HumanDelay, TypingMode } from '../../config/delivery-config.ts';
import type { ChannelConnection } from '../../core/channel.ts';
import type { Log } from '../../core/log.ts';
import type { ChatAddress } from '../../core/message.ts';
import type { ReplyPayload } from '../../core/reply.ts';
import type { Clock } from '../../platform/clock.ts';
import type { BlockRules } from './block-cut.ts';
import type { SendOutcome } from './outbox-rows.ts';
import type { DeliveryRules } from './rules.ts';

/** One run that answers a message on a channel people see outside. */
export interface LiveRun {
  readonly runId: string;
  readonly sessionKey: string;
  readonly address: ChatAddress;
  /** The message that is answered. */
  readonly messageId: string;
  readonly typing: TypingMode;
  readonly typingEveryMs: number;
  /** Emoji to set on the message. */
  readonly ack?: string;
  readonly removeAck: boolean;
  readonly streaming: 'off' | 'preview' | 'blocks';
  readonly blocks: BlockRules;
  readonly humanDelay: HumanDelay;
  /** Tool calls are shown as they happen. */
  readonly toolSummaries: boolean;
  /** And of what came of them (`/verbose full`). */
  readonly toolResults?: boolean;
  /** A preview shows the model's thoughts until it speaks (`/reasoning stream`). */
  readonly thoughts?: boolean;
  readonly rules: DeliveryRules;
  /** Filled in, as far as it is known then. */
  prefix(): string | undefined;
}

/** A row of the outbox without what follows from the run. */
export interface LiveRow {
  readonly token: string;
  readonly payload: ReplyPayload;
}

export interface LiveDeps {
  /** Told of previews that may still change when the answer comes. */
  readonly previews: Pick<LeavingPreviews, 'add'>;
  readonly clock: Clock;
  readonly log: Log;
  /** Undefined: nothing is shown of this run. */
  liveOf(runId: string): LiveRun | undefined;
  /** The live connection of an account; undefined while it is down. */
  connection(address: ChatAddress): ChannelConnection | undefined;
  /** Resolves with the rows' ids once they are in the outbox. */
  post(run: LiveRun, rows: readonly LiveRow[]): Promise<readonly number[]>;
  send(id: number): Promise<SendOutcome | undefined>;
  withdraw(id: number): void;
  /** Resolves when everything this run says has been sent or given up. */
  delivered(runId: string): Promise<void>;
  /** Between 0 and 1. */
  random(): number;
}
