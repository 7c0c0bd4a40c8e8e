/** An SMTP server that takes mail of one user, with faults on demand. */
import { createServer, type Server } from 'node:net';
import type { ChannelPlatform } from '../../testing/channel-platform.ts';
import { provesToken } from './fake-imap.ts';

type Fault = Parameters<ChannelPlatform['failSends']>[0];

export interface SmtpStore {
  readonly state: { readonly valid: boolean };
  /** Access tokens it takes; absent: it takes none. */
  readonly tokens?: ReadonlySet<string> | undefined;
  readonly user: string;
  readonly password: string;
  readonly faults: Fault[];
  /** How often somebody began to talk, and how many talk now. */
  readonly talks: { begun: number; now: number };
  take(raw: string, recipients: readonly string[]): Promise<void>;
}

export function createFakeSmtp(store: SmtpStore): Server {
  return createServer({ noDelay: true }, (socket) => {
    const talk = { rest: '', data: undefined as string | undefined, to: [] as string[], known: false };
    const say = (line: string): void => void (socket.destroyed || socket.write(`${line}\r\n`));
    socket.setEncoding('utf8');
    socket.on('error', () => undefined);
    store.talks.begun += 1;
    store.talks.now += 1;
    socket.on('close', () => (store.talks.now -= 1));
    say('220 mx.example.com ready');
    socket.on('data', (chunk: string) => {
      talk.rest += chunk;
      for (;;) {
        const end = talk.rest.indexOf(talk.data === undefined ? '\r\n' : '\r\n.\r\n');
        if (end < 0) return;
        const text = talk.rest.slice(0, end);
        talk.rest = talk.rest.slice(end + (talk.data === undefined ? 2 : 5));
        if (talk.data === undefined) command(text);
        else void whole(text);
      }
    });

    async function whole(text: string): Promise<void> {
      talk.data = undefined;
      const fault = store.faults.shift();
      if (fault !== 'dropped') await store.take(text.replace(/^\.\./gm, '.'), talk.to.splice(0));
      if (fault === 'dropped' || fault === 'accepted-timeout') return void socket.destroy();
      say('250 2.0.0 queued');
    }

    function command(line: string): void {
      const name = line.slice(0, 4).toUpperCase();
      const [fault] = store.faults;
      if (name === 'EHLO')
        return void (say('250-mx.example.com'),
        say(`250-AUTH PLAIN${store.tokens ? ' XOAUTH2' : ''}`),
        say('250 8BITMIME'));
      if (/^AUTH XOAUTH2 /i.test(line)) {
        talk.known = provesToken(line.split(' ')[2] ?? '', store);
        return say(talk.known ? '235 2.7.0 welcome' : '334 eyJzdGF0dXMiOiI0MDAifQ==');
      }
      if (line === '') return say('535 5.7.8 not accepted');
      if (name === 'AUTH') {
        const given = Buffer.from(line.split(' ')[2] ?? '', 'base64').toString();
        talk.known = store.state.valid && given === `\0${store.user}\0${store.password}`;
        return say(talk.known ? '235 2.7.0 welcome' : '535 5.7.8 not accepted');
      }
      if (name === 'QUIT') return void (say('221 bye'), socket.end());
      if (name === 'RSET') return say('250 ok');
      if (!talk.known) return say('530 5.7.0 log in first');
      if (name === 'MAIL' && fault === 'server-error')
        return void (store.faults.shift(), say('421 4.3.2 shutting down'));
      if (name === 'MAIL') return void ((talk.to = []), say('250 ok'));
      if (name === 'RCPT' && fault === 'rate-limit')
        return void (store.faults.shift(), say('451 4.7.1 greylisted, try again in 1 seconds'));
      if (name === 'RCPT' && fault === 'refused') return void (store.faults.shift(), say('550 5.7.1 not allowed'));
      if (name === 'RCPT') return void (talk.to.push(/<([^>]*)>/.exec(line)?.[1] ?? ''), say('250 ok'));
      if (name === 'DATA') return void ((talk.data = ''), say('354 go on'));
      say('502 5.5.1 not here');
    }
  });
}
