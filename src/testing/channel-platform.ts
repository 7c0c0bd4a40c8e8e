/** A messaging platform for the contract suite: a fake server with the real protocol, and its users. */

/** How a platform that posts to a webhook reaches the bot. */
export interface Deliver {
  (
    path: string,
    request: { readonly method: string; readonly headers: Readonly<Record<string, string>>; readonly body: Buffer },
  ): Promise<{ readonly status: number }>;
  /** Somebody takes what is posted there. */
  isThere(path: string): boolean;
}

export interface ChannelPlatform extends AsyncDisposable {
  /** Of platforms that post to a webhook: called before the account connects, and again when it has moved. */
  reach?(how: Deliver): void;
  /** Settings of an account that reaches it, as under `channels.<id>`; without secrets. */
  readonly config: Readonly<Record<string, unknown>>;
  readonly credentials: Readonly<Record<string, string>>;
  /** Who the bot is there. */
  readonly botId: string;
  /**
   * A person, or somebody's bot, writes; resolves with the platform's message id once the platform has it, not once the
   * bot has it.
   */
  write(said: Said): Promise<string>;
  /** The person changes what they wrote. */
  change(chat: Chat, messageId: string, text: string): Promise<void>;
  react(chat: Chat, messageId: string, emoji: string, by: string): Promise<void>;
  /** Somebody presses the button of that name below a message of the bot; of platforms that have buttons. */
  press?(chat: Chat, messageId: string, label: string, by: string): Promise<void>;
  /** The platform delivers an update again that it delivered before, as after a lost acknowledgement. */
  redeliver(messageId: string): Promise<void>;
  /**
   * What people in the chat see of the bot now, in order; taken-back messages are gone, edited ones show their new
   * text.
   */
  seen(chat: Chat): readonly Seen[];
  /** Whether the bot is shown as typing there, or has been. */
  typed(chat: Chat): number;
  /**
   * The next calls that send a message end so. `accepted-timeout`: it is shown, and the connection ends without an
   * answer; `dropped`: the same without being shown. `markup`: the platform rejects the formatting.
   */
  failSends(
    how: 'rate-limit' | 'refused' | 'server-error' | 'accepted-timeout' | 'dropped' | 'markup',
    times: number,
  ): void;
  /** Cuts every open connection, as a network does; it may connect again at once. */
  cut(): void;
  /**
   * The platform, or who speaks in its place, says what makes no sense: what is not in its protocol, what lacks fields,
   * what has those of another kind.
   */
  babble(): void | Promise<void>;
  /** So many people are in the chat, and the platform says so as it does; of platforms that tell of members. */
  crowd?(chat: Chat, members: number): void;
  /** Nobody answers at its address any more, and its files stay; absent: closing it does no more. */
  leave?(): Promise<void>;
  /** The secret is not accepted any more. */
  revoke(): void;
  /** How many consumers are connected or polling right now. */
  readonly consumers: number;
  /** What was acknowledged to the platform: ids of messages it would not deliver again. */
  readonly acknowledged: readonly string[];
}

export interface Chat {
  readonly kind: 'direct' | 'group' | 'channel';
  readonly id: string;
  readonly threadId?: string;
}

export interface Said {
  readonly chat: Chat;
  /** The sender's stable id; the bot's own id is its own voice. */
  readonly by: string;
  readonly name?: string;
  readonly text?: string;
  /** The bot is mentioned as the platform does it, before the text. */
  readonly mention?: boolean;
  readonly file?: {
    readonly name: string;
    readonly mime: string;
    readonly data: Uint8Array;
    /** A voice note. */
    readonly voice?: boolean;
  };
  /** It answers this message. */
  readonly quotes?: string;
  /** `text` and `file` are somebody else's, passed on as the platform does it. */
  readonly forwarded?: boolean;
}

export interface Seen {
  readonly id: string;
  readonly text: string;
  /** What the platform was given, with its own markup. */
  readonly raw: string;
  readonly replyTo?: string;
  readonly threadId?: string;
  readonly file?: { readonly name: string; readonly mime: string; readonly size: number; readonly voice: boolean };
  readonly reactions: readonly string[];
}
