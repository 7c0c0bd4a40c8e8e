/** The interface to WhatsApp: one connection of a linked device. `baileys-socket.ts` implements it with the library. */
import type { AppError, Log } from '../../sdk/index.ts';
import type { WhatsappConfig } from './config.ts';
import type { WaMedia, WaMediaType, WaMessage, WaMessageKey } from './content.ts';
import type { LinkedDevice } from './linked-device.ts';

/** What is to be sent; the names are those of the library. */
export type WaSending = Readonly<Record<string, unknown>>;

export interface WaSendOptions {
  /** Ours to choose: WhatsApp shows one message per id. */
  readonly messageId: string;
  readonly quoted?: WaMessage;
  /** Seconds after which it disappears, in chats where messages do. */
  readonly ephemeralExpiration?: number;
}

export interface WaGroup {
  readonly id: string;
  readonly subject: string;
  readonly members: number;
  /** People by our ids, with what they may. */
  readonly participants: readonly { readonly id: string; readonly admin: boolean }[];
  /** Seconds after which messages disappear. */
  readonly expiration?: number;
}

/** What comes in; each is called in the order of the platform. */
export interface WaEvents {
  /** It stays in the spool, and comes again with the next connection, until `settled` is called. */
  message(message: WaMessage, settled: () => Promise<void>): void;
  /** From the phone's history: once, and older than what is live. */
  history(messages: readonly WaMessage[]): void;
  /** Somebody voted in a poll; `options` is what they chose now. */
  vote(vote: { readonly key: WaMessageKey; readonly voter: WaMessageKey; readonly options: readonly string[] }): void;
  /** A group or its members changed. */
  groupChanged(id: string): void;
  /** The LID belongs to the number. */
  identity(pair: { readonly lid: string; readonly phone: string }): void;
  /** Anything came. */
  alive(): void;
}

export interface WaSelf {
  /** `+491511…`. */
  readonly id: string;
  readonly lid?: string;
  readonly name?: string;
}

export interface WaSocket extends AsyncDisposable {
  readonly self: WaSelf;
  /** Resolves with why the connection is over; never rejects. */
  readonly over: Promise<AppError>;
  /** Resolves once WhatsApp has taken it. `network`, `timeout`: nobody knows. */
  send(jid: string, content: WaSending, options: WaSendOptions): Promise<void>;
  markRead(keys: readonly WaMessageKey[]): Promise<void>;
  typing(jid: string): Promise<void>;
  group(jid: string): Promise<WaGroup>;
  /** The phone number behind a LID, where WhatsApp told it. */
  phoneOf(lid: string): Promise<string | undefined>;
  /** The bytes, checked against their hash. At most `maxBytes`: `too_large`. */
  download(
    media: WaMedia,
    type: WaMediaType,
    limits: { readonly maxBytes: number; readonly signal: AbortSignal },
  ): Promise<Uint8Array>;
  /** Rejects where no answer comes. */
  ping(): Promise<void>;
  /** Unlinks this device at WhatsApp. */
  unlink(): Promise<void>;
}

export interface WaOpening {
  readonly config: WhatsappConfig;
  readonly device: LinkedDevice;
  readonly log: Log;
  readonly signal: AbortSignal;
  readonly events: WaEvents;
}

/** How a device that is not linked yet shows what the phone needs, and learns that it worked. */
export interface WaLinking {
  /** Number of the phone, digits alone: link by a code instead of a picture. */
  readonly phone?: string;
  show(prompt: { readonly qr: string } | { readonly code: string }): void;
}
