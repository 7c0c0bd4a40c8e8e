/** What a slash command is, and what it may do. */
import type { InboundRow } from './inbound-row.ts';

export interface Command {
  /** Without the slash. */
  readonly name: string;
  readonly aliases?: readonly string[];
  readonly usage: string;
  readonly summary: string;
  /** False: `/name x` is ordinary text. */
  readonly takesText: boolean;
  /** Reached through `session.resetTriggers` alone. */
  readonly resets?: boolean;
  run(call: CommandCall, host: CommandHost): Promise<CommandAnswer>;
}

export interface CommandCall { readonly args: string; readonly row: InboundRow; readonly sessionKey: string }

/** `reply` is told without a model; `turn` goes on to the model in place of the command; `postponed`: the process goes, and the next life runs it. */
export type CommandAnswer = { readonly reply: string } | { readonly turn: string } | { readonly postponed: true };

/** The parts of the product commands act on; connected in `app.ts`. */
export interface CommandHost {
  readonly commands: readonly Command[];
  /** Called inside the session's lane. */
  resetSession(key: string): Promise<void>;
  setModel(key: string, reference: string): Promise<string | undefined>;
  /** Stops the running turn and empties the queue. */
  stop(key: string, except: string): Promise<{ readonly turns: number; readonly queued: number }>;
  compact(key: string, instructions: string | undefined): Promise<{ readonly compacted: boolean; readonly before?: number; readonly after?: number; readonly reason?: string } | 'postponed'>;
  statusCard(key: string): Promise<string>;
}
