/** Background work that a session started, for those who list and stop it. */
/** One such run: its id, a label for people, and the agent that does it. */
export interface ChildRun {
  readonly id: string;
  readonly label: string;
  readonly agentId: string;
}

/** Work that sessions have handed on, to be shown and stopped with them. */
export interface Children {
  /** What goes on for a session. */
  of(sessionKey: string): Promise<readonly ChildRun[]>;
  /** Ends it, and nobody hears of it any more. `ids`: these only. How many there were. */
  stop(sessionKey: string, ids?: readonly string[]): Promise<number>;
}
