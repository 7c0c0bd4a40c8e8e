/** The contract of a messaging channel: it provides facts and declares its capabilities as data; the core decides. */
import type { z } from 'zod';
import type { ChannelLogin } from './channel-login.ts';
import type { Log } from './log.ts';
import type { Attachment, ChatAddress, ChatKind, InboundMessage } from './message.ts';
import type { IdForms } from './place-key.ts';
import type { PlaceFacts, PlaceRules } from './place-rules.ts';
import type { MediaRef, OutboundMessage, ReplyPayload } from './reply.ts';
import type { Tool } from './tool.ts';

/**
 * One folder. Its `index.ts` is cheap: data, schema and pure functions; `connect` loads the platform's library itself.
 */
export interface ChannelPlugin<C = any> {
  readonly id: string;
  readonly label: string;
  readonly aliases?: readonly string[];
  /** Place in lists; lower comes first. */
  readonly order?: number;
  /** One line for people who choose a channel. */
  readonly blurb?: string;
  /**
   * Settings of one account: `channels.<id>` with `channels.<id>.accounts.<accountId>` over it. Built on
   * `channelSettings` of the sdk.
   */
  readonly config: z.ZodType<C>;
  readonly capabilities: ChannelCapabilities;
  /**
   * Secrets an account needs; from configuration, a file or the environment. Handed over resolved as
   * `ChannelAccount.credentials`.
   */
  readonly credentials?: readonly Credential[];
  /**
   * Tests these secrets with the platform, without connecting, before they are saved. `AppError('auth')`: they are
   * rejected. Absent: the channel has no such test.
   */
  verify?(account: Pick<ChannelAccount<C>, 'accountId' | 'config' | 'credentials' | 'log' | 'signal'>): Promise<void>;
  /**
   * Connects one account. Resolves once messages can flow; `AppError('auth')` for a refused secret is not tried again
   * at once.
   */
  connect(account: ChannelAccount<C>): Promise<ChannelConnection>;
  /** What configuration says of a place; absent: the common keys. Pure, cheap. */
  rules?(config: C, place: PlaceFacts): PlaceRules;
  /**
   * An allowlist entry as `sender.id` spells it (`tg:1` → `1`); undefined when it can never be one, e.g. a name.
   * Absent: the entry without `<channel>:`.
   */
  senderEntry?(entry: string): string | undefined;
  /** What a sender's id is called, e.g. `Telegram user id`. */
  readonly senderIdLabel?: string;
  /** `user:<id>`, `channel:<id>`, a number, a link … → a chat; undefined: not a chat of this channel. */
  parseTarget?(target: string): Pick<ChatAddress, 'chat' | 'threadId'> | undefined;
  /** How targets are written, for errors and prompts. */
  readonly targetHint?: string;
  /** What the `message` tool and `clawdbot message` can do here beyond sending. */
  readonly actions?: readonly ChannelAction[];
  /** What is wrong or dangerous in an account's settings, before anything connects. Pure. */
  review?(config: C): readonly ChannelProblem[];
  /**
   * Own settings, beside the common ones, that `rules` reads and a connection never keeps: their change needs no new
   * connection.
   */
  readonly liveKeys?: readonly string[];
  /** Further non-secret keys `channels add` takes, by configuration key. */
  readonly setup?: readonly SetupField[];
  /** Removes a login that is stored in files. The credentials in the configuration are removed in any case. */
  logout?(account: Pick<ChannelAccount<C>, 'accountId' | 'config' | 'stateDir' | 'log'>): Promise<void>;
  /** Absolute paths with secrets of the account outside its `stateDir`: no tool reads or writes there. Pure. */
  secretPaths?(config: C): readonly string[];
  /** A login that a person confirms on another device. Absent: its secrets alone log an account in. */
  readonly login?: ChannelLogin<C>;
  /** Lines for the system prompt of turns on this channel. */
  readonly promptHints?: readonly string[];
  /** Offered to the agent where this channel is in use. */
  readonly tools?: readonly Tool[];
}

