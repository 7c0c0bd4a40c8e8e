/** What a person sent, in the gateway's own words. Facts only; every decision is taken later. */

export type ChatKind = 'direct' | 'group' | 'channel';

/** Where a conversation lives. Enough to send a reply back, nothing more. */
export interface ChatAddress {
  readonly channel: string;
  readonly accountId: string;
  readonly chat: { readonly kind: ChatKind; readonly id: string };
  readonly threadId?: string;
}

export interface InboundMessage {
  /** The platform's message id (webchat and HTTP: the caller's idempotency key); unique per channel and account. */
  readonly id: string;
  /** Edits of one message count up; part of the dedupe key. */
  readonly editVersion?: number;
  readonly address: ChatAddress;
  readonly sender: { readonly id: string; readonly name?: string; readonly handle?: string };
  /** Nobody wrote it: the gateway tells its agent what happened. */
  readonly system?: true;
  readonly text: string;
  readonly attachments: readonly Attachment[];
  readonly quoted?: { readonly id: string; readonly text?: string; readonly sender?: string };
  /** The platform says the bot was addressed: a mention, a reply to it, or a direct chat. */
  readonly addressesBot: boolean;
  /** Somebody else was named explicitly. */
  readonly mentionsOthers?: boolean;
  /** Guild (Discord), team (Slack), tenant (Teams): used by bindings only. */
  readonly spaceId?: string;
  /** Milliseconds since the epoch. */
  readonly receivedAt: number;
}

/** A file that came with a message: in the media store already (`path`), or still with the platform (`url`). */
export interface Attachment {
  readonly kind: 'image' | 'audio' | 'video' | 'document';
  /** Bare `type/subtype`. */
  readonly mime: string;
  readonly name?: string;
  /** Bytes. */
  readonly size?: number;
  /** Absolute path; the file survives a crash. */
  readonly path?: string;
  /** http(s); fetched through the guard when the message is understood. */
  readonly url?: string;
}
