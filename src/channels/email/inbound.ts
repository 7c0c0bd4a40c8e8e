/** A mail as it was fetched → what a person said, or why it is not for the agent. Pure. */
import { present, type Attachment, type InboundMessage } from '../../sdk/index.ts';
import { NOTHING_SAID, typed } from '../../sdk/said.ts';
import { chatOf, MAX_PEOPLE, readAddress, readFrom } from './addresses.ts';
import { proveSender } from './authentication.ts';
import type { EmailConfig } from './config.ts';
import { messageIds, type MailHeaders } from './headers.ts';
import { whyAutomatic } from './loops.ts';
import { threadIdOf, type Threads } from './threads.ts';
import { readWords } from './words.ts';

/** One mail of the mailbox. */
export interface FetchedMail {
  /** What it is called when it bears no id of its own. */
  readonly spare: string;
  readonly headers: MailHeaders;
  /** Decoded; for people to read. */
  readonly subject: string;
  readonly name?: string | undefined;
  /** Addresses of the To and Cc headers. */
  readonly to: readonly string[];
  readonly cc: readonly string[];
  readonly text: string;
  readonly attachments: readonly Attachment[];
  readonly receivedAt: number;
}

export interface MailContext {
  readonly accountId: string;
  readonly config: EmailConfig;
  readonly threads: Threads;
  isOurs(messageId: string): boolean;
}

/** Why a mail is left unread. `unproven`: its sender could not be told; all others are quiet. */
export type LeftMail = { readonly left: string; readonly unproven?: true };

export interface SaidMail {
  readonly message: InboundMessage;
  /** What its conversation must know of it, once it is taken. */
  readonly noted: Parameters<Threads['note']>;
}

export const isLeft = (mail: SaidMail | LeftMail): mail is LeftMail => 'left' in mail;

/** What can be said before its text is fetched: nothing of a mail that is left has to be read. */
export function screen(headers: MailHeaders, config: EmailConfig): LeftMail | { readonly from: string } {
  const header = headers.one('from');
  const from = header === undefined ? undefined : readFrom(header);
  if (from === undefined) return { left: 'its From header names nobody, or several', unproven: true };
  if (from === config.address) return { left: 'it is from the bot' };
  const automatic = whyAutomatic(from, headers);
  if (automatic !== undefined) return { left: automatic };
  if (config.senderCheck === 'off') return { from };
  const proof = proveSender(from, headers.all('authentication-results'), config.authservIds);
  return proof.proven ? { from } : { left: proof.why, unproven: true };
}

export function normalise(mail: FetchedMail, from: string, context: MailContext): SaidMail | LeftMail {
  const { config, accountId, threads } = context;
  const others = [...mail.to, ...mail.cc].flatMap((text) => readAddress(text) ?? []);
  const people = [from, ...others.filter((address) => address !== config.address)];
  if (new Set(people).size > MAX_PEOPLE || mail.to.length + mail.cc.length > 2 * MAX_PEOPLE)
    return { left: `it goes to more than ${MAX_PEOPLE} people` };
  const chat = chatOf(people);
  const id = messageIds(mail.headers.one('message-id'))[0] ?? mail.spare;
  const answers = answered(mail.headers);
  const root = threads.rootOf(id, answers);
  const threadId = threadIdOf(chat, root);
  const words = readWords(mail.text, /^\s*(?:fwd?|wg|tr|rv)\s*:/i.test(mail.subject));
  const isFirst = !/^\s*(?:re|aw|antw|sv)\s*:/i.test(mail.subject) && words.forwarded === undefined;
  const subject = mail.subject.trim();
  const onlySubject = words.shown === '';
  const isTo = mail.to.some((text) => readAddress(text) === config.address);
  const quoted = answers.at(-1);
  const message: InboundMessage = {
    id,
    key: `${from} ${id}`,
    address: { channel: 'email', accountId, chat, threadId },
    sender: present({ id: from, name: mail.name || undefined, handle: from }),
    text: onlySubject ? subject : isFirst && subject !== '' ? `Subject: ${subject}\n\n${words.shown}` : words.shown,
    said: words.forwarded && words.own === '' ? NOTHING_SAID : typed(onlySubject ? subject : words.own),
    attachments: mail.attachments,
    addressesBot: chat.kind === 'direct' || isTo || (quoted !== undefined && context.isOurs(quoted)),
    receivedAt: mail.receivedAt,
    ...present({
      quoted: quoted === undefined ? undefined : { id: quoted },
      forwarded: words.forwarded,
      place: chat.kind === 'group' ? { chat: subject || chat.id } : undefined,
    }),
  };
  return { message, noted: [threadId, { id, root, subject, references: answers }] };
}

/** What it answers, the newest last. */
function answered(headers: MailHeaders): readonly string[] {
  const references = messageIds(headers.one('references'));
  const inReplyTo = messageIds(headers.one('in-reply-to'))[0];
  return inReplyTo === undefined ? references : [...references.filter((id) => id !== inReplyTo), inReplyTo];
}
