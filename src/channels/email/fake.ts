/** A mail server on 127.0.0.1, IMAP and SMTP, and people who write to its one mailbox; with faults on demand. */
import { once } from 'node:events';
import type { AddressInfo, Server, Socket } from 'node:net';
import PostalMime from 'postal-mime';
import type { ChannelPlatform, Chat, Said, Seen } from '../../testing/channel-platform.ts';
import { createFakeImap, type ImapStore } from './fake-imap.ts';
import { BOT, idFor, SERVER, writeMail, type WrittenMail } from './fake-mails.ts';
import { createFakeSmtp, type SmtpStore } from './fake-smtp.ts';

const PASSWORD = 'mail-test-password';

export interface SentMail extends Seen {
  readonly chat: string;
  readonly subject: string;
  readonly headers: ReadonlyMap<string, string>;
  readonly html: string;
}

export interface FakeMail extends ChannelPlatform {
  /** It does not announce new mail. */
  withoutIdle(): void;
  readonly sent: readonly SentMail[];
  readonly commands: readonly string[];
  /** Connections to the SMTP server, so far and now. */
  readonly talks: Readonly<SmtpStore['talks']>;
  /** A mail as its sender's program wrote it, down to its headers. */
  deliver(said: Said, how?: Partial<Pick<WrittenMail, 'extra' | 'html' | 'subject' | 'id'>> & { raw?: string }): string;
  /** The server counts anew, as after a restored backup. */
  recount(): void;
}

/** Answers that no IMAP server gives: to nothing, of nothing, or without what they have to have. */
const BABBLE: readonly string[] = [
  '* OK [SOMETHING-NEW 7] what',
  '* 99 FETCH (UID 99)',
  '* 0 EXISTS x',
  '* 7 SOMETHING',
  '* FLAGS',
  '* SEARCH many',
];

interface FakeMailOptions {
  /** What people write belongs to one. */
  readonly conversation?: string;
  /** Access tokens that both servers take beside the password. */
  readonly tokens?: ReadonlySet<string>;
}

export async function startFakeMail({ conversation, tokens }: FakeMailOptions = {}): Promise<FakeMail> {
  const state = { valid: true, validity: 7, idles: true, count: 0 };
  const sent: SentMail[] = [];
  const texts = new Map<string, string>();
  const sockets = new Set<Socket>();
  const store = { state, tokens, user: BOT, password: PASSWORD };
  const imap: ImapStore = { ...store, mails: [], readers: new Set(), commands: [] };
  const smtp: SmtpStore = {
    ...store,
    faults: [],
    talks: { begun: 0, now: 0 },
    take: async (raw, recipients) => void sent.push(await seenOf(raw, recipients)),
  };
  const servers = [createFakeImap(imap), createFakeSmtp(smtp)];
  for (const server of servers) server.on('connection', (socket: Socket) => keep(socket, sockets));
  const [imapPort, smtpPort] = await Promise.all(servers.map(listen));

  function add(written: Omit<WrittenMail, 'uid' | 'id'> & { readonly id?: string | undefined }): string {
    const id = written.id ?? idFor(++state.count);
    const quotedText = written.said.quotes === undefined ? undefined : texts.get(written.said.quotes);
    imap.mails.push(writeMail({ ...written, uid: (imap.mails.at(-1)?.uid ?? 0) + 1, id, quotedText }));
    texts.set(id, written.said.text ?? '');
    for (const socket of imap.readers) socket.write(`* ${imap.mails.length} EXISTS\r\n`);
    return id;
  }

  return {
    config: {
      address: BOT,
      imapHost: '127.0.0.1',
      imapPort,
      imapSecurity: 'none',
      smtpHost: '127.0.0.1',
      smtpPort,
      smtpSecurity: 'none',
      authservIds: [SERVER],
      sendTo: ['@example.org'],
    },
    credentials: { password: PASSWORD },
    botId: BOT,
    sent,
    commands: imap.commands,
    talks: smtp.talks,
    write: async (said) =>
      add(conversation === undefined ? { said } : { said, extra: [`References: <${conversation}>`] }),
    deliver: (said, { raw, ...how } = {}) => {
      const id = add({ said, ...how });
      if (raw !== undefined) Object.assign(imap.mails.at(-1)!, { headers: raw });
      return id;
    },
    change: () => Promise.reject(new Error('Mail is not changed once it is sent.')),
    react: () => Promise.reject(new Error('There are no reactions to mail.')),
    async redeliver(id) {
      const mail = imap.mails.find((one) => one.id === id)!;
      imap.mails.push({ ...mail, uid: imap.mails.at(-1)!.uid + 1, seen: false });
      for (const socket of imap.readers) socket.write(`* ${imap.mails.length} EXISTS\r\n`);
    },
    recount() {
      state.validity += 1;
      for (const [index, mail] of imap.mails.entries()) Object.assign(mail, { uid: 100 + index });
    },
    seen: (chat: Chat) => sent.filter((one) => one.chat === chat.id),
    typed: () => 0,
    failSends(how, times) {
      if (how !== 'markup') for (let n = 0; n < times; n++) smtp.faults.push(how);
    },
    cut: () => sockets.forEach((socket) => socket.destroy()),
    babble() {
      for (const socket of imap.readers) for (const line of BABBLE) socket.write(`${line}\r\n`);
    },
    revoke: () => void (state.valid = false),
    withoutIdle: () => void (state.idles = false),
    get consumers() {
      return imap.readers.size;
    },
    get acknowledged() {
      return imap.mails.flatMap(({ seen, id }) => (seen ? [id] : []));
    },
    async [Symbol.asyncDispose]() {
      sockets.forEach((socket) => socket.destroy());
      await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
    },
  };
}

function keep(socket: Socket, sockets: Set<Socket>): void {
  sockets.add(socket);
  socket.on('close', () => sockets.delete(socket));
}

async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

async function seenOf(raw: string, recipients: readonly string[]): Promise<SentMail> {
  const mail = await PostalMime.parse(raw);
  const [file] = mail.attachments;
  const bare = (id: string | undefined): string => (id ?? '').replace(/^<|>$/g, '');
  return {
    chat: recipients.toSorted().join(','),
    id: bare(mail.messageId),
    text: (mail.text ?? '').replace(/\n+$/, ''),
    raw: mail.html ?? mail.text ?? '',
    html: mail.html ?? '',
    subject: mail.subject ?? '',
    headers: new Map(mail.headers.map(({ key, value }) => [key, value])),
    reactions: [],
    ...(mail.inReplyTo && { replyTo: bare(mail.inReplyTo) }),
    ...(file && {
      file: {
        name: file.filename ?? '',
        mime: file.mimeType,
        size: (file.content as ArrayBuffer).byteLength,
        voice: false,
      },
    }),
  };
}
