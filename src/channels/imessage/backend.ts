/** The interface to a Mac that the channel needs; implemented with imsg and with BlueBubbles. */
import type { AppError, ChannelAccount, ChannelConnection, Probe } from '../../sdk/index.ts';
import type { ImessageConfig } from './config.ts';
import type { Target } from './handles.ts';

export interface RawFile {
  readonly ref: string;
  readonly name: string | undefined;
  readonly mime: string | undefined;
  readonly size: number | undefined;
  readonly recorded: boolean;
}

/** A row of the Messages database. */
export interface RawMessage {
  /** Where to go on behind it. */
  readonly cursor: number;
  readonly guid: string;
  readonly chat: {
    readonly id: number | undefined;
    readonly guid: string;
    readonly name: string | undefined;
    readonly group: boolean;
  };
  readonly sender: string;
  readonly senderName: string | undefined;
  readonly fromMe: boolean;
  readonly text: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly editedAt: number | undefined;
  readonly files: readonly RawFile[];
  readonly replyTo: string | undefined;
  readonly forwarded: boolean;
  readonly reaction: { readonly emoji: string; readonly target: string; readonly removed: boolean } | undefined;
}

export interface OutgoingMessage {
  readonly text: string;
  readonly file: { readonly data: Uint8Array; readonly mime: string; readonly name: string } | undefined;
  readonly voice: boolean;
  readonly replyTo: string | undefined;
  readonly token: string;
}

export interface Backend extends AsyncDisposable {
  readonly mode: string;
  /** Resolves with the guid, undefined where the Mac did not say. Rejects like `ChannelConnection.send`. */
  send(to: Target, message: OutgoingMessage): Promise<string | undefined>;
  edit(to: Target, guid: string, text: string): Promise<void>;
  unsend(to: Target, guid: string): Promise<void>;
  tapback(to: Target, guid: string, tapback: { readonly emoji: string; readonly remove: boolean }): Promise<void>;
  typing(to: Target): Promise<void>;
  /** Shows the chat as read. */
  read(to: Target): Promise<void>;
  /** What the chat shows since then, ours too; undefined: it is not known which chat that is. */
  recent(to: Target, since: number): Promise<readonly RawMessage[] | undefined>;
  readonly download: NonNullable<ChannelConnection['download']>;
  probe(signal: AbortSignal): Promise<Probe>;
}

export interface BackendDeps {
  readonly account: ChannelAccount<ImessageConfig>;
  readonly signal: AbortSignal;
  /** Behind which messages are wanted; undefined: from now on. */
  cursor(): number | undefined;
  /** Where "from now on" is. */
  begin(cursor: number): Promise<void>;
  onMessage(message: RawMessage): void;
  onUp(self: string): void;
  onDown(error: AppError): void;
  onAlive(): void;
  /** It cannot go on by itself. */
  fail(error: AppError): void;
}
