/** The outcome of an event, as its node receives it. */

/** The outcome of an event. */
export interface EventOutcome {
  readonly handled: boolean;
  readonly reason?: string;
}