/** One secret of an account, and where it may stand: in settings, a file or the environment. */
export interface Credential {
  /** Key in the account's settings. */
  readonly key: string;
  readonly label: string;
  /** Key that names a file holding it. */
  readonly fileKey?: string;
  /** Variable that holds it, for the default account. */
  readonly env?: string;
  /** What each of them looks like, in words that end `it is …`: another is refused before it is written. */
  readonly form?: { readonly pattern: RegExp; readonly words: string };
  /** Needed to connect, as far as the other settings say; absent: always. */
  needed?(settings: Readonly<Record<string, unknown>>): boolean;
}

/** A setting without secrets that the setup asks for; `list`: several values, comma-separated. */
export interface SetupField {
  readonly key: string;
  readonly label: string;
  readonly list?: true;
  /** Its name on the command line, where `key` already means something there, e.g. `account`. */
  readonly flag?: string;
}

/** One thing the agent or a person may do on a platform. `run` is `ChannelConnection.act`. */
export interface ChannelAction {
  /** `react`, `read`, `edit`, `delete`, `pin`, `thread-create` … */
  readonly name: string;
  readonly summary: string;
  /** Parameters it understands, by name: what each means. Those of `MESSAGE_PARAMETERS` need no description. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly required?: readonly string[];
  /** Key under `channels.<id>.actions` that turns it off or on. */
  readonly gate?: string;
  /** Off unless its gate is true. */
  readonly offByDefault?: true;
  /** Changes nothing. */
  readonly readOnly?: true;
  /**
   * How far what it reads or changes goes: the chat it is called in, the server or workspace around it, everything of
   * the account. Absent: that.
   */
  readonly reach?: ActionReach;
  /** It acts on people or on the settings of a place: the right it takes there, as the platform calls it. */
  readonly moderates?: string;
  /**
   * The permissions on the platform that the requester needs for reading or writing there, so that nobody reads through
   * the bot what the platform does not show them.
   */
  readonly needs?: readonly string[];
}

/** How far an action goes: one chat, a place of several chats (a server, a workspace), or the account itself. */
export type ActionReach = 'chat' | 'place' | 'account';

/** Declared as data, so that shared code never asks for a channel's name. */
export interface ChannelCapabilities {
  readonly chats: readonly ChatKind[];
  /** How the ids of its places look in configuration; absent: every key there is an id, to the letter. */
  readonly ids?: IdForms;
  readonly threads: boolean;
  /** How a thread is spelled in session keys; absent: `thread`. */
  readonly threadWord?: 'thread' | 'topic';
  /** Each thread of a direct chat has a session of its own. Absent: they share the one of the chat. */
  readonly directThreads?: true;
  readonly edit: boolean;
  /** Messages of the bot can be deleted. */
  readonly remove?: boolean;
  readonly react: boolean;
  readonly typing: boolean;
  readonly media: boolean;
  readonly voice: boolean;
  /**
   * What is shown as a voice note: media types, bare; recordings of another type are converted where that can be done.
   * `caption` false: a note has no words. Absent: Ogg, with words.
   */
  readonly voiceNotes?: { readonly types: readonly string[]; readonly caption?: false };
  /** Pictures that an answer names in Markdown, `![…](https://…)`, are sent as files. Absent: they stay words. */
  readonly markdownPictures?: true;
  readonly polls?: { readonly maxOptions: number };
  /** Shows `ReplyPayload.choices` as buttons; a press comes as a message with `pressed`. */
  readonly choices?: true;
  readonly markdown: 'full' | 'basic' | 'none';
  /** Characters; longer text is chunked. */
  readonly maxTextLength: number;
  /** Lines; longer text is chunked. */
  readonly maxLines?: number;
  /** Characters of text that can go with a file; longer text goes in a message of its own. Absent: `maxTextLength`. */
  readonly maxCaptionLength?: number;
  /** Sending the same `OutboundMessage.token` twice shows one message. */
  readonly idempotentSend: boolean;
  /** Commands can be registered with the platform; `on`: they are, unless configuration says otherwise. */
  readonly nativeCommands?: 'on' | 'off';
  /** Whether answers point at the message they answer, unless configuration says otherwise. */
  readonly replyTo?: 'off' | 'first' | 'all';
  /** A message the model itself points at is pointed at even where configuration says `off`. */
  readonly replyTags?: true;
  /**
   * How text is shown while it is being written, unless configuration says otherwise: one message that is edited, or
   * finished blocks.
   */
  readonly streaming?: 'off' | 'preview' | 'blocks';
  /** Blocks are merged until they have this many characters, or this long a pause came. */
  readonly coalesce?: { readonly minChars: number; readonly idleMs: number };
  /** The platform tells when the bot is mentioned in a group; false: only words can. Default true. */
  readonly mentions?: boolean;
  /**
   * If `tools.elevated.allowFrom` has no list for this channel, the people listed individually in its direct
   * `allowFrom` may use elevated. Absent: nobody.
   */
  readonly elevatedBy?: 'allowFrom';
  /** The person is the operator of the gateway itself: commands are authorised by scope. */
  readonly operator?: boolean;
  /** False: an in-product surface that is never the target of unsolicited delivery. */
  readonly deliverable: boolean;
}

