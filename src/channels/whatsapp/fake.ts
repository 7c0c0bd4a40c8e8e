/** A fake WhatsApp on 127.0.0.1, used through `library/fake.ts`: linked devices, users who write, and failures. */
import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { WebSocketServer, type WebSocket } from 'ws';
import type { ChannelPlatform, Chat, Said, Seen } from '../../testing/channel-platform.ts';
import { tempDir } from '../../testing/temp-dir.ts';
import { fromBinaryJson, toBinaryJson } from './binary-json.ts';
import { mediaOf, wordsOf, type WaContent, type WaMessage, type WaMessageKey } from './content.ts';
import { initAuthCreds, mediaFields, seal, type FromServer, type ToServer } from './library/fake.ts';
import { jidOf } from './ids.ts';
import type { WaNode } from './library.ts';

export const BOT = '+15550009999';
export const BOT_LID = '900090009999@lid';
const ME = { id: '15550009999:7@s.whatsapp.net', lid: '900090009999:7@lid', name: 'Clawd' };

type Fault = Parameters<ChannelPlatform['failSends']>[0];

interface Kept {
  readonly id: string;
  readonly jid: string;
  /** Of the author, our spelling. */
  readonly by: string;
  readonly message: WaContent;
}

interface Shown extends Kept {
  text: string;
  gone: boolean;
  readonly reactions: Map<string, string>;
}

export interface FakeWhatsapp extends ChannelPlatform {
  readonly authDir: string;
  /** Ids that were marked as read. */
  readonly read: readonly string[];
  /** Everything that was sent, also what is no message people see. */
  readonly sent: readonly NonNullable<ToServer['send']>[];
  /** Sends a message with any content, as somebody. */
  bring(content: WaContent, from: Bringing): Promise<string>;
  /** The phone passes its history on. */
  history(messages: readonly WaMessage[]): void;
  /** Its servers take no files. */
  refuseUploads(refused: boolean): void;
  vote(pollId: string, chat: Chat, options: readonly string[], by: string): void;
  /** Somebody scans the picture, or types the code, that is shown now. */
  link(): void;
  /** Shows the next picture. */
  nextPicture(): void;
  expire(): void;
  /** Ends every connection with this status. */
  end(status: number): void;
  readonly unlinked: boolean;
  /** Ends only the next connections before they are up. */
  groups: Map<string, object>;
}

export interface Bringing {
  readonly chat: Chat;
  readonly by: string;
  readonly name?: string;
  readonly id?: string;
  /** Named by the LID, and the number beside it or not. */
  readonly as?: 'phone' | 'lid' | 'lid-only';
}

/** The LID of a person of the tests. */
export const lidOf = (person: string): string => `9000${person.replace(/\D/g, '').slice(-8)}@lid`;

/** Stanzas that no server sends: without what every message has, or sealed with nothing inside. */
const BABBLE: readonly WaNode[] = [
  { tag: 'message', attrs: {} },
  { tag: 'message', attrs: { id: 'B1', from: 'nobody', t: 'x' }, content: [] },
  {
    tag: 'message',
    attrs: { id: 'B2', from: jidOf('+15550001001'), t: '0' },
    content: [{ tag: 'enc', attrs: { type: 'msg' }, content: Buffer.from('sealed by nobody') }],
  },
  { tag: 'something-new', attrs: { id: 'B3' } },
];

