/** Commands of paired devices, as other features call them for a turn; at most one feature provides them. */
import type { RecordAccess } from '../core/may.ts';
import type { Turn } from '../core/turn.ts';

/** One command for one node, on the word of a turn. */
export interface NodeCommandCall {
  readonly turn: Turn;
  readonly keep: RecordAccess | undefined;
  /** By id, address, name or the beginning of its id. */
  readonly node: string;
  readonly command: string;
  readonly params: unknown;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** A connected node. */
export interface OfferingNode {
  readonly id: string;
  readonly name: string;
}

/** What is allowed is decided here: by the rights of the turn, the settings, and what a person approved of the node. */
export interface NodeCommands {
  /** Connected nodes that offer a command which somebody approved. */
  offering(command: string): readonly OfferingNode[];
  /** What the node answers. Rejects with `AppError`: `denied` for a turn that may use no node. */
  call(call: NodeCommandCall): Promise<unknown>;
}
