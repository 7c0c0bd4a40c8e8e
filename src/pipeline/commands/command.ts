/** What a slash command is, and what it may do. */
import type { ElevatedLevel } from '../../config/exec-config.ts';
import type { ApprovalDecision } from '../../core/approval.ts';
import type { InboundRow } from './inbound-row.ts';

export interface Command {
  /** Without the slash. */
  readonly name: string;
  readonly aliases?: readonly string[];
  readonly usage: string;
  readonly summary: string;
  /** False: `/name x` is ordinary text. */
  readonly takesText: boolean;
  /** Words it takes all the same; anything else behind it makes the message a sentence. */
  readonly takes?: RegExp;
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
  /** Answers a command that waits for approval; throws `AppError('denied')` for people who may not. */
  approve(call: CommandCall, id: string, decision: ApprovalDecision): Promise<string>;
  /** Commands that wait for approval, as lines. */
  approvals(call: CommandCall): readonly string[];
  /** How far commands of this session may go from now on; without `level` only tells. */
  elevate(call: CommandCall, level: ElevatedLevel | undefined): Promise<string>;
}
