/** The fields of an accepted message that commands use. */
import type { Authority } from '../../core/authority.ts';
import type { InboundMessage } from '../../core/message.ts';

export interface InboundRow {
  readonly runId: string;
  readonly message: InboundMessage;
  readonly authority: Authority;
  /** False: never read as a command. */
  readonly commands?: boolean;
}
