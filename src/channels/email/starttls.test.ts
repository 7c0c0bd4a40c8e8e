/** Somebody between us and the mail server: where TLS by command is asked for, nothing is said or read without it. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { describe, it } from 'node:test';
import { emailConfig } from './config.ts';
import { openImap } from './imap-line.ts';
import { byPassword } from './login.ts';
import { checkSmtp } from './smtp.ts';

const PASSWORD = 'pass-word-of-clawd';
const CONFIG = {
  address: 'clawd@example.com',
  imapHost: '127.0.0.1',
  smtpHost: '127.0.0.1',
  imapSecurity: 'starttls',
  smtpSecurity: 'starttls',
};

const TLS_HANDSHAKE = 22;

interface Script {
  readonly greeting: string;
  /** What is answered to a line; `<tag>` is that of the client. */
  answer(line: string): string;
}

/** Speaks without TLS, and keeps what it is told. */
async function meddler({ greeting, answer }: Script) {
  const heard: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer({ noDelay: true }, (socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.write(`${greeting}\r\n`);
    socket.on('data', (bytes) => {
      const text = bytes.toString('latin1');
      heard.push(text);
      // Who is asked for TLS goes on without it.
      if (bytes[0] === TLS_HANDSHAKE) return void socket.write('* OK 250 ok\r\n250 ok\r\n');
      for (const line of text.split('\r\n').filter(Boolean))
        if (/^[\x20-\x7e]+$/.test(line)) socket.write(answer(line).replaceAll('<tag>', line.split(' ')[0]!));
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    said: () => heard.join(''),
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The password as it is sent: bare, in base64, and in that of a whole login. */
const SPELLINGS = [
  PASSWORD,
  Buffer.from(PASSWORD).toString('base64'),
  Buffer.from(`\0${CONFIG.address}\0${PASSWORD}`).toString('base64'),
];
const keptSecret = (said: string): void => {
  for (const spelling of SPELLINGS) assert.ok(!said.includes(spelling), said);
  assert.doesNotMatch(said, /\b(?:LOGIN|AUTHENTICATE|AUTH|SELECT|EXAMINE|MAIL FROM)\b/i);
};

const imap = (answers: Readonly<Record<string, string>>, greeting = '* OK ready'): Script => ({
  greeting,
  answer(line) {
    const name = line.split(' ')[1]?.toUpperCase() ?? '';
    return answers[name] ?? '<tag> OK done\r\n';
  },
});
const CAN = '* CAPABILITY IMAP4rev1 STARTTLS AUTH=PLAIN\r\n<tag> OK done\r\n';
const CANNOT = '* CAPABILITY IMAP4rev1 AUTH=PLAIN\r\n<tag> OK done\r\n';

const ON_IMAP: Readonly<Record<string, Script>> = {
  'STARTTLS is taken out of what the server can': imap({ CAPABILITY: CANNOT }),
  'STARTTLS is taken out of a greeting': imap({ CAPABILITY: CANNOT }, '* OK [CAPABILITY IMAP4rev1 AUTH=PLAIN] ready'),
  'we are said to be logged in already': imap({ CAPABILITY: CAN }, '* PREAUTH welcome'),
  'we are said to be logged in, and that there is nothing to begin': imap({ CAPABILITY: CANNOT }, '* PREAUTH welcome'),
  'STARTTLS is refused': imap({ CAPABILITY: CAN, STARTTLS: '<tag> NO not now\r\n' }),
  'STARTTLS is not understood': imap({ CAPABILITY: CAN, STARTTLS: '<tag> BAD what\r\n' }),
  'more stands behind the word to begin': imap({
    CAPABILITY: CAN,
    STARTTLS: '<tag> OK begin\r\n* CAPABILITY IMAP4rev1 AUTH=PLAIN\r\n* PREAUTH welcome\r\n',
  }),
  'no TLS comes behind the word to begin': imap({ CAPABILITY: CAN, STARTTLS: '<tag> OK begin\r\n' }),
};

const smtp = (answers: Readonly<Record<string, string>>, greeting = '220 mx ready'): Script => ({
  greeting,
  answer: (line) => answers[line.split(' ')[0]!.toUpperCase()] ?? '250 ok\r\n',
});
const OFFERS = '250-mx\r\n250-STARTTLS\r\n250 AUTH PLAIN LOGIN\r\n';
const OFFERS_NOT = '250-mx\r\n250 AUTH PLAIN LOGIN\r\n';

const ON_SMTP: Readonly<Record<string, Script>> = {
  'STARTTLS is taken out of what the server can': smtp({ EHLO: OFFERS_NOT, STARTTLS: '502 not here\r\n' }),
  'only the old greeting is understood': smtp({ EHLO: '502 not here\r\n', HELO: '250 mx\r\n' }),
  'STARTTLS is refused': smtp({ EHLO: OFFERS, STARTTLS: '454 not now\r\n' }),
  'more stands behind the word to begin': smtp({
    EHLO: OFFERS,
    STARTTLS: '220 begin\r\n250-mx\r\n250 AUTH PLAIN LOGIN\r\n235 welcome\r\n',
  }),
  'no TLS comes behind the word to begin': smtp({ EHLO: OFFERS, STARTTLS: '220 begin\r\n250 ok\r\n' }),
};

const soon = (): AbortSignal => AbortSignal.timeout(20_000);

describe('mail over TLS by command says nothing to whoever takes it away', () => {
  for (const [what, script] of Object.entries(ON_IMAP))
    it(`reading: ${what}`, async () => {
      await using server = await meddler(script);
      const config = emailConfig.parse({ ...CONFIG, imapPort: server.port });
      await assert.rejects(openImap({ config, secret: byPassword(PASSWORD) }, soon()), { code: 'unavailable' });
      keptSecret(server.said());
    });

  for (const [what, script] of Object.entries(ON_SMTP))
    it(`sending: ${what}`, async () => {
      await using server = await meddler(script);
      const config = emailConfig.parse({ ...CONFIG, smtpPort: server.port });
      await assert.rejects(checkSmtp({ config, secret: byPassword(PASSWORD) }, soon()), (error: { code?: string }) =>
        ['unavailable', 'denied', 'rate_limited'].includes(String(error.code)),
      );
      keptSecret(server.said());
    });
});