export async function startFakeWhatsapp({ linked = true }: { readonly linked?: boolean } = {}): Promise<FakeWhatsapp> {
  const dir = await tempDir('whatsapp');
  const authDir = join(dir.path, 'auth');
  if (linked) {
    await mkdir(authDir, { recursive: true });
    await writeFile(join(authDir, 'creds.json'), toBinaryJson({ ...initAuthCreds(), me: ME }));
  }
  const clients = new Set<WebSocket>();
  const up = new Set<WebSocket>();
  const kept: Kept[] = [];
  const shown: Shown[] = [];
  const queue = new Map<string, WaNode>();
  const received = new Set<string>();
  const typing = new Map<string, number>();
  const faults: Fault[] = [];
  const read: string[] = [];
  const sent: NonNullable<ToServer['send']>[] = [];
  const groups = new Map<string, object>();
  const state = { valid: true, uploads: true, time: Math.floor(Date.now() / 1000), pictures: 0, unlinked: false };

  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
  await new Promise<void>((resolve) => server.once('listening', resolve));
  const tell = (client: WebSocket, words: FromServer): void => client.send(toBinaryJson(words));
  const tellAll = (words: FromServer): void => up.forEach((client) => tell(client, words));

  server.on('connection', (client) => {
    clients.add(client);
    client.on('close', () => {
      clients.delete(client);
      up.delete(client);
    });
    client.on('error', () => undefined);
    client.on('message', (data) => hear(client, fromBinaryJson(String(data)) as ToServer));
  });

  function hear(client: WebSocket, words: ToServer): void {
    if (words.hello) return greet(client, words.hello.me);
    if (words.pairing !== undefined) tell(client, { code: 'ABCD1234' });
    if (words.receipt !== undefined) {
      received.add(words.receipt);
      queue.delete(words.receipt);
    }
    if (words.read) read.push(...words.read);
    if (words.typing !== undefined) typing.set(words.typing, (typing.get(words.typing) ?? 0) + 1);
    if (words.unlink) state.unlinked = true;
    if (words.ask) answer(client, words.ask);
    if (words.send) take(client, words.send);
  }

  function greet(client: WebSocket, me: string | undefined): void {
    if (me === undefined) return tell(client, { qr: `2@picture-${++state.pictures}` });
    if (!state.valid) return tell(client, { failure: 401 });
    up.add(client);
    tell(client, { success: ME });
    for (const node of queue.values()) tell(client, { node: { ...node, attrs: { ...node.attrs, offline: '1' } } });
  }

  function answer(client: WebSocket, { nth, what, about = '' }: NonNullable<ToServer['ask']>): void {
    if (what === 'ping') return tell(client, { answer: { nth } });
    if (what === 'upload') return tell(client, { answer: { nth, value: state.uploads ? 'taken' : 'refused' } });
    const group = groups.get(about);
    if (group) return tell(client, { answer: { nth, value: group } });
    const participants = [BOT, '+15550001001', '+15550001002'].map((phone) => ({ id: jidOf(phone), admin: null }));
    tell(client, { answer: { nth, value: { id: about, subject: 'Family', size: 3, participants } } });
  }

  function take(client: WebSocket, send: NonNullable<ToServer['send']>): void {
    const { id, to, message } = send;
    const fault = faults[0] === 'markup' ? void faults.shift() : faults.shift();
    const error = { 'rate-limit': '429', refused: '403', 'server-error': '503' }[String(fault)];
    if (error !== undefined) return tell(client, { ack: { id, error } });
    if (fault === 'dropped') return client.terminate();
    sent.push(send);
    show({ id, jid: to, by: BOT, message });
    if (fault === 'accepted-timeout') return client.terminate();
    tell(client, { ack: { id } });
  }

  /** A second message with the same id is not shown: that is how retries of the protocol stay unseen. */
  function show(one: Kept): void {
    const { protocolMessage: change, reactionMessage: reaction } = one.message;
    const about = shown.find(({ id }) => id === (change?.key?.id ?? reaction?.key?.id));
    if (reaction) {
      if (reaction.text) about?.reactions.set(one.by, reaction.text);
      else about?.reactions.delete(one.by);
    } else if (change?.editedMessage && about) about.text = wordsOf(change.editedMessage);
    else if (change && about) about.gone = true;
    else if (!shown.some(({ id }) => id === one.id))
      shown.push({ ...one, text: wordsOf(one.message), gone: false, reactions: new Map() });
    kept.push(one);
  }

  function deliver(node: WaNode): void {
    queue.set(node.attrs['id']!, node);
    tellAll({ node });
  }

  const nodeOf = (message: WaContent, { chat, by, name, id = newId(), as = 'phone' }: Bringing): WaNode => {
    const author = as === 'phone' ? jidOf(by) : by === BOT ? BOT_LID : lidOf(by);
    const pn = as === 'lid' ? jidOf(by) : undefined;
    const group = chat.kind === 'group';
    state.time = Math.max(state.time, Math.floor(Date.now() / 1000));
    const attrs = {
      id,
      t: String(state.time),
      ...(name === undefined ? {} : { notify: name }),
      ...(group
        ? { from: chat.id, participant: author, ...(pn ? { participant_pn: pn } : {}) }
        : { from: author, ...(pn ? { sender_pn: pn } : {}), ...(by === BOT ? { recipient: jidOf(chat.id) } : {}) }),
    };
    const sealed = seal(Buffer.from(toBinaryJson(message)));
    return {
      tag: 'message',
      attrs,
      content: [{ tag: 'enc', attrs: { type: group ? 'skmsg' : 'msg' }, content: sealed }],
    };
  };

  async function bring(message: WaContent, from: Bringing): Promise<string> {
    const node = nodeOf(message, from);
    const id = node.attrs['id']!;
    kept.push({ id, jid: jidOf(from.chat.id), by: from.by, message });
    nodes.set(id, node);
    deliver(node);
    return id;
  }
  const nodes = new Map<string, WaNode>();
  const keyFrom = (id: string, by: string): WaMessageKey => {
    const about = kept.find((one) => one.id === id)!;
    const group = about.jid.endsWith('@g.us');
    const remoteJid = group ? about.jid : about.by === BOT ? jidOf(BOT) : about.jid;
    return { id, remoteJid, fromMe: about.by === by, ...(group ? { participant: jidOf(about.by) } : {}) };
  };

  async function leave(): Promise<void> {
    clients.forEach((client) => client.terminate());
    await new Promise((resolve) => server.close(resolve));
  }

  return {
    config: {
      url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}`,
      library: join(import.meta.dirname, 'library', 'fake.ts'),
      authDir,
      reconnect: { firstMs: 10, maxMs: 50 },
    },
    credentials: {},
    botId: BOT,
    authDir,
    read,
    sent,
    groups,
    crowd: ({ id }, members) =>
      void groups.set(id, {
        id,
        subject: 'Crowd',
        size: members,
        participants: Array.from({ length: members }, (_, at) => ({
          id: `1555${String(at).padStart(7, '0')}@s.whatsapp.net`,
        })),
      }),
    refuseUploads: (refused) => void (state.uploads = !refused),
    bring,
    write: (said) => bring(contentOf(said, kept), { ...said, as: said.chat.kind === 'group' ? 'lid' : 'phone' }),
    async change(chat, id, text) {
      const { by } = kept.find((one) => one.id === id)!;
      const edited = { type: 14, key: keyFrom(id, by), editedMessage: { conversation: text }, timestampMs: Date.now() };
      await bring({ protocolMessage: edited }, { chat, by });
    },
    async react(chat, id, emoji, by) {
      await bring({ reactionMessage: { key: keyFrom(id, by), text: emoji } }, { chat, by });
    },
    redeliver: async (id) => deliver(nodes.get(id)!),
    seen: ({ id }) => shown.filter((one) => one.jid === jidOf(id) && one.by === BOT && !one.gone).map(seenOf),
    typed: ({ id }) => typing.get(jidOf(id)) ?? 0,
    failSends: (how, times) => void faults.push(...Array.from({ length: times }, () => how)),
    cut: () => clients.forEach((client) => client.terminate()),
    babble: () => BABBLE.forEach((node) => tellAll({ node })),
    revoke: () => void (state.valid = false),
    get consumers() {
      return up.size;
    },
    /** The library confirms early; what counts is that nothing would bring it again. */
    get acknowledged() {
      const waiting = spooled(join(authDir, 'inbox'));
      return [...received].filter((id) => !waiting.has(id));
    },
    history: (messages) => tellAll({ history: messages }),
    vote(pollId, chat, options, by) {
      const group = chat.kind === 'group';
      const key = { id: pollId, remoteJid: jidOf(chat.id), fromMe: true };
      const voter = {
        id: newId(),
        remoteJid: jidOf(chat.id),
        fromMe: false,
        ...(group ? { participant: jidOf(by) } : {}),
      };
      tellAll({ vote: { key, voter, options } });
    },
    link() {
      for (const client of clients) {
        tell(client, { paired: ME });
        tell(client, { failure: 515 });
      }
    },
    nextPicture: () => clients.forEach((client) => tell(client, { qr: `2@picture-${++state.pictures}` })),
    expire: () => clients.forEach((client) => tell(client, { failure: 408 })),
    end: (status) => clients.forEach((client) => tell(client, { failure: status })),
    get unlinked() {
      return state.unlinked;
    },
    leave,
    async [Symbol.asyncDispose]() {
      await leave();
      await dir[Symbol.asyncDispose]();
    },
  };
}

const newId = (): string => `AC${randomBytes(9).toString('hex').toUpperCase()}`;

function contentOf({ text = '', mention, file, quotes, forwarded }: Said, kept: readonly Kept[]): WaContent {
  const quoted = kept.find(({ id }) => id === quotes);
  const contextInfo = {
    ...(mention ? { mentionedJid: [BOT_LID] } : {}),
    ...(quoted ? { stanzaId: quoted.id, participant: jidOf(quoted.by), quotedMessage: quoted.message } : {}),
    ...(forwarded ? { isForwarded: true } : {}),
  };
  const words = mention ? `@${BOT_LID.replace('@lid', '')} ${text}` : text;
  if (!file) return { extendedTextMessage: { text: words, contextInfo } };
  const media = { ...mediaFields(file.data), mimetype: file.mime, fileName: file.name, caption: words, contextInfo };
  if (file.mime.startsWith('image/')) return { imageMessage: media };
  if (file.mime.startsWith('audio/')) return { audioMessage: { ...media, ptt: file.voice ?? false } };
  return { documentMessage: media };
}

function seenOf({ id, text, message, reactions }: Shown): Seen {
  const found = mediaOf(message);
  const replyTo = message.extendedTextMessage?.contextInfo?.stanzaId;
  const { media, type } = found ?? {};
  return {
    id,
    text,
    raw: text,
    reactions: [...reactions.values()],
    ...(replyTo ? { replyTo } : {}),
    ...(media && type
      ? {
          file: {
            name: media.fileName ?? '',
            mime: media.mimetype ?? '',
            size: Number(media.fileLength),
            voice: media.ptt ?? false,
          },
        }
      : {}),
  };
}

/** Ids of messages that are on disk, to be taken yet. */
function spooled(folder: string): ReadonlySet<string> {
  try {
    const names = readdirSync(folder).filter((name) => name.endsWith('.json'));
    return new Set(
      names.map((name) => (JSON.parse(readFileSync(join(folder, name), 'utf8')) as WaNode).attrs['id'] ?? ''),
    );
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return new Set();
    throw error;
  }
}
