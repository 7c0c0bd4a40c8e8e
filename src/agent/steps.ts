/** The turn journal as the loop uses it (P5): reads the completed steps of an earlier run, and records new ones. */
import type { AssistantMessage, ToolResultMessage, UserMessage } from '../core/transcript.ts';

export interface StepLog {
  /** Finished model calls of an earlier run, by index from 0. */
  recalledModel(index: number): AssistantMessage | undefined;
  /** `unknown`: it was started and its end was never written. */
  recalledTool(
    callId: string,
  ): { readonly state: 'finished'; readonly result: ToolResultMessage } | { readonly state: 'unknown' } | undefined;
  /** Messages that were steered in before model call `index`. */
  recalledSteer(index: number): readonly UserMessage[] | undefined;
  /** Not awaited, not synced: only for the timeline. */
  modelStarted(index: number, info: { readonly provider: string; readonly model: string }): void;
  /**
   * Durable with the start rows of the tools it calls, in one commit; await it before running them. With no tools the
   * end of the turn carries it.
   */
  modelFinished(
    index: number,
    message: AssistantMessage,
    tools: readonly {
      readonly callId: string;
      readonly tool: string;
      readonly input: unknown;
      readonly readOnly: boolean;
    }[],
  ): Promise<void>;
  toolFinished(result: ToolResultMessage, ms: number): Promise<void>;
  steered(index: number, messages: readonly UserMessage[]): Promise<void>;
}

/** A log that remembers nothing, for tests and turns that need no resume. */
export const noSteps: StepLog = {
  recalledModel: () => undefined,
  recalledTool: () => undefined,
  recalledSteer: () => undefined,
  modelStarted: () => {},
  modelFinished: async () => {},
  toolFinished: async () => {},
  steered: async () => {},
};
