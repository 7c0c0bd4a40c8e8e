/** What a node is told of an event it sent. */

/** What becomes of an event. */
export interface EventOutcome {
  readonly handled: boolean;
  readonly reason?: string;
}
