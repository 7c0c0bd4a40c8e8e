/** The seam to WhatsApp, made with baileys: opens one connection of a linked device, or links a new one. */
import { AppError, abortedBy, orTimeout, present, type Log } from '../../sdk/index.ts';
import { personOf } from './ids.ts';
import { mediaBytes } from './media-bytes.ts';
import { disconnected, refused, statusOf } from './disconnects.ts';
import type { LinkedDevice } from './linked-device.ts';
import type { Library, LibraryEvents, LibrarySocket, SignalRepository, WaNode } from './library.ts';
import { libraryLog } from './library-log.ts';
import type { SentMessages } from './sent-messages.ts';
import type { WaEvents, WaGroup, WaLinking, WaOpening, WaSelf, WaSocket } from './socket.ts';
import type { Spool } from './spool.ts';

export interface BaileysParts {
  readonly library: Library;
  readonly spool: Spool;
  readonly sent: SentMessages;
}

const OPEN_MS = 45_000;
const ACKNOWLEDGED_MS = 30_000;
const PING_MS = 10_000;
const CLOSE_MS = 3000;
const MAX_PICTURES = 6;

/** Resolves once messages can flow; rejects with why WhatsApp does not let the device in. */
export async function openBaileys(opening: WaOpening, parts: BaileysParts): Promise<WaSocket> {
  const { device, signal, events } = opening;
  if (signal.aborted) throw abortedBy(signal);
  const socket = begin(opening, parts);
  const over = Promise.withResolvers<AppError>();
  const open = Promise.withResolvers<void>();
  socket.ev.on('connection.update', ({ connection, lastDisconnect }) => {
    if (connection === 'open') open.resolve();
    if (connection === 'close') over.resolve(disconnected(lastDisconnect?.error));
  });
  const leave = (): void => end(socket);
  signal.addEventListener('abort', leave, { once: true });
  listen(socket, { events, parts, me: () => device.creds.me! });
  const acks = acknowledgements(socket, over.promise);
  try {
    await orTimeout(Promise.race([open.promise, over.promise.then((why) => Promise.reject(why))]), {
      ms: OPEN_MS,
      error: () => new AppError('timeout', `WhatsApp did not let the device in within ${OPEN_MS / 1000} s.`),
    });
  } catch (error) {
    end(socket);
    throw signal.aborted ? abortedBy(signal) : error;
  } finally {
    signal.removeEventListener('abort', leave);
  }
  return connected(socket, { over: over.promise, acks, opening, parts });
}

/** Resolves once the phone has linked it; the next connection uses it. */
export async function linkBaileys(
  opening: Omit<WaOpening, 'events'>,
  { phone, show }: WaLinking,
  library: Library,
): Promise<WaSelf> {
  const { device, signal } = opening;
  if (signal.aborted) throw abortedBy(signal);
  const socket = begin(opening, { library });
  const done = Promise.withResolvers<void>();
  const state = { linked: false, asked: false, pictures: 0 };
  socket.ev.on('connection.update', ({ qr, isNewLogin, connection, lastDisconnect }) => {
    if (isNewLogin) state.linked = true;
    if (qr !== undefined && phone !== undefined && !state.asked) {
      state.asked = true;
      socket.requestPairingCode(phone).then(
        (code) => show({ code }),
        (error: unknown) => done.reject(notLinked(error)),
      );
    } else if (qr !== undefined && phone === undefined) {
      state.pictures += 1;
      if (state.pictures > MAX_PICTURES) done.reject(notLinked(undefined));
      else show({ qr });
    }
    if (connection === 'close') {
      if (state.linked || statusOf(lastDisconnect?.error) === 515) done.resolve();
      else done.reject(notLinked(lastDisconnect?.error));
    }
  });
  const leave = (): void => done.reject(abortedBy(signal));
  signal.addEventListener('abort', leave, { once: true });
  try {
    await done.promise;
  } finally {
    signal.removeEventListener('abort', leave);
    end(socket);
  }
  await device.save();
  if (!device.creds.me) throw new AppError('bad_response', 'WhatsApp ended the login without naming the account.');
  return selfOf(device);
}

function notLinked(error: unknown): AppError {
  const status = statusOf(error);
  if (error === undefined || status === 408)
    return new AppError('timeout', 'Nobody linked the device in time: the code expired. Start the login again.');
  return disconnected(error);
}

