/** A chat as a person or model names it, before a channel has resolved it. */

/** A target as written. What is absent is resolved from the channel's defaults. */
export interface TargetRequest {
  readonly channel?: string | undefined;
  readonly accountId?: string | undefined;
  readonly to: string;
  readonly threadId?: string | undefined;
}
