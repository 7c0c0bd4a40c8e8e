/** An answer as a mail: its text plain and as HTML, its files, and the headers that keep it in its conversation. */
import { createHash } from 'node:crypto';
import type MailComposerType from 'nodemailer/lib/mail-composer';
import {
  AppError,
  excerpt,
  PRODUCT_LABEL,
  present,
  type ChannelAccount,
  type ChatAddress,
  type OutboundMessage,
} from '../../sdk/index.ts';
import { plainDialect, renderMarkdown, type MarkdownDialect } from '../../sdk/markdown.ts';
import { domainOf, peopleOf } from './addresses.ts';
import type { EmailConfig } from './config.ts';
import { missing } from './imap-line.ts';
import { threadIdOf, type NotedMessage, type Threads } from './threads.ts';

export interface ComposedMail {
  readonly id: string;
  readonly to: readonly string[];
  readonly raw: Buffer;
  readonly threadId: string;
  readonly noted: NotedMessage;
}

/** Files of one mail together. */
const MAX_MB = 20;
const MB = 1024 * 1024;
const SUBJECT_MAX = 80;

/** The same message has the same id however often it is sent: many mail systems show it once. */
export const messageIdOf = (token: string, address: string): string =>
  `${createHash('sha256').update(token).digest('hex').slice(0, 32)}.clawdbot@${domainOf(address)}`;

export const isOwnId = (id: string, address: string): boolean => id.endsWith(`.clawdbot@${domainOf(address)}`);

export async function composeMail(
  to: ChatAddress,
  { token, payload }: OutboundMessage,
  { account, threads }: { readonly account: ChannelAccount<EmailConfig>; readonly threads: Threads },
): Promise<ComposedMail> {
  const { config } = account;
  const text = payload.text ?? '';
  const answered = typeof payload.replyTo === 'object' ? payload.replyTo.id : undefined;
  const threadId = to.threadId ?? (answered === undefined ? undefined : threads.holding(to.chat, answered));
  const thread = threadId === undefined ? undefined : threads.find(threadId);
  const id = messageIdOf(token, config.address);
  const inReplyTo = answered ?? thread?.last;
  const subject = thread
    ? `Re: ${thread.subject.replace(/^(?:(?:re|aw|antw|sv)\s*:\s*)+/i, '')}`.trim()
    : subjectOf(text);
  const references = [...new Set([...(thread?.references ?? []), ...(inReplyTo === undefined ? [] : [inReplyTo])])];
  const root = thread?.root ?? inReplyTo ?? id;
  const people = peopleOf(to.chat);
  const Composer = await loadComposer();
  const mail = new Composer({
    from: { name: config.displayName ?? PRODUCT_LABEL, address: config.address },
    to: people.map((address) => ({ name: '', address })),
    subject,
    messageId: `<${id}>`,
    ...present({
      inReplyTo: inReplyTo === undefined ? undefined : `<${inReplyTo}>`,
      references: references.length === 0 ? undefined : references.map((one) => `<${one}>`),
    }),
    headers: { 'Auto-Submitted': 'auto-replied', 'X-Auto-Response-Suppress': 'All' },
    ...bodyOf(text, payload.plain === true, config),
    attachments: await filesOf(payload, account),
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    id,
    to: people,
    raw: await built(mail),
    threadId: threadId ?? threadIdOf(to.chat, root),
    noted: { id, root, subject, references },
  };
}

async function loadComposer(): Promise<typeof MailComposerType> {
  try {
    return (await import('nodemailer/lib/mail-composer')).default;
  } catch (error) {
    throw missing('nodemailer', error);
  }
}

const built = (mail: MailComposerType): Promise<Buffer> =>
  new Promise((resolve, reject) =>
    mail.compile().build((error, message) => {
      if (error || !message) reject(new AppError('internal', 'The mail could not be written.', { cause: error }));
      else resolve(message);
    }),
  );

function bodyOf(text: string, plain: boolean, config: EmailConfig): { readonly text: string; readonly html?: string } {
  if (plain || text === '') return { text };
  const tables = config.markdown?.tables ?? 'code';
  const words = renderMarkdown(text, plainDialect, { tables });
  return {
    text: words,
    html: `<div style="white-space: pre-wrap">${renderMarkdown(text, htmlDialect, { tables })}</div>`,
  };
}

function subjectOf(text: string): string {
  const first = renderMarkdown(text.slice(0, 1000), plainDialect)
    .split('\n')
    .find((line) => line.trim() !== '');
  return first === undefined ? `Message from ${PRODUCT_LABEL}` : excerpt(first.trim(), SUBJECT_MAX);
}

async function filesOf(
  { media = [] }: OutboundMessage['payload'],
  { config, open }: ChannelAccount<EmailConfig>,
): Promise<{ readonly filename: string; readonly content: Buffer; readonly contentType: string }[]> {
  const files = [];
  let left = (config.mediaMaxMb ?? MAX_MB) * MB;
  for (const one of media) {
    const { data, mime, name } = await open(one, left);
    left -= data.length;
    files.push({ filename: name, content: Buffer.from(data), contentType: mime });
  }
  return files;
}

const escape = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
const quoted = (text: string): string => escape(text).replaceAll('"', '&quot;');

const htmlDialect: MarkdownDialect = {
  escape,
  bold: ['<b>', '</b>'],
  italic: ['<i>', '</i>'],
  strike: ['<s>', '</s>'],
  code: ['<code>', '</code>'],
  codeBlock: (text) => `<pre>${escape(text)}</pre>`,
  link: (label, url) => `<a href="${quoted(url)}">${label === '' ? escape(url) : label}</a>`,
  quote: (text) => `<blockquote>${text}</blockquote>`,
  heading: (text, level) => `<b style="font-size: ${level < 3 ? '120%' : '100%'}">${text}</b>`,
  bullet: '• ',
  rule: '<hr>',
};
