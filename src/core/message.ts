/** A message from a person, as facts. All decisions are made later. */

import type { SaidWords } from './said.ts';

/** One person, a group of people, or a channel of a place with many. */
export type ChatKind = 'direct' | 'group' | 'channel';

/** Where a conversation takes place. Enough to send a reply back, nothing more. */
export interface ChatAddress {
  readonly channel: string;
  readonly accountId: string;
  /** A thread's `chat` is the chat it hangs in. */
  readonly chat: { readonly kind: ChatKind; readonly id: string };
  readonly threadId?: string;
  /**
   * Read by its channel alone: another way for the answers to one message, e.g. the response to a native command. It
   * expires; then the chat serves.
   */
  readonly via?: string;
}

/** One message as a channel provides it: facts of the platform, without decisions. */
export interface InboundMessage {
  /**
   * The platform's message id, as `quoted.id`, `replyTo.id`, `edit` and `react` take it (webchat and HTTP: the caller's
   * idempotency key).
   */
  readonly id: string;
  /** What is unique per channel and account, where `id` is unique in its chat only. */
  readonly key?: string;
  /** Edits of one message count up; part of the dedupe key. */
  readonly editVersion?: number;
  readonly address: ChatAddress;
  readonly sender: Sender;
  /** Nobody wrote it: the gateway tells its agent what happened. */
  readonly system?: true;
  /** Included in the next turn of the agent without starting one: a reaction, a person joining. */
  readonly quiet?: true;
  /** What the model is shown of it. */
  readonly text: string;
  /** The words the sender typed in this message, without the mention of the bot: what acts is read from these alone. */
  readonly said: SaidWords;
  /** Data of the pressed button. */
  readonly pressed?: string;
  /** A native command of the platform; `text` spells it `/name args`. */
  readonly native?: true;
  readonly attachments: readonly Attachment[];
  /** The sender grouped these files, as the platform says, so each should be understood. */
  readonly album?: true;
  readonly quoted?: Quoted;
  readonly forwarded?: { readonly from: string /** Milliseconds since the epoch. */; readonly at?: number };
  readonly location?: {
    readonly latitude: number;
    readonly longitude: number;
    readonly accuracyMeters?: number;
    readonly name?: string;
    readonly address?: string;
    readonly live?: true;
  };
  readonly contacts?: readonly { readonly name: string; readonly phones: readonly string[] }[];
  /** The platform says the bot was addressed: a mention, a reply to it, or a direct chat. */
  readonly addressesBot: boolean;
  /** Somebody else was named explicitly. */
  readonly mentionsOthers?: boolean;
  /** Guild (Discord), team (Slack), tenant (Teams). */
  readonly spaceId?: string;
  /** Roles of the sender in that space, by id. */
  readonly roles?: readonly string[];
  /** What people call the place. For prompts and lists; decides nothing. */
  readonly place?: PlaceNames;
  /** What a thread began with, where the platform tells. */
  readonly threadStarter?: { readonly text: string; readonly sender?: string; readonly senderId?: string };
  /** Milliseconds since the epoch. */
  readonly receivedAt: number;
}

/** `id` is the platform's stable one. Names and handles can be changed by their owners: they decide nothing. */
export interface Sender {
  readonly id: string;
  readonly name?: string;
  readonly handle?: string;
  readonly isBot?: true;
}

/** The message that another one answers, as far as the platform tells of it. */
export interface Quoted {
  readonly id: string;
  readonly text?: string;
  readonly sender?: string;
  /** Stable, where the platform tells it. */
  readonly senderId?: string;
  /** What it carried, for quotes without text. */
  readonly media?: Attachment['kind'] | 'sticker';
  /** The person picked this part of it. */
  readonly partial?: true;
}

/** A name that two places have is left out where settings may go by names: it tells neither. */
export interface PlaceNames {
  /** Title of the group, name of the channel. */
  readonly chat?: string;
  /** Server, workspace. */
  readonly space?: string;
  readonly thread?: string;
  readonly members?: number;
}

/** A file that came with a message: in the media store already (`path`), or still with the platform (`ref`, `url`). */
export interface Attachment {
  readonly kind: 'image' | 'audio' | 'video' | 'document';
  /** Bare `type/subtype`. */
  readonly mime: string;
  readonly name?: string;
  /** Bytes. */
  readonly size?: number;
  /** Absolute path; the file survives a crash. */
  readonly path?: string;
  /** Its channel fetches it by this, when the message is understood (`ChannelConnection.download`). */
  readonly ref?: string;
  /** http(s), public; fetched through the guard when the message is understood. */
  readonly url?: string;
  /**
   * Recorded by the sender for this message, according to the platform; any other audio file counts as another person's
   * speech.
   */
  readonly recorded?: true;
}

/** A message that was not meant for the agent. `at`: milliseconds since the epoch. */
export interface HistoryLine {
  /** With their stable id. */ readonly sender: string;
  readonly text: string;
  readonly at: number;
  readonly id?: string;
}

/** The dedupe key's message part (P2). */
export const dedupeId = ({ key, id }: Pick<InboundMessage, 'key' | 'id'>): string => key ?? id;
