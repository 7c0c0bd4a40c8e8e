/** A chat as a person or a model names it, before a channel has said which one it means. */

/** A target as written. What is absent is resolved from the channel's defaults. */
export interface TargetRequest {
  readonly channel?: string | undefined;
  readonly accountId?: string | undefined;
  readonly to: string;
  readonly threadId?: string | undefined;
}
