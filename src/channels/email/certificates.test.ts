/** A certificate that is trusted, and another server's: nothing is said to who has it, by TLS at once or by command. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { createServer as createTlsServer, TLSSocket } from 'node:tls';
import { tempDir, type TempDir } from '../../testing/temp-dir.ts';
import { emailConfig } from './config.ts';
import { openImap } from './imap-line.ts';
import { byPassword } from './login.ts';
import { checkSmtp } from './smtp.ts';

const PASSWORD = 'pass-word-of-clawd';

describe('a certificate of somebody else', () => {
  let dir: TempDir;
  let files: { readonly key: Buffer; readonly cert: Buffer };
  before(async () => {
    dir = await tempDir('mail-certificates');
    const [key, cert] = [join(dir.path, 'key.pem'), join(dir.path, 'cert.pem')];
    const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
    const subject = ['-subj', '/CN=elsewhere.example', '-addext', 'subjectAltName=DNS:elsewhere.example'];
    execFileSync('openssl', ['req', '-x509', ...kind, ...subject, '-keyout', key, '-out', cert], { stdio: 'ignore' });
    files = { key: readFileSync(key), cert: readFileSync(cert) };
  });
  after(() => dir[Symbol.asyncDispose]());

  async function listening(server: Server) {
    server.listen(0, 'localhost');
    await once(server, 'listening');
    const sockets = new Set<{ destroy(): void }>();
    server.on('connection', (socket) => sockets.add(socket));
    return {
      port: (server.address() as AddressInfo).port,
      async [Symbol.asyncDispose]() {
        for (const socket of sockets) socket.destroy();
        await new Promise((resolve) => server.close(resolve));
      },
    };
  }

  /** Begins TLS at once, or when it is asked to; keeps what is said under it. */
  function server(security: 'tls' | 'starttls', greeting: string, heard: string[]): Server {
    const talk = (socket: TLSSocket): void => {
      socket.on('error', () => undefined);
      socket.on('data', (bytes) => heard.push(bytes.toString('latin1')));
      if (security === 'tls') socket.write(greeting);
    };
    if (security === 'tls') return createTlsServer(files, talk).on('tlsClientError', () => undefined) as Server;
    return createServer((socket) => {
      socket.on('error', () => undefined);
      socket.write(greeting);
      socket.on('data', (bytes) => {
        const [line = ''] = bytes.toString('latin1').split('\r\n');
        const [tag, name = tag] = line.split(' ');
        if (/^EHLO/i.test(line)) return void socket.write('250-mx\r\n250 STARTTLS\r\n');
        if (/CAPABILITY/i.test(line)) return void socket.write(`* CAPABILITY IMAP4rev1 STARTTLS\r\n${tag} OK\r\n`);
        if (!/STARTTLS/i.test(name!) && !/STARTTLS/i.test(tag!)) return;
        socket.removeAllListeners('data');
        socket.write(/^STARTTLS/i.test(line) ? '220 begin\r\n' : `${tag} OK begin\r\n`);
        talk(new TLSSocket(socket, { ...files, isServer: true }));
      });
    });
  }

  for (const security of ['tls', 'starttls'] as const)
    for (const [what, greeting, use] of [
      ['reading', '* OK ready\r\n', openImap],
      ['sending', '220 mx ready\r\n', checkSmtp],
    ] as const)
      it(`is not taken for that of the server: ${what} by ${security}`, async () => {
        const heard: string[] = [];
        await using on = await listening(server(security, greeting, heard));
        const config = emailConfig.parse({
          address: 'clawd@example.com',
          imapHost: 'localhost',
          smtpHost: 'localhost',
          imapPort: on.port,
          smtpPort: on.port,
          imapSecurity: security,
          smtpSecurity: security,
          tlsCaFile: join(dir.path, 'cert.pem'),
        });
        await assert.rejects(use({ config, secret: byPassword(PASSWORD) }, AbortSignal.timeout(20_000)), {
          code: 'unavailable',
          message: /certificate|altnames|ERR_TLS/i,
        });
        assert.deepEqual(heard, []);
      });
});
