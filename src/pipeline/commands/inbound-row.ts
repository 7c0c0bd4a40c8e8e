/** The part of an accepted message a command looks at. */
import type { InboundMessage } from '../../core/message.ts';
import type { Right } from '../../core/principal.ts';

export interface InboundRow {
  readonly runId: string;
  readonly message: InboundMessage;
  readonly authorized: boolean;
  readonly rights?: readonly Right[];
  /** False: never read as a command. */
  readonly commands?: boolean;
}
