/** Creates a configured socket of the library; all uses of it share this. */
import { present } from '../../sdk/index.ts';
import { personOf } from './ids.ts';
import { libraryLog } from './library-log.ts';
import type { Library, LibrarySocket } from './library.ts';
import type { LinkedDevice } from './linked-device.ts';
import type { SentMessages } from './sent-messages.ts';
import type { WaOpening, WaSelf } from './socket.ts';
import type { Spool } from './spool.ts';

export interface BaileysParts {
  readonly library: Library;
  readonly spool: Spool;
  readonly sent: SentMessages;
}

export function beginSocket(
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
export function endSocket(socket: LibrarySocket): void {
  void Promise.resolve(socket.end(undefined)).catch(() => undefined /* it is closed already */);
}

export const selfOf = ({ creds }: LinkedDevice): WaSelf => {
  const { id, lid, name } = creds.me!;
  return present({ id: personOf(id) ?? id, lid: personOf(lid), name: name === '~' ? undefined : name });
};