/** What a channel gets to connect one account with: its settings, its secrets, and how to hand over and report. */
export interface ChannelAccount<C> {
  readonly accountId: string;
  readonly config: C;
  /** By key; those that are set. Never logged. */
  readonly credentials: Readonly<Record<string, string>>;
  /** A folder of this account's own, for what must survive a restart; made when first written to. */
  readonly stateDir: string;
  readonly log: Log;
  readonly signal: AbortSignal;
  /** For native registration; empty if the configuration disables it. */
  readonly commands: readonly NativeCommand[];
  /**
   * Resolves once the message's journal row is on disk (P1); acknowledge to the platform only then. Calls for one chat
   * must be made in order.
   */
  receive(message: InboundMessage): Promise<Receipt>;
  /** Reports the state of the connection for status and health. Merged into the previous report. */
  report(facts: AccountFacts): void;
  /**
   * Serves `path` on the gateway's own HTTP port while the account is connected; for webhooks. The channel proves the
   * caller.
   */
  mount(path: string, handler: WebhookHandler): Disposable;
  /**
   * Puts a file that only this channel can fetch where messages may refer to it (`attachments`); resolves once it is on
   * disk.
   */
  keep(file: { readonly data: Uint8Array; readonly mime: string; readonly name?: string }): Promise<Attachment>;
  /** The bytes of a file that is to be sent: read, or fetched through the guard. `too_large`, `not_found`, `denied`. */
  open(
    media: MediaRef,
    maxBytes: number,
  ): Promise<{ readonly data: Uint8Array; readonly mime: string; readonly name: string }>;
  /** Puts a message into the session's own history; the delivery of surfaces that live inside the product. */
  show(message: OutboundMessage): Promise<void>;
}

/** The whole request, read up to 1 MiB; what it resolves with is the answer. */
export type WebhookHandler = (request: {
  readonly method: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly query: URLSearchParams;
  readonly body: Buffer;
}) => Promise<{ readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body?: string }>;

/** A slash command for the command menu of a platform. */
export interface NativeCommand {
  /** Lower-case letters, digits, `_` and `-`; without the slash. */
  readonly name: string;
  readonly description: string;
  readonly args: readonly {
    readonly name: string;
    readonly description: string;
    readonly required?: true;
    readonly choices?: readonly string[];
  }[];
}

/** What a connection reports about itself while it is open; only what changed need be there. */
export interface AccountFacts {
  readonly connected?: boolean;
  /** Who we are there. */
  readonly self?: { readonly id: string; readonly name?: string; readonly handle?: string };
  /** Anything came from the platform just now, be it a heartbeat: what proves that we are not deaf (P9). */
  readonly alive?: true;
  /** polling, webhook, socket … */
  readonly mode?: string;
  /** What is wrong at the moment; replaces what was wrong before. Empty: nothing. */
  readonly problems?: readonly ChannelProblem[];
}

