/** The description of a command, and one call of it. */
import type { ResourceKind, Verb } from '../../core/access-table.ts';
import type { CommandsConfig } from './config.ts';
import type { InboundRow } from './inbound-row.ts';

export interface CommandFacts {
  /** Without the slash. */
  readonly name: string;
  readonly aliases?: readonly string[];
  readonly usage: string;
  readonly summary: string;
  readonly group: CommandGroup;
  /** The row of the access table it falls under; its thing is this conversation's. */
  readonly does: readonly [verb: Verb, kind: ResourceKind];
  /** Off unless `commands.<gate>` is true. */
  readonly gate?: keyof CommandsConfig & ('config' | 'debug' | 'restart' | 'bash');
}

/** In the order `/help` shows them. */
export const COMMAND_GROUPS = ['Conversation', 'Model', 'Answers', 'Information', 'Control'] as const;
export type CommandGroup = (typeof COMMAND_GROUPS)[number];

export interface CommandCall {
  readonly args: string;
  readonly row: InboundRow;
  readonly sessionKey: string;
}
