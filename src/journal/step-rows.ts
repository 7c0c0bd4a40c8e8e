/** What an earlier run of a turn left in the journal. */
import type { AssistantMessage, ToolResultMessage, UserMessage } from '../core/transcript.ts';

export interface StepLogRows {
  readonly models: ReadonlyMap<number, AssistantMessage>;
  /** `unknown`: started, end never written. */
  readonly tools: ReadonlyMap<string, ToolResultMessage | 'unknown'>;
  readonly steers: ReadonlyMap<number, readonly UserMessage[]>;
}
