/**
 * Replaces baileys in tests, with its API and behaviour: it confirms a message before anybody has it, delivers stored
 * messages in one burst, and resolves a send before the server responded. It speaks JSON with `../fake.ts`.
 */
import { EventEmitter } from 'node:events';
import { createHash, randomBytes, randomInt } from 'node:crypto';
import { WebSocket } from 'ws';
import { fromBinaryJson, toBinaryJson } from '../binary-json.ts';
import { mediaOf, type WaContent, type WaMessage, type WaMessageKey } from '../content.ts';
import type { Credentials, KeyStore, LibrarySocket, SignalRepository, WaNode } from '../library.ts';

/** What the fake server says. */
export interface FromServer {
  readonly success?: { readonly id: string; readonly lid: string; readonly name: string };
  readonly failure?: number;
  readonly qr?: string;
  readonly paired?: { readonly id: string; readonly lid: string; readonly name: string };
  readonly code?: string;
  readonly node?: WaNode;
  readonly ack?: { readonly id: string; readonly error?: string };
  readonly answer?: { readonly nth: number; readonly value?: unknown; readonly status?: number };
  readonly history?: readonly WaMessage[];
  readonly vote?: { readonly key: WaMessageKey; readonly voter: WaMessageKey; readonly options: readonly string[] };
}

/** What this says to the fake server. */
export interface ToServer {
  readonly hello?: { readonly me: string | undefined };
  readonly pairing?: string;
  readonly receipt?: string;
  readonly read?: readonly string[];
  readonly typing?: string;
  readonly send?: {
    readonly id: string;
    readonly to: string;
    readonly message: WaContent;
    readonly bytes?: Uint8Array;
  };
  readonly ask?: { readonly nth: number; readonly what: string; readonly about?: string };
  readonly unlink?: true;
}

const PREFIX = Buffer.from('sealed:');
export const encrypt = (plain: Uint8Array): Uint8Array => Buffer.concat([PREFIX, plain]);
const decrypt = (encrypted: Uint8Array): Uint8Array => {
  if (!Buffer.from(encrypted.subarray(0, PREFIX.length)).equals(PREFIX)) throw new Error('Bad MAC');
  return encrypted.subarray(PREFIX.length);
};

class Boom extends Error {
  readonly output: { readonly statusCode: number };
  constructor(message: string, statusCode: number) {
    super(message);
    this.output = { statusCode };
  }
}

export const proto = {
  Message: {
    encode: (message: object) => ({ finish: (): Uint8Array => Buffer.from(toBinaryJson(message)) }),
    decode: (bytes: Uint8Array) => fromBinaryJson(Buffer.from(bytes).toString()) as WaContent,
    AppStateSyncKeyData: { fromObject: (value: object) => value },
  },
};

const pair = () => ({ private: randomBytes(32), public: randomBytes(32) });
export const initAuthCreds = (): Credentials => ({
  noiseKey: pair(),
  signedIdentityKey: pair(),
  signedPreKey: { keyPair: pair(), signature: randomBytes(64), keyId: 1 },
  registrationId: randomInt(16_000),
  advSecretKey: randomBytes(32).toString('base64'),
});

export const makeCacheableSignalKeyStore = (store: KeyStore): KeyStore => store;
export const Browsers = { ubuntu: (browser: string) => ['Ubuntu', browser, '22.04.4'] as const };

export const DEFAULT_CONNECTION_CONFIG = {
  logger: {},
  makeSignalRepository: (): SignalRepository => ({
    decryptMessage: async ({ ciphertext }) => decrypt(ciphertext),
    decryptGroupMessage: async ({ msg }) => decrypt(msg),
    lidMapping: { getPNForLID: async () => undefined },
  }),
};

const bare = (jid: string | undefined): string => (jid ?? '').replace(/:\d+(?=@)/, '');

export function decryptMessageNode(node: WaNode, meId: string, meLid: string, repository: SignalRepository) {
  const {
    id,
    from = '',
    participant,
    recipient,
    t,
    notify,
    participant_pn: authorPn,
    sender_pn: senderPn,
  } = node.attrs;
  const group = from.endsWith('@g.us');
  const author = group ? participant! : from;
  const fromMe = [bare(meId), bare(meLid)].includes(bare(author));
  const key: WaMessageKey = {
    remoteJid: fromMe && !group ? recipient! : from,
    fromMe,
    id: id!,
    ...(participant ? { participant } : {}),
    ...(authorPn ? { participantAlt: authorPn } : {}),
    ...(senderPn ? { remoteJidAlt: senderPn } : {}),
  };
  const fullMessage: { -readonly [K in keyof WaMessage]: WaMessage[K] } = {
    key,
    messageTimestamp: Number(t),
    pushName: notify ?? null,
  };
  return {
    fullMessage,
    async decrypt(): Promise<void> {
      for (const { tag, attrs, content } of node.content as readonly WaNode[]) {
        if (tag !== 'enc' || !(content instanceof Uint8Array)) continue;
        const plain =
          attrs['type'] === 'skmsg'
            ? await repository.decryptGroupMessage({ group: from, authorJid: author, msg: content })
            : await repository.decryptMessage({ jid: author, type: attrs['type']!, ciphertext: content });
        fullMessage.message = { ...fullMessage.message, ...proto.Message.decode(plain) };
      }
    },
  };
}

