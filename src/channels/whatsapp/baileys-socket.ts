/** Implements the interface to WhatsApp with baileys: opens one connection of a linked device. */
import { AppError, abortedBy, orTimeout, present } from '../../sdk/index.ts';
import { acknowledgements, type Acknowledgements } from './acknowledgements.ts';
import { beginSocket, endSocket, selfOf, type BaileysParts } from './begin-socket.ts';
import { attempted, disconnected, refused } from './disconnects.ts';
import { personOf } from './ids.ts';
import type { LibrarySocket, WaNode } from './library.ts';
import { listen } from './listen.ts';
import { mediaBytes } from './media-bytes.ts';
import type { WaGroup, WaOpening, WaSocket } from './socket.ts';

const OPEN_MS = 45_000;
const ACKNOWLEDGED_MS = 30_000;
const PING_MS = 10_000;
const CLOSE_MS = 3000;

/** Resolves once messages can flow; rejects with why WhatsApp does not let the device in. */
export async function openBaileys(opening: WaOpening, parts: BaileysParts): Promise<WaSocket> {
  const { device, signal, events } = opening;
  if (signal.aborted) throw abortedBy(signal);
  const socket = beginSocket(opening, parts);
  const over = Promise.withResolvers<AppError>();
  const open = Promise.withResolvers<void>();
  socket.ev.on('connection.update', ({ connection, lastDisconnect }) => {
    if (connection === 'open') open.resolve();
    if (connection === 'close') over.resolve(disconnected(lastDisconnect?.error));
  });
  const leave = (): void => endSocket(socket);
  signal.addEventListener('abort', leave, { once: true });
  listen(socket, { events, parts, me: () => device.creds.me! });
  const acks = acknowledgements(socket, over.promise);
  try {
    await orTimeout(Promise.race([open.promise, over.promise.then((why) => Promise.reject(why))]), {
      ms: OPEN_MS,
      error: () => new AppError('timeout', `WhatsApp did not let the device in within ${OPEN_MS / 1000} s.`),
    });
  } catch (error) {
    endSocket(socket);
    throw signal.aborted ? abortedBy(signal) : error;
  } finally {
    signal.removeEventListener('abort', leave);
  }
  return connected(socket, { over: over.promise, acks, opening, parts });
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
      endSocket(socket);
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