function begin(
  { config, device, log }: Pick<WaOpening, 'config' | 'device' | 'log'>,
  { library, spool, sent }: Pick<BaileysParts, 'library'> & Partial<BaileysParts>,
): LibrarySocket {
  const logger = libraryLog(log);
  const standard = library.DEFAULT_CONNECTION_CONFIG;
  const makeSignalRepository: typeof standard.makeSignalRepository = (auth, own, find) => {
    const repository = standard.makeSignalRepository(auth, own, find);
    return spool ? spool.guard(repository) : repository;
  };
  const socket = library.makeWASocket({
    auth: { creds: device.creds, keys: library.makeCacheableSignalKeyStore(device.keys, logger) },
    logger,
    makeSignalRepository,
    browser: library.Browsers.ubuntu('Chrome'),
    // The phone keeps its notifications, and our own sends do not come back as messages.
    markOnlineOnConnect: false,
    emitOwnEvents: false,
    syncFullHistory: false,
    shouldIgnoreJid: (jid: string) => /@(?:broadcast|newsletter)$/.test(jid),
    getMessage: async (key: { readonly id?: string }) => sent?.find(key.id ?? ''),
    ...present({
      waWebSocketUrl: config.url,
      version: config.webVersion?.split('.').map(Number),
    }),
  });
  socket.ev.on('creds.update', (update) => {
    Object.assign(device.creds, update);
    device.save().catch((error: unknown) => log.error('whatsapp.login-not-saved', { error }));
  });
  if (spool) socket.ws.on('CB:message', (node) => spool.expect(node));
  return socket;
}

/** A connection that never came up is ended, too. */
function end(socket: LibrarySocket): void {
  void Promise.resolve(socket.end(undefined)).catch(() => undefined /* it is closed already */);
}

const selfOf = ({ creds }: LinkedDevice): WaSelf => {
  const { id, lid, name } = creds.me!;
  return present({ id: personOf(id) ?? id, lid: personOf(lid), name: name === '~' ? undefined : name });
};

interface Listening {
  readonly events: WaEvents;
  readonly parts: BaileysParts;
  me(): { readonly id: string };
}

function listen(socket: LibrarySocket, { events, parts: { spool, library, sent }, me }: Listening): void {
  const { ev, ws } = socket;
  ws.on('frame', () => events.alive());
  ev.on('messages.upsert', ({ messages }) => {
    for (const message of messages) events.message(message, () => spool.settle(message.key.id ?? ''));
  });
  ev.on('messaging-history.set', ({ messages }) => events.history(messages));
  ev.on('lid-mapping.update', ({ lid, pn }) => identity(events, lid, pn));
  ev.on('group-participants.update', ({ id }) => events.groupChanged(id));
  ev.on('groups.update', (groups) => groups.forEach(({ id }) => id !== undefined && events.groupChanged(id)));
  ev.on('messages.update', (updates) => votes(updates, { events, library, sent, me }));
}

function identity(events: WaEvents, lid: string, pn: string): void {
  const [hidden, phone] = [personOf(lid), personOf(pn)];
  if (hidden !== undefined && phone !== undefined) events.identity({ lid: hidden, phone });
}

function votes(
  updates: LibraryEvents['messages.update'],
  { events, library, sent, me }: Pick<Listening, 'events' | 'me'> & Pick<BaileysParts, 'library' | 'sent'>,
): void {
  for (const { key, update } of updates) {
    const poll = update.pollUpdates?.length ? sent.find(key.id ?? '') : undefined;
    if (!poll) continue;
    for (const one of update.pollUpdates!) {
      const chosen = library.getAggregateVotesInPollMessage({ message: poll, pollUpdates: [one] }, me().id);
      const options = chosen.filter(({ voters }) => voters.length > 0).map(({ name }) => name);
      if (one.pollUpdateMessageKey) events.vote({ key, voter: one.pollUpdateMessageKey, options });
    }
  }
}

interface Acknowledgements {
  /** Before the message leaves: resolves with the error's code, or undefined. */
  expect(id: string): { readonly answer: Promise<string | undefined>; forget(): void };
}

/** The library does not wait for the answer of the server. */
function acknowledgements({ ws }: LibrarySocket, over: Promise<AppError>): Acknowledgements {
  const open = new Map<string, PromiseWithResolvers<string | undefined>>();
  ws.on('CB:ack,class:message', ({ attrs }) => open.get(attrs['id'] ?? '')?.resolve(attrs['error']));
  void over.then((why) => {
    for (const waiting of open.values())
      waiting.reject(new AppError('network', 'The connection broke before WhatsApp confirmed.', { cause: why }));
  });
  return {
    expect(id) {
      const waiting = Promise.withResolvers<string | undefined>();
      waiting.promise.catch(() => undefined); // whoever waits hears it too
      open.set(id, waiting);
      return { answer: waiting.promise, forget: () => void open.delete(id) };
    },
  };
}

