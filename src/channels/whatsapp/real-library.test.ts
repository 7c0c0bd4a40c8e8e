/** The real baileys library, as far as it runs without WhatsApp: the start of the handshake, and decryption. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { WebSocketServer } from 'ws';
import { silentLog } from '../../core/log.ts';
import { testAccount } from '../../testing/channel-account.ts';
import { tempDir } from '../../testing/temp-dir.ts';
import whatsapp from './index.ts';
import { loadLibrary, type KeyStore, type SignalRepository, type WaNode } from './library.ts';
import { newDevice, openDevice } from './linked-device.ts';
import { readLeft } from './read-left.ts';
import { openSentMessages } from './sent-messages.ts';
import { openSpool } from './spool.ts';

const library = await loadLibrary('baileys').catch(() => undefined);
const skip = library ? false : 'baileys is not installed here';
const ME = '15550009999:7@s.whatsapp.net';

/** What the sender of a message has of the library beyond what a receiver uses. */
interface Sealing extends SignalRepository {
  injectE2ESession(session: { jid: string; session: object }): Promise<void>;
  encryptMessage(message: { jid: string; data: Uint8Array }): Promise<{ type: string; ciphertext: Uint8Array }>;
}

const noLog = { level: 'silent', child: () => noLog, trace() {}, debug() {}, info() {}, warn() {}, error() {} };

test('a linked device and a new one reach the Noise handshake of a server', { skip }, async () => {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
  await once(server, 'listening');
  const hellos: Buffer[] = [];
  const sockets = new Set<{ terminate(): void }>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('message', (data) => {
      hellos.push(data as Buffer);
      socket.terminate(); // what comes next takes the keys of WhatsApp
    });
  });
  const url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await using dir = await tempDir('whatsapp-real');
  const config = { url, authDir: join(dir.path, 'auth') };

  await using unlinked = await testAccount(whatsapp, { config });
  const linking = whatsapp.login!.run(
    { ...unlinked.account, signal: AbortSignal.timeout(20_000) },
    { method: 'qr' },
    () => {},
  );
  await assert.rejects(linking, { code: 'network' });

  const device = newDevice(config.authDir, library!, silentLog);
  device.creds.me = { id: ME };
  await device.save();
  await using fixture = await testAccount(whatsapp, { config });
  await assert.rejects(fixture.connect(), { code: 'network' });

  assert.equal(hellos.length, 2);
  for (const hello of hellos) assert.equal(hello.subarray(0, 2).toString(), 'WA', 'the prologue of the protocol');
  for (const socket of sockets) socket.terminate();
  await new Promise((resolve) => server.close(resolve));
});

test('what somebody encrypted for this device is in the spool before anybody has it, and is read from there', {
  skip,
}, async (t) => {
  const printed = t.mock.method(console, 'info', () => undefined);
  await using dir = await tempDir('whatsapp-signal');
  const device = newDevice(join(dir.path, 'bot'), library!, silentLog);
  device.creds.me = { id: ME };
  await device.save();
  const spool = await openSpool(join(device.folder, 'inbox'), silentLog);
  const bot = spool.guard(repositoryOf(device.creds, device.keys));
  const ann = newDevice(join(dir.path, 'ann'), library!, silentLog);
  const sender = repositoryOf(ann.creds, ann.keys) as Sealing;
  // The second closes the first, which the library would print.
  for (const _ of [1, 2])
    await sender.injectE2ESession({ jid: ME, session: await bundleOf(device.creds, device.keys) });

  for (const [nth, words] of ['for the robot', 'once more'].entries()) {
    const plain = padded(library!.proto.Message.encode({ conversation: words }).finish());
    const { type, ciphertext } = await sender.encryptMessage({ jid: ME, data: plain });
    const node = messageNode(`AC${nth}`, type, ciphertext);
    spool.expect(node);
    const decrypted = await bot.decryptMessage({ jid: ANN_JID, type, ciphertext });
    assert.deepEqual(Buffer.from(decrypted), Buffer.from(plain));
    assert.equal((await readdir(join(device.folder, 'inbox'))).length, nth + 1, 'on disk before it was handed out');
  }
  assert.equal(printed.mock.callCount(), 0, 'no session is printed');

  // The process died here: the server thinks that both were received.
  const again = await openDevice(device.folder, library!, silentLog);
  await using _sent = await openSentMessages(device.folder, library!, silentLog);
  const after = await openSpool(join(device.folder, 'inbox'), silentLog);
  const left = await readLeft({ library: library!, spool: after }, again, silentLog);
  assert.deepEqual(
    left.map(({ key, message, pushName }) => [key.id, key.remoteJid, key.fromMe, message?.conversation, pushName]),
    [
      ['AC0', ANN_JID, false, 'for the robot', 'Ann'],
      ['AC1', ANN_JID, false, 'once more', 'Ann'],
    ],
  );
  for (const { key } of left) await after.settle(key.id!);
  assert.deepEqual(await readdir(join(device.folder, 'inbox')), []);
});

const ANN_JID = '15550001001@s.whatsapp.net';

const messageNode = (id: string, type: string, content: Uint8Array): WaNode => ({
  tag: 'message',
  attrs: { id, from: ANN_JID, t: '1700000000', notify: 'Ann', type: 'text' },
  content: [{ tag: 'enc', attrs: { type, v: '2' }, content }],
});

/** The library pads what it encrypts. */
const padded = (bytes: Uint8Array): Uint8Array => Buffer.concat([bytes, Buffer.from([2, 2])]);

function repositoryOf(creds: object, store: KeyStore): SignalRepository {
  const keys = { ...store, isInTransaction: () => false, transaction: async (work: () => Promise<unknown>) => work() };
  return library!.DEFAULT_CONNECTION_CONFIG.makeSignalRepository({ creds, keys }, noLog);
}

/** What the server gives to somebody who begins a conversation. */
async function bundleOf(creds: any, keys: KeyStore): Promise<object> {
  const { Curve } = (await import('baileys')) as unknown as { Curve: { generateKeyPair(): { public: Uint8Array } } };
  const pair = Curve.generateKeyPair();
  await keys.set({ 'pre-key': { 1: pair } });
  const keyed = (bytes: Uint8Array): Buffer => Buffer.concat([Buffer.from([5]), bytes]);
  return {
    registrationId: creds.registrationId,
    identityKey: keyed(creds.signedIdentityKey.public),
    signedPreKey: {
      keyId: creds.signedPreKey.keyId,
      publicKey: keyed(creds.signedPreKey.keyPair.public),
      signature: creds.signedPreKey.signature,
    },
    preKey: { keyId: 1, publicKey: keyed(pair.public) },
  };
}
