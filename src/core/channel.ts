/** The contract of a messaging surface: it hands over facts, the core decides. */
import type { z } from 'zod';
import type { Log } from './log.ts';
import type { Attachment, ChatAddress, ChatKind, InboundMessage } from './message.ts';
import type { OutboundMessage } from './reply.ts';
import type { Tool } from './tool.ts';

export interface ChannelPlugin<C = any> {
  readonly id: string;
  readonly label: string;
  readonly aliases?: readonly string[];
  /** Place in lists; lower comes first. */
  readonly order?: number;
  readonly config: z.ZodType<C>;
  readonly capabilities: ChannelCapabilities;
  /** Connects one account. Resolves once messages can flow. */
  connect(account: ChannelAccount<C>): Promise<ChannelConnection>;
  /** `user:<id>` / `channel:<id>` / a phone number → a chat, or undefined when it is not ours. */
  parseTarget?(target: string): ChatAddress['chat'] | undefined;
  readonly tools?: readonly Tool[];
}

/** Declared as data, so that shared code never asks for a channel's name. */
export interface ChannelCapabilities {
  readonly chats: readonly ChatKind[];
  readonly threads: boolean;
  readonly edit: boolean;
  readonly react: boolean;
  readonly typing: boolean;
  readonly media: boolean;
  readonly voice: boolean;
  readonly markdown: 'full' | 'basic' | 'none';
  /** Characters; longer text is chunked. */
  readonly maxTextLength: number;
  /** Sending the same `OutboundMessage.token` twice shows one message. */
  readonly idempotentSend: boolean;
  /** The person is the operator of the gateway itself: commands are authorised by scope. */
  readonly operator?: boolean;
  /** False: an in-product surface that is never the target of unsolicited delivery. */
  readonly deliverable: boolean;
}

export interface ChannelAccount<C> {
  readonly accountId: string;
  readonly config: C;
  readonly log: Log;
  readonly signal: AbortSignal;
  /** Puts a file that only this channel can fetch where messages may refer to it (`attachments`); resolves once it is on disk. */
  keep(file: { readonly data: Uint8Array; readonly mime: string; readonly name?: string }): Promise<Attachment>;
  /** Resolves once the message's journal row is on disk (P1); acknowledge to the platform only then. */
  receive(message: InboundMessage): Promise<Receipt>;
  /** Puts a message into the session's own history; the delivery of surfaces that live inside the product. */
  show(message: OutboundMessage): Promise<void>;
}

/** `duplicate`: this id is known; nothing was done. Rejects with `AppError('storage'|'unavailable')` when it could not be kept. */
export interface Receipt { readonly status: 'accepted' | 'duplicate'; readonly seq: number }

export interface ChannelConnection extends AsyncDisposable {
  /** Resolves with the platform's ids. `AppError('timeout'|'network')` after the request left means the outcome is uncertain. */
  send(to: ChatAddress, message: OutboundMessage): Promise<{ readonly messageIds: readonly string[] }>;
  /** Looks whether a send of unknown outcome arrived. */
  readBack?(to: ChatAddress, token: string): Promise<readonly string[] | undefined>;
  probe(signal: AbortSignal): Promise<Probe>;
  edit?(to: ChatAddress, messageId: string, message: OutboundMessage): Promise<void>;
  react?(to: ChatAddress, messageId: string, emoji: string): Promise<void>;
  typing?(to: ChatAddress): Promise<void>;
}

export interface Probe { readonly ok: boolean; readonly detail?: string; readonly lastInboundAt?: number }