/** Whose message a reaction is on is told from the view of who reacts. */
export function cleanMessage(message: WaMessage, meId: string, meLid: string): void {
  const about = message.message?.reactionMessage?.key as { fromMe?: boolean; remoteJid?: string; participant?: string };
  if (!about || message.key.fromMe) return;
  const author = bare(about.participant ?? about.remoteJid);
  about.fromMe = !about.fromMe && [bare(meId), bare(meLid)].includes(author);
  about.remoteJid = message.key.remoteJid!;
}

/** Files of the fake stand in their own path. */
export async function* chunksOf(path: string): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(path.replace('/media/', ''), 'base64url');
  for (let at = 0; at < bytes.length; at += 7) yield bytes.subarray(at, at + 7);
}
export const downloadContentFromMessage = async ({ directPath }: { readonly directPath: string }) => {
  if (directPath === '/gone') throw new Boom('Failed to fetch stream', 410);
  return chunksOf(directPath);
};
export const mediaFields = (bytes: Uint8Array) => ({
  mediaKey: randomBytes(32),
  directPath: `/media/${Buffer.from(bytes).toString('base64url')}`,
  fileSha256: createHash('sha256').update(bytes).digest(),
  fileLength: bytes.length,
});

export const getAggregateVotesInPollMessage = ({
  pollUpdates,
}: {
  readonly pollUpdates: readonly { readonly vote?: { readonly selectedOptions: readonly string[] } }[];
}) => pollUpdates.flatMap(({ vote }) => (vote?.selectedOptions ?? []).map((name) => ({ name, voters: ['somebody'] })));

interface Config {
  readonly waWebSocketUrl: string;
  readonly auth: { readonly creds: Credentials };
  makeSignalRepository(auth: object, logger: object): SignalRepository;
}

interface Content {
  readonly text?: string;
  readonly caption?: string;
  readonly mimetype?: string;
  readonly fileName?: string;
  readonly ptt?: boolean;
  readonly image?: Uint8Array;
  readonly video?: Uint8Array;
  readonly audio?: Uint8Array;
  readonly document?: Uint8Array;
  readonly edit?: WaMessageKey;
  readonly delete?: WaMessageKey;
  readonly react?: { readonly text: string; readonly key: WaMessageKey };
  readonly poll?: { readonly name: string; readonly values: readonly string[] };
  readonly location?: object;
  readonly contacts?: object;
  readonly mentions?: readonly string[];
}

interface SendOptions {
  readonly messageId: string;
  readonly quoted?: WaMessage;
  readonly ephemeralExpiration?: number;
}

export function messageOf(content: Content, { quoted, ephemeralExpiration }: SendOptions): WaContent {
  const contextInfo = {
    ...(quoted ? { stanzaId: quoted.key.id!, participant: quoted.key.participant ?? quoted.key.remoteJid! } : {}),
    ...(content.mentions ? { mentionedJid: content.mentions } : {}),
    ...(ephemeralExpiration ? { expiration: ephemeralExpiration } : {}),
  };
  if (content.edit)
    return { protocolMessage: { type: 14, key: content.edit, editedMessage: { conversation: content.text! } } };
  if (content.delete) return { protocolMessage: { type: 0, key: content.delete } };
  if (content.react) return { reactionMessage: content.react };
  if (content.poll)
    return {
      pollCreationMessage: {
        name: content.poll.name,
        options: content.poll.values.map((optionName) => ({ optionName })),
        contextInfo,
      },
    };
  if (content.location) return { locationMessage: { ...content.location, contextInfo } };
  if (content.contacts) return { contactsArrayMessage: { ...content.contacts, contextInfo } };
  const kind = (['image', 'video', 'audio', 'document'] as const).find((name) => content[name]);
  if (!kind) return { extendedTextMessage: { text: content.text!, contextInfo } };
  const { caption, mimetype, fileName, ptt } = content;
  return {
    [`${kind}Message`]: {
      ...mediaFields(content[kind]!),
      mimetype,
      contextInfo,
      ...(caption === undefined ? {} : { caption }),
      ...(fileName === undefined ? {} : { fileName }),
      ...(ptt ? { ptt } : {}),
    },
  } as WaContent;
}

