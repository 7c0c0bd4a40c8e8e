/** The interface between the `message` tool and the gateway, and what it reports to the end of the turn. */
import type { ChatAddress } from './message.ts';
import type { MediaRef, ReplyPayload } from './reply.ts';
import type { KeptFile, Shown } from './shown.ts';
import type { Message } from './transcript.ts';

/** What the `message` tool asks to be sent. `target` is a chat as people name it. */
export interface MessageSendRequest {
  readonly channel?: string | undefined;
  readonly accountId?: string | undefined;
  /** Absent: the chat of the turn. */
  readonly target?: string | undefined;
  readonly threadId?: string | undefined;
  readonly text?: string | undefined;
  readonly media?: readonly MediaRef[] | undefined;
  readonly files?: readonly { readonly data: Uint8Array; readonly name?: string }[] | undefined;
  readonly asVoice?: boolean | undefined;
  readonly replyTo?: string | undefined;
  /** The channel action that it corresponds to: if that action is disabled, nothing is sent. */
  readonly as?: string | undefined;
  /** The same after a crash: what was sent is not sent again. */
  readonly runId: string;
  readonly dryRun?: boolean | undefined;
  readonly signal: AbortSignal;
}

/** What the `message` tool asks a channel to do besides sending, by the action's name. */
export interface MessageActRequest {
  readonly action: string;
  readonly channel?: string | undefined;
  readonly accountId?: string | undefined;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly signal: AbortSignal;
}

/** One message that went out, as the session notes it. */
export interface MessageSent {
  readonly address: ChatAddress;
  /** As it was sent. */
  readonly text: string;
  readonly messageIds: readonly string[];
  /** The files that went along: addresses, and `sha256:` of the bytes. */
  readonly media?: readonly string[];
  /** Names of files that were left out: this turn sent them there before. */
  readonly repeated?: readonly string[];
  /** In the product's own chat: the files people got there. Absent: it went to a channel. */
  readonly files?: readonly KeptFile[];
}

/** `details` of the result of every tool that sent something. */
export interface MessageDetails {
  readonly sent?: readonly MessageSent[];
}

/** The tool's name. */
export const MESSAGE_TOOL = 'message';

/** What tools sent in a turn, out of the results in its transcript: so it holds after a crash too. */
export const sentByTool = (messages: readonly Message[]): readonly MessageSent[] =>
  messages.flatMap((message) => {
    if (message.role !== 'toolResult' || message.isError) return [];
    const sent: unknown = (message.details as { readonly sent?: unknown } | undefined | null)?.sent;
    return Array.isArray(sent) ? sent.filter(isSent) : [];
  });

/** A tool of a plugin may have details of its own under that name. */
function isSent(entry: unknown): entry is MessageSent {
  const { address, text, messageIds } = (entry ?? {}) as Partial<MessageSent>;
  return typeof address?.channel === 'string' && typeof text === 'string' && Array.isArray(messageIds);
}

/**
 * The final answer without what its chat has read already: undefined when the tool sent the same words there, or said
 * there all there was to say. Another account, channel or chat is another place: the answer stays.
 */
export function withoutSent(
  final: ReplyPayload | undefined,
  { to, sent }: { readonly to: ChatAddress; readonly sent: readonly MessageSent[] },
): ReplyPayload | undefined {
  if (final?.text === undefined || final.failed || final.media?.length) return final;
  return wasSaid(final.text, sentTo(to, sent)) ? undefined : final;
}

/** What of it went to this very chat and thread. */
export const sentInto = (to: ChatAddress, sent: readonly MessageSent[]): readonly MessageSent[] =>
  sentTo(to, sent).filter(({ address }) => address.threadId === to.threadId);

/** What of it went to this very chat. */
export const sentTo = (to: ChatAddress, sent: readonly MessageSent[]): readonly MessageSent[] =>
  sent.filter(({ address }) => isSamePlace(address, to));

/** A part of a message this short may be there by chance. */
const TELLING_CHARS = 16;

/** What people read and got of it in the product's own chat. */
export const shownOfSent = (sent: readonly MessageSent[]): readonly Shown[] =>
  sent.flatMap(({ text, files }) => (files && (text.trim() !== '' || files.length > 0) ? [{ text, files }] : []));

/** The same words, or all of them as a part of what was sent. */
export function wasSaid(words: string, sent: readonly MessageSent[]): boolean {
  const said = flat(words);
  return sent.some(({ text }) => flat(text) === said || (said.length >= TELLING_CHARS && flat(text).includes(said)));
}

const isSamePlace = (a: ChatAddress, b: ChatAddress): boolean =>
  a.channel === b.channel && a.accountId === b.accountId && a.chat.id === b.chat.id;
/** Markup and spacing make no other message. */
const flat = (text: string): string =>
  text
    .replace(/[*_`~#>]+/g, '')
    .replace(/\s+/g, ' ')
    .trim()
    .toLowerCase();
