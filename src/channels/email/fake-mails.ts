/** Mails of the fake servers: written as people's programs write them, and described as IMAP does it. */
import { createHash } from 'node:crypto';
import type { Said } from '../../testing/channel-platform.ts';

export const BOT = 'clawd@example.com';
export const SERVER = 'mx.example.com';

export interface KeptMail {
  readonly uid: number;
  readonly id: string;
  readonly from: string;
  readonly headers: string;
  readonly parts: readonly KeptPart[];
  readonly envelope: string;
  readonly date: Date;
  seen: boolean;
}

interface KeptPart {
  readonly type: string;
  readonly name?: string;
  /** Base64. */
  readonly body: string;
}

export interface WrittenMail {
  readonly uid: number;
  readonly said: Said;
  readonly id: string;
  /** The words of the message that is quoted. */
  readonly quotedText?: string | undefined;
  readonly extra?: readonly string[];
  readonly html?: boolean;
  readonly subject?: string;
}

const base64 = (data: Uint8Array | string): string =>
  Buffer.from(data)
    .toString('base64')
    .replace(/.{76}(?=.)/g, '$&\r\n');
const text = (value: string): string => (value === '' ? 'NIL' : `"${value.replaceAll(/["\\]/g, '\\$&')}"`);
const address = (one: string): string => {
  const [local = '', host = ''] = one.split('@');
  return `(NIL NIL ${text(local)} ${text(host)})`;
};

export function writeMail({ uid, said, id, quotedText, extra = [], html, subject }: WrittenMail): KeptMail {
  const { chat, by } = said;
  const others = chat.id.split(',').filter((one) => one !== by);
  const [to, cc] = chat.kind === 'direct' ? [[BOT], []] : said.mention ? [[BOT], others] : [others, [BOT]];
  const title = subject ?? (said.forwarded ? 'Fwd: notes' : '');
  const type = html ? 'text/html' : 'text/plain';
  const parts: KeptPart[] = [{ type, body: base64(bodyOf(said, quotedText)) }];
  if (said.file) parts.push({ type: said.file.mime, name: said.file.name, body: base64(said.file.data) });
  const date = new Date();
  const headers = [
    `Authentication-Results: ${SERVER}; dkim=pass header.d=${by.split('@')[1]};`,
    `\tdmarc=pass (p=reject) header.from=${by.split('@')[1]}`,
    ...extra,
    `From: ${said.name ? `"${said.name}" <${by}>` : by}`,
    `To: ${to.join(', ')}`,
    ...(cc.length > 0 ? [`Cc: ${cc.join(', ')}`] : []),
    `Subject: ${title}`,
    `Message-ID: <${id}>`,
    ...(said.quotes ? [`In-Reply-To: <${said.quotes}>`, `References: <${said.quotes}>`] : []),
    `Date: ${date.toUTCString()}`,
    'MIME-Version: 1.0',
    ...(parts.length === 1
      ? [`Content-Type: ${type}; charset=utf-8`, 'Content-Transfer-Encoding: base64']
      : ['Content-Type: multipart/mixed; boundary="b"']),
  ];
  const list = (all: readonly string[]): string => (all.length === 0 ? 'NIL' : `(${all.map(address).join('')})`);
  const sender = `((${text(said.name ?? '')} NIL ${address(by).slice(9)})`;
  const ends = [list(to), list(cc), 'NIL NIL', text(`<${id}>`)].join(' ');
  const envelope = `(${text(date.toUTCString())} ${text(title)} ${sender} NIL NIL ${ends})`;
  return { uid, id, from: by, headers: `${headers.join('\r\n')}\r\n\r\n`, parts, envelope, date, seen: false };
}

function bodyOf({ text: words = '', forwarded, quotes, name }: Said, quotedText = ''): string {
  if (forwarded) return `\n---------- Forwarded message ---------\nFrom: Mallory <mallory@example.org>\n\n${words}\n`;
  if (quotes === undefined || quotedText === '') return `${words}\n`;
  return `${words}\n\nOn Friday, ${name ?? 'somebody'} wrote:\n> ${quotedText.replaceAll('\n', '\n> ')}\n`;
}

/** A section as FETCH names it, without its partial. */
export function sectionOf({ headers, parts }: KeptMail, name: string): string {
  if (name === 'HEADER') return headers;
  const [, number, mime] = /^(\d+)(\.MIME)?$/.exec(name) ?? [];
  const part = parts[Number(number ?? 1) - 1];
  if (!part || (name === 'TEXT' && parts.length > 1)) return '';
  return mime ? mimeOf(part) : part.body;
}

const mimeOf = ({ type, name }: KeptPart): string =>
  `Content-Type: ${type}${name ? `; name="${name}"` : '; charset=utf-8'}\r\nContent-Transfer-Encoding: base64\r\n` +
  `${name ? `Content-Disposition: attachment; filename="${name}"\r\n` : ''}\r\n`;

export function structureOf({ parts }: KeptMail): string {
  const all = parts.map(({ type, name, body }) => {
    const [kind = '', sub = ''] = type.toUpperCase().split('/');
    const end = name ? `NIL ("ATTACHMENT" ("FILENAME" ${text(name)})) NIL` : 'NIL NIL NIL';
    const lines = kind === 'TEXT' ? ` ${body.split('\n').length}` : '';
    const of = name ? `("NAME" ${text(name)})` : '("CHARSET" "utf-8")';
    return `("${kind}" "${sub}" ${of} NIL NIL "BASE64" ${body.length}${lines} ${end})`;
  });
  return all.length === 1 ? all[0]! : `(${all.join('')} "MIXED")`;
}

export const idFor = (count: number): string =>
  `${createHash('sha256').update(String(count)).digest('hex').slice(0, 16)}@example.org`;