interface Connected {
  readonly over: Promise<AppError>;
  readonly acks: Acknowledgements;
  readonly opening: WaOpening;
  readonly parts: BaileysParts;
}

function connected(socket: LibrarySocket, { over, acks, opening: { device, log }, parts }: Connected): WaSocket {
  return {
    self: selfOf(device),
    over,
    async send(jid, content, options) {
      const expected = acks.expect(options.messageId);
      try {
        const made = await attempted(socket.sendMessage(jid, content, options));
        const { message } = (made ?? {}) as { readonly message?: object };
        if (message) parts.sent.keep(options.messageId, message);
        const code = await orTimeout(expected.answer, {
          ms: ACKNOWLEDGED_MS,
          error: () => new AppError('timeout', 'WhatsApp did not confirm the message in time.'),
        });
        if (code !== undefined) throw refused(code, jid);
      } finally {
        expected.forget();
      }
    },
    markRead: (keys) => attempted(socket.readMessages(keys)),
    typing: (jid) => attempted(socket.sendPresenceUpdate('composing', jid)),
    group: async (jid) => groupOf(await attempted(socket.groupMetadata(jid))),
    async phoneOf(lid) {
      return personOf(await socket.signalRepository.lidMapping.getPNForLID(lid));
    },
    download: (media, type, limits) => mediaBytes(parts.library, { media, type, ...limits }),
    async ping() {
      await attempted(socket.query(PING, PING_MS));
    },
    unlink: () => attempted(socket.logout()),
    async [Symbol.asyncDispose]() {
      end(socket);
      await orTimeout(over, { ms: CLOSE_MS, error: () => new AppError('timeout', 'late') }).catch(() =>
        log.warn('whatsapp.close.late'),
      );
    },
  };
}

const PING: WaNode = {
  tag: 'iq',
  attrs: { to: '@s.whatsapp.net', type: 'get', xmlns: 'w:p' },
  content: [{ tag: 'ping', attrs: {} }],
};

/** What the library throws, as ours. */
async function attempted<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof AppError) throw error;
    const status = statusOf(error);
    const said = error instanceof Error ? error.message : String(error);
    if (status === 404 || status === 406)
      throw new AppError('not_found', `WhatsApp does not know that chat (${said}).`, { cause: error });
    if (status === 401 || status === 403)
      throw new AppError('denied', `WhatsApp does not allow that (${said}).`, { cause: error });
    if (status === 429)
      throw new AppError('rate_limited', 'WhatsApp limits how fast this account may act.', {
        cause: error,
        retryAfterMs: 60_000,
      });
    throw new AppError('network', `WhatsApp could not be reached: ${said}.`, { cause: error });
  }
}

function groupOf(found: Awaited<ReturnType<LibrarySocket['groupMetadata']>>): WaGroup {
  const participants = (found.participants ?? []).flatMap(({ id, phoneNumber, admin }) => {
    const person = personOf(phoneNumber) ?? personOf(id);
    return person === undefined ? [] : [{ id: person, admin: Boolean(admin) }];
  });
  return {
    id: found.id,
    subject: found.subject ?? '',
    members: found.size ?? participants.length,
    participants,
    ...present({ expiration: found.ephemeralDuration || undefined }),
  };
}

/** Messages an earlier connection left, as the library reads them. Broken ones are skipped. */
export async function readLeft(
  { library, spool }: Pick<BaileysParts, 'library' | 'spool'>,
  device: LinkedDevice,
  log: Log,
): Promise<readonly Parameters<WaEvents['message']>[0][]> {
  const { id, lid = '' } = device.creds.me!;
  const open = async (bytes: Uint8Array): Promise<Uint8Array> => bytes;
  const repository: SignalRepository & { processSenderKeyDistributionMessage(): Promise<void> } = {
    decryptMessage: ({ ciphertext }) => open(ciphertext),
    decryptGroupMessage: ({ msg }) => open(msg),
    processSenderKeyDistributionMessage: async () => undefined,
    lidMapping: Object.assign({ getPNForLID: async () => undefined }, NO_MAPPING),
  };
  const messages = [];
  for (const node of await spool.left()) {
    try {
      const { fullMessage, decrypt } = library.decryptMessageNode(node, id, lid, repository, libraryLog(log));
      await decrypt();
      library.cleanMessage(fullMessage, id, lid);
      messages.push(fullMessage);
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      log.warn('whatsapp.spool-broken', { reason: error.message });
      await spool.settle(node.attrs['id'] ?? '');
    }
  }
  return messages;
}

const NO_MAPPING = { getLIDForPN: async () => undefined, storeLIDPNMappings: async () => undefined };