export function makeWASocket(config: Config): LibrarySocket {
  const [ev, ws] = [new EventEmitter(), new EventEmitter()];
  const wire = new WebSocket(config.waWebSocketUrl);
  const state = { closed: false, nth: 0, inbox: Promise.resolve() };
  const asked = new Map<number, PromiseWithResolvers<unknown>>();
  const repository = config.makeSignalRepository(config.auth, {});
  const say = (words: ToServer): void => {
    if (wire.readyState !== WebSocket.OPEN) throw new Boom('Connection Closed', 428);
    wire.send(toBinaryJson(words));
  };
  const end = (error?: Error): void => {
    if (state.closed) return;
    state.closed = true;
    wire.terminate();
    for (const one of asked.values()) one.reject(new Boom('Connection Closed', 428));
    ev.emit('connection.update', { connection: 'close', lastDisconnect: { error } });
    ev.removeAllListeners();
  };
  const ask = async (what: string, about?: string): Promise<unknown> => {
    const nth = ++state.nth;
    const waiting = Promise.withResolvers<unknown>();
    asked.set(nth, waiting);
    say({ ask: { nth, what, ...(about === undefined ? {} : { about }) } });
    return waiting.promise;
  };
  /** One after the other; confirmed as soon as it is decrypted. */
  const deliver = async (node: WaNode): Promise<void> => {
    const { me } = config.auth.creds;
    const { fullMessage, decrypt } = decryptMessageNode(node, me!.id, me!.lid ?? '', repository);
    await decrypt();
    if (state.closed) return;
    say({ receipt: node.attrs['id']! });
    cleanMessage(fullMessage, me!.id, me!.lid ?? '');
    ev.emit('messages.upsert', { messages: [fullMessage], type: node.attrs['offline'] ? 'append' : 'notify' });
  };
  const receive = (words: FromServer): void => {
    ws.emit('frame', words);
    if (words.success) {
      ev.emit('creds.update', { me: { ...config.auth.creds.me, ...words.success } });
      ev.emit('connection.update', { connection: 'open' });
    }
    if (words.failure !== undefined) end(new Boom('Connection Failure', words.failure));
    if (words.qr !== undefined) ev.emit('connection.update', { qr: words.qr });
    if (words.paired) {
      ev.emit('creds.update', { me: words.paired });
      ev.emit('connection.update', { isNewLogin: true, qr: undefined });
    }
    if (words.ack) ws.emit('CB:ack,class:message', { tag: 'ack', attrs: words.ack });
    if (words.code !== undefined) asked.get(0)?.resolve(words.code);
    if (words.answer) {
      const { nth, value, status } = words.answer;
      if (status === undefined) asked.get(nth)?.resolve(value);
      else asked.get(nth)?.reject(new Boom('item-not-found', status));
    }
    if (words.history) ev.emit('messaging-history.set', { messages: words.history });
    if (words.vote) {
      const { key, voter, options } = words.vote;
      const update = { pollUpdates: [{ pollUpdateMessageKey: voter, vote: { selectedOptions: options } }] };
      ev.emit('messages.update', [{ key, update }]);
    }
    if (words.node) {
      ws.emit('CB:message', words.node);
      state.inbox = state.inbox.then(() => deliver(words.node!)).catch(() => end(new Boom('Stream Errored', 500)));
    }
  };
  wire.on('open', () => say({ hello: { me: config.auth.creds.me?.id } }));
  wire.on('message', (data) => receive(fromBinaryJson(String(data)) as FromServer));
  wire.on('error', (error) => end(new Boom(error.message, 408)));
  wire.on('close', () => end(new Boom('Connection Terminated', 428)));

  return {
    ev: { on: (name, listener) => void ev.on(name, listener) },
    ws: { on: (name, listener) => void ws.on(name, listener) },
    signalRepository: repository,
    async sendMessage(jid: string, content: Content, options: SendOptions) {
      const message = messageOf(content, options);
      if (mediaOf(message) && (await ask('upload')) === 'refused')
        throw new Boom('Media upload failed on all hosts', 500);
      say({ send: { id: options.messageId, to: jid, message } });
      return { key: { remoteJid: jid, fromMe: true, id: options.messageId }, message };
    },
    readMessages: async (keys) => say({ read: keys.map(({ id }) => id!) }),
    async sendPresenceUpdate(_type, jid) {
      say({ typing: jid });
      await ask('ping');
    },
    groupMetadata: async (jid) => (await ask('group', jid)) as never,
    query: () => ask('ping'),
    async requestPairingCode(phone) {
      const waiting = Promise.withResolvers<unknown>();
      asked.set(0, waiting);
      say({ pairing: phone });
      return (await waiting.promise) as string;
    },
    async logout() {
      say({ unlink: true });
      await ask('ping');
      end(new Boom('Intentional Logout', 401));
    },
    end,
  };
}
