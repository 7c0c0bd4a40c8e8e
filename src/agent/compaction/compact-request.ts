/** The input of a compaction. */
import type { Log } from '../../core/log.ts';
import type { Message } from '../../core/transcript.ts';
import type { Clock } from '../../platform/clock.ts';
import type { LoopModel } from '../loop/loop-input.ts';

export interface CompactRequest {
  readonly candidate: LoopModel;
  readonly messages: readonly Message[];
  /** What the person wants kept, from `/compact <instructions>`. */
  readonly instructions?: string | undefined;
  readonly keepRecentTokens: number;
  readonly signal: AbortSignal;
  readonly clock: Clock;
  readonly log: Log;
}
