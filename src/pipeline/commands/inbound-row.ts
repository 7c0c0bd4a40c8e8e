/** The part of an accepted message a command looks at. */
import type { InboundMessage } from '../../core/message.ts';

export interface InboundRow { readonly runId: string; readonly message: InboundMessage; readonly authorized: boolean }
