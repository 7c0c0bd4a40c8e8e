/**
 * Reads a folder: everything above the position that was reached, oldest first, each mail as a step of its own, so that
 * one that cannot be read holds up nothing behind it.
 */
import type { FetchMessageObject, ImapFlow } from 'imapflow';
import { AppError, readAtMost, type Attachment } from '../../sdk/index.ts';
import { readHeaders, type MailHeaders } from './headers.ts';
import { htmlText } from './html-text.ts';
import type { FetchedMail } from './inbound.ts';
import type { ImapLine } from './imap-line.ts';
import { partsOf } from './parts.ts';

/** Where in a folder: `uidValidity` changes when the server counts anew. */
export interface Position {
  readonly validity: string;
  readonly uid: number;
  /** When the mail there came; milliseconds since the epoch. */
  readonly at: number;
}

export const writePosition = ({ validity, uid, at }: Position): string => `${validity}:${uid}:${at}`;

export function readPosition(text: string | undefined): Position | undefined {
  const [, validity, uid, at] = /^(\d{1,20}):(\d{1,10}):(\d{1,15})$/.exec(text ?? '') ?? [];
  return validity === undefined ? undefined : { validity, uid: Number(uid), at: Number(at) };
}

export const positionOf = (mail: FetchMessageObject, { folder }: ImapLine): Position => ({
  validity: String(folder.uidValidity),
  uid: mail.uid,
  at: new Date(mail.internalDate ?? 0).getTime() || 0,
});

const MAX_HEADER_BYTES = 64 * 1024;
const MAX_TEXT_BYTES = 256 * 1024;
const DAY_MS = 24 * 60 * 60_000;

/** The numbers of the mails behind a position. Where the server counts anew: of those that came since then. */
export async function uidsAfter({ client, folder }: ImapLine, from: Position): Promise<readonly number[]> {
  const same = String(folder.uidValidity) === from.validity;
  const query = same ? { uid: `${from.uid + 1}:*` } : { since: new Date(from.at - DAY_MS) };
  const found = (await client.search(query, { uid: true })) || [];
  // `5:*` names the newest mail even where its number is 4.
  return found.filter((uid) => !same || uid > from.uid).toSorted((one, other) => one - other);
}

/** What is known of a mail before its text is read; undefined: it is gone. */
export async function fetchHead(
  client: ImapFlow,
  uid: number,
): Promise<{ readonly mail: FetchMessageObject; readonly headers: MailHeaders } | undefined> {
  const query = {
    uid: true,
    internalDate: true,
    envelope: true,
    bodyStructure: true,
    bodyParts: [{ key: 'header', start: 0, maxLength: MAX_HEADER_BYTES }],
  };
  const mail = await client.fetchOne(String(uid), query, { uid: true });
  if (!mail) return undefined;
  const block = mail.headers ?? mail.bodyParts?.get('header') ?? Buffer.alloc(0);
  if (block.length >= MAX_HEADER_BYTES) throw new AppError('too_large', 'Its headers have more than 64 KB.');
  return { mail, headers: readHeaders(block) };
}

/** With its text; files are fetched when they are asked for. */
export async function fetchMail(
  { client, folder }: ImapLine,
  { mail, headers }: { readonly mail: FetchMessageObject; readonly headers: MailHeaders },
): Promise<FetchedMail> {
  const { envelope, bodyStructure } = mail;
  const { text, files } = bodyStructure ? partsOf(bodyStructure) : { text: undefined, files: [] };
  const words = text === undefined ? '' : await readText(client, mail.uid, text);
  const place = `${String(folder.uidValidity)}:${mail.uid}`;
  return {
    spare: place,
    headers,
    subject: (envelope?.subject ?? '').replace(/\s+/g, ' ').slice(0, 500),
    name: envelope?.from?.[0]?.name?.slice(0, 100),
    to: (envelope?.to ?? []).flatMap(({ address }) => address ?? []),
    cc: (envelope?.cc ?? []).flatMap(({ address }) => address ?? []),
    text: words,
    attachments: files.map(({ part, ...file }): Attachment => ({ ...file, ref: `${place}:${part}` })),
    receivedAt: new Date(mail.internalDate ?? 0).getTime() || Date.now(),
  };
}

async function readText(
  client: ImapFlow,
  uid: number,
  { part, html }: { readonly part: string; readonly html: boolean },
): Promise<string> {
  const { content } = await client.download(String(uid), part, { uid: true, maxBytes: MAX_TEXT_BYTES });
  if (content === undefined) return '';
  const { bytes } = await readAtMost(content, MAX_TEXT_BYTES);
  const text = bytes.toString('utf8').replaceAll('\u0000', '');
  return html ? htmlText(text) : text;
}

/** The bytes of an attachment, as `ref` names it. */
export async function downloadPart(
  { client, folder }: ImapLine,
  ref: string,
  maxBytes: number,
): Promise<{ readonly data: Uint8Array; readonly mime?: string; readonly name?: string }> {
  const [, validity, uid, part] = /^(\d{1,20}):(\d{1,10}):(\d{1,5}(?:\.\d{1,5}){0,20})$/.exec(ref) ?? [];
  const gone = new AppError('not_found', 'The attachment is not in the mailbox any more.');
  if (validity === undefined || validity !== String(folder.uidValidity)) throw gone;
  const found = await client.download(uid!, part!, { uid: true, maxBytes: maxBytes + 1, decodeText: false });
  if (found.content === undefined) throw gone;
  const { bytes, whole } = await readAtMost(found.content, maxBytes);
  if (!whole) throw new AppError('too_large', `The attachment has more than ${maxBytes} bytes.`);
  return { data: bytes };
}