/** Something wrong with an account that its owner can put right. */
export interface ChannelProblem {
  readonly kind: 'auth' | 'intent' | 'permissions' | 'config' | 'runtime' | 'security';
  /** One sentence; never a secret. */
  readonly message: string;
  /** What to do. */
  readonly fix?: string;
}

/**
 * `duplicate`: this id is known; nothing was done. Rejects with `AppError('storage'|'unavailable')` when it could not
 * be kept.
 */
export interface Receipt {
  readonly status: 'accepted' | 'duplicate';
  readonly seq: number;
}

/** One account's live connection; methods that are absent are things the platform cannot do. */
export interface ChannelConnection extends AsyncDisposable {
  /**
   * Resolves with the platform's ids. `AppError('timeout'|'network')` after the request left means the outcome is
   * uncertain.
   */
  send(to: ChatAddress, message: OutboundMessage): Promise<{ readonly messageIds: readonly string[] }>;
  /**
   * Looks whether a send of unknown outcome arrived. Undefined: it cannot be known. `since`: when it was tried,
   * milliseconds since the epoch.
   */
  readBack?(
    to: ChatAddress,
    token: string,
    sent: { readonly payload: ReplyPayload; readonly since: number },
  ): Promise<readonly string[] | undefined>;
  probe(signal: AbortSignal): Promise<Probe>;
  /** Editing without a change is no error. `AppError('not_found')`: the message does not exist. */
  edit?(to: ChatAddress, messageId: string, message: OutboundMessage): Promise<void>;
  /**
   * Shows text that is being written, where the platform has something better for it than a message that is edited; it
   * goes when the message comes. False: not in this chat.
   */
  draft?(to: ChatAddress, message: OutboundMessage): Promise<boolean>;
  remove?(to: ChatAddress, messageId: string): Promise<void>;
  /** An empty `emoji` with `remove` removes all reactions of the bot. */
  react?(to: ChatAddress, messageId: string, emoji: string, options?: { readonly remove?: boolean }): Promise<void>;
  typing?(to: ChatAddress): Promise<void>;
  poll?(to: ChatAddress, poll: Poll): Promise<{ readonly messageIds: readonly string[]; readonly pollId?: string }>;
  /**
   * Does one of the plugin's `actions`; the answer is JSON for the caller. `invalid` names a parameter that is missing
   * or wrong.
   */
  act?(action: string, call: ActionCall): Promise<unknown>;
  /**
   * Whether these people have the permission on the platform: undefined, or a sentence that names who lacks it. Called
   * for actions that moderate or need permissions; absent: only the owner may use them.
   */
  whyNot?(userIds: readonly string[], action: ChannelAction, call: ActionCall): Promise<string | undefined>;
  /** A file of `Attachment.ref`. At most `maxBytes`: `too_large`. */
  download?(
    ref: string,
    limits: { readonly maxBytes: number; readonly signal: AbortSignal },
  ): Promise<{ readonly data: Uint8Array; readonly mime?: string; readonly name?: string }>;
  /**
   * Settles when the connection has ended permanently, and the supervisor reconnects. A rejection has the reason.
   * Absent: it reconnects by itself.
   */
  readonly ended?: Promise<void>;
}

/** `to` is set when the parameters name a target or the action was called in a chat. */
export interface ActionCall {
  readonly to?: ChatAddress;
  readonly parameters: Readonly<Record<string, unknown>>;
  /** People who see no more of the answer than the platform shows each of them, by its ids. Absent: the owner asked. */
  readonly requesters?: readonly string[];
  /** The ids of the requesters, for the audit log of the platform. Absent: a client of the gateway. */
  readonly requestedBy?: readonly string[];
  readonly signal: AbortSignal;
}

/** A question with fixed answers, `durationHours` long; without it the platform's own time. */
export interface Poll {
  readonly question: string;
  readonly options: readonly string[];
  /** 1: one answer. */
  readonly maxSelections: number;
  readonly durationHours?: number;
}

/** Whether an account works right now. `detail`: what is wrong; `lastInboundAt`: milliseconds since the epoch. */
export interface Probe {
  readonly ok: boolean;
  readonly detail?: string;
  readonly lastInboundAt?: number;
}
