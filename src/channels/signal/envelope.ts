/** The parts of signal-cli's messages that are used here. All of it is untrusted. */
import { parseJson } from '../../sdk/index.ts';

export interface Event {
  readonly envelope?: Envelope;
  readonly account?: string;
  readonly exception?: { readonly type?: string; readonly message?: string };
}

export interface Envelope {
  readonly sourceNumber?: string | null;
  readonly sourceUuid?: string | null;
  readonly sourceName?: string | null;
  readonly timestamp?: number;
  readonly serverReceivedTimestamp?: number;
  readonly dataMessage?: DataMessage;
  readonly receiptMessage?: { readonly timestamps?: readonly number[] };
  readonly syncMessage?: { readonly sentMessage?: SentElsewhere };
  readonly editMessage?: { readonly targetSentTimestamp?: number; readonly dataMessage?: DataMessage };
}

/** By another device of the account. */
export interface SentElsewhere {
  readonly destinationNumber?: string | null;
  readonly destinationUuid?: string | null;
  readonly timestamp?: number;
  readonly groupInfo?: { readonly groupId?: string };
}

export interface DataMessage {
  readonly timestamp?: number;
  readonly message?: string | null;
  readonly groupInfo?: { readonly groupId?: string; readonly groupName?: string | null; readonly type?: string };
  readonly mentions?: readonly Mention[];
  readonly attachments?: readonly RawAttachment[];
  readonly quote?: Quote;
  readonly reaction?: Reaction;
  readonly sticker?: { readonly packId?: string; readonly stickerId?: number };
  readonly contacts?: readonly SharedContact[];
  readonly remoteDelete?: object;
  readonly viewOnce?: boolean;
}

export interface Mention {
  readonly name?: string | null;
  readonly number?: string | null;
  readonly uuid?: string | null;
  readonly start?: number;
  readonly length?: number;
}

export interface RawAttachment {
  readonly contentType?: string | null;
  readonly filename?: string | null;
  readonly id?: string | null;
  readonly size?: number | null;
  readonly voiceNote?: boolean;
  readonly isVoiceNote?: boolean;
}

export interface Quote {
  readonly id?: number;
  readonly authorNumber?: string | null;
  readonly authorUuid?: string | null;
  readonly text?: string | null;
  readonly attachments?: readonly { readonly contentType?: string | null }[];
}

export interface Reaction {
  readonly emoji?: string;
  readonly targetAuthorNumber?: string | null;
  readonly targetAuthorUuid?: string | null;
  readonly targetSentTimestamp?: number;
  readonly isRemove?: boolean;
}

export interface SharedContact {
  readonly name?: { readonly display?: string | null; readonly given?: string | null; readonly family?: string | null };
  readonly phone?: readonly { readonly value?: string | null }[];
}

/** Undefined: it is no event. */
export function readEvent(text: string): Event | undefined {
  const read = parseJson(text);
  if (typeof read !== 'object' || read === null) return undefined;
  // Newer ones wrap it as a notification.
  const { params } = read as { readonly params?: { readonly result?: Event } & Event };
  return params ? (params.result ?? params) : (read as Event);
}
