/** A channel that messages can be sent to, as tools see it. */

/** One such channel: its id, its label, how its targets are written, and its enabled actions. */
export interface ReachableChannel {
  readonly id: string;
  readonly label: string;
  readonly targetHint?: string;
  /** Those that are turned on. */
  readonly actions: readonly ReachableAction[];
}

/** The part of a `ChannelAction` that says how to ask for it. */
export interface ReachableAction {
  readonly name: string;
  readonly summary: string;
  readonly parameters: Readonly<Record<string, string>>;
  readonly required?: readonly string[];
}
