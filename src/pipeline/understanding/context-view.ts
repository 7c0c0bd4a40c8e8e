/** The documented context fields of a message, as templates of configured commands read them. Pure. */
import type { Attachment, InboundMessage, Quoted } from '../../core/message.ts';
import type { Route } from '../../core/route.ts';
import type { Note } from '../../core/understanding.ts';
import type { AttachmentFile } from './attachments.ts';
import { commandText, formatMedia } from './media/format.ts';
import type { TemplateContext } from './template.ts';

/** What is known of the session without opening it; `id` is absent for a new one. */
export interface SessionFacts {
  readonly id?: string;
}

export interface ContextFacts {
  readonly message: InboundMessage;
  readonly route: Route;
  readonly session: SessionFacts;
  readonly files: readonly AttachmentFile[];
  /** The message's attachments as they were found: a path is one that was checked, or none. */
  readonly attachments: readonly Attachment[];
  /** What was understood before: media comes before links. */
  readonly notes: readonly Note[];
}

/** Fields without a value are absent; a template shows nothing for them. */
export function contextView({ message, route, session, files, attachments, notes }: ContextFacts): TemplateContext {
  const { address, sender, quoted, place = {}, forwarded, location } = message;
  const group = address.chat.kind === 'direct' ? undefined : (place.chat ?? address.chat.id);
  const local = attachments.flatMap(({ path }) => path ?? []);
  const [body, said] = [formatMedia({ text: message.text, notes }), commandText({ text: message.text, notes })];
  return {
    Body: body,
    BodyForAgent: body,
    RawBody: said,
    CommandBody: said,
    BodyForCommands: said,
    BodyStripped: said.trim(),
    From: `${address.channel}:${sender.id}`,
    To: `${address.channel}:${address.chat.id}`,
    MessageSid: message.id,
    MessageSidFull: message.id,
    SessionKey: route.sessionKey,
    SessionId: session.id,
    IsNewSession: session.id === undefined,
    AgentId: route.agentId,
    AccountId: address.accountId,
    ChatType: address.chat.kind,
    GroupSubject: group,
    GroupChannel: group,
    GroupMembers: place.members,
    GroupSpace: message.spaceId,
    ThreadLabel: place.thread,
    ConversationLabel: place.thread ?? group ?? sender.name ?? sender.id,
    SenderId: sender.id,
    SenderName: sender.name,
    SenderUsername: sender.handle,
    SenderE164: /^\+\d{6,15}$/.test(sender.id) ? sender.id : undefined,
    Provider: address.channel,
    Surface: address.channel,
    OriginatingChannel: address.channel,
    OriginatingTo: address.chat.id,
    MessageThreadId: address.threadId,
    Timestamp: message.receivedAt,
    WasMentioned: message.addressesBot,
    ReplyToId: quoted?.id,
    ReplyToBody: quotedBody(quoted),
    ReplyToSender: quoted?.sender,
    ReplyToIsQuote: quoted?.partial,
    ForwardedFrom: forwarded?.from,
    ForwardedDate: forwarded?.at,
    ThreadStarterBody: message.threadStarter?.text,
    LocationLat: location?.latitude,
    LocationLon: location?.longitude,
    LocationAccuracy: location?.accuracyMeters,
    LocationName: location?.name,
    LocationAddress: location?.address,
    Transcript: transcript(notes),
    MediaPath: local[0],
    MediaUrl: attachments[0]?.url,
    MediaType: files[0]?.mime,
    MediaPaths: local,
    MediaUrls: attachments.flatMap(({ url }) => url ?? []),
    MediaTypes: files.map(({ mime }) => mime),
  };
}

/** Its words; for one without any, what it carried. */
const quotedBody = (quoted: Quoted | undefined): string | undefined =>
  quoted?.text?.trim() ? quoted.text : quoted?.media && `<media:${quoted.media}>`;

/** One transcript as it is, several under numbered headings; undefined when nobody spoke. */
export function transcript(notes: readonly Note[]): string | undefined {
  const spoken = notes.flatMap((note) => (note.kind === 'audio' ? [note.text] : []));
  return spoken.length > 1 ? spoken.map((text, index) => `Audio ${index + 1}:\n${text}`).join('\n\n') : spoken[0];
}
