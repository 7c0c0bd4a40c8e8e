/** As much of an IMAP server as reads a folder: one client after another, with IDLE. */
import { createServer, type Server, type Socket } from 'node:net';
import { sectionOf, structureOf, type KeptMail } from './fake-mails.ts';

export interface ImapStore {
  readonly mails: KeptMail[];
  readonly state: { valid: boolean; validity: number; idles: boolean };
  /** Access tokens it takes; absent: it takes none. */
  readonly tokens?: ReadonlySet<string> | undefined;
  readonly user: string;
  readonly password: string;
  /** Connections that read the folder. */
  readonly readers: Set<Socket>;
  /** Every command, without its arguments that are secret. */
  readonly commands: string[];
}

export function createFakeImap(store: ImapStore): Server {
  return createServer({ noDelay: true }, (socket) => {
    let rest = '';
    const talk: Talk = { socket, store, idle: undefined };
    socket.setEncoding('latin1');
    socket.on('error', () => undefined);
    socket.on('close', () => store.readers.delete(socket));
    say(socket, `* OK [CAPABILITY ${abilities(store)}] ready`);
    socket.on('data', (chunk: string) => {
      const lines = (rest + chunk).split('\r\n');
      rest = lines.pop()!;
      for (const line of lines) answer(line, talk);
    });
  });
}

interface Talk {
  readonly socket: Socket;
  readonly store: ImapStore;
  /** The tag of an IDLE that runs. */
  idle: string | undefined;
  /** The tag of a login whose refusal was begun. */
  refusing?: string | undefined;
}

/** What XOAUTH2 says: who, and with which token. */
export const provesToken = (
  said: string,
  { tokens, user }: { readonly tokens?: ReadonlySet<string> | undefined; readonly user: string },
): boolean => {
  const [who = '', token = ''] = Buffer.from(said, 'base64').toString().split('\u0001');
  return who === `user=${user}` && token.startsWith('auth=Bearer ') && tokens?.has(token.slice(12)) === true;
};

const abilities = ({ state, tokens }: ImapStore): string =>
  `IMAP4rev1${state.idles ? ' IDLE' : ''}${tokens ? ' AUTH=XOAUTH2 SASL-IR' : ''}`;
const say = (socket: Socket, line: string): void => void (socket.destroyed || socket.write(`${line}\r\n`, 'latin1'));

function answer(line: string, talk: Talk): void {
  const { socket, store } = talk;
  if (talk.idle !== undefined && line.toUpperCase() === 'DONE') {
    say(socket, `${talk.idle} OK done`);
    talk.idle = undefined;
    return;
  }
  if (talk.refusing !== undefined) {
    say(socket, `${talk.refusing} NO [AUTHENTICATIONFAILED] not accepted`);
    talk.refusing = undefined;
    return;
  }
  const [, tag = '*', command = '', rest = ''] = /^(\S+) ((?:UID )?\S+) ?(.*)$/i.exec(line) ?? [];
  const name = command.toUpperCase();
  store.commands.push(name === 'LOGIN' || name === 'AUTHENTICATE' ? name : `${name} ${rest}`);
  const done = (words = 'done'): void => say(socket, `${tag} OK ${words}`);
  switch (name) {
    case 'CAPABILITY':
      say(socket, `* CAPABILITY ${abilities(store)}`);
      return done();
    case 'LOGIN':
      return store.state.valid && rest.replaceAll('"', '') === `${store.user} ${store.password}`
        ? done()
        : say(socket, `${tag} NO [AUTHENTICATIONFAILED] not accepted`);
    case 'AUTHENTICATE':
      if (provesToken(rest.split(' ')[1] ?? '', store)) return done();
      // The reason comes first, and the refusal once the client has read it.
      say(socket, `+ ${Buffer.from('{"status":"400","schemes":"Bearer"}').toString('base64')}`);
      talk.refusing = tag;
      return;
    case 'LIST':
    case 'LSUB':
      say(socket, `* ${name} (\\HasNoChildren) "/" INBOX`);
      return done();
    case 'SELECT':
      return select(talk, rest, tag);
    case 'UID SEARCH':
      say(socket, `* SEARCH ${search(rest, store).join(' ')}`.trim());
      return done();
    case 'UID FETCH':
      fetch(rest, talk);
      return done();
    case 'UID STORE':
      for (const mail of mailsOf(rest, store)) if (/\\Seen/i.test(rest)) mail.seen = true;
      return done();
    case 'IDLE':
      talk.idle = tag;
      return say(socket, '+ idling');
    case 'LOGOUT':
      say(socket, '* BYE');
      done();
      return void socket.end();
    default:
      return done();
  }
}

function select({ socket, store }: Talk, name: string, tag: string): void {
  if (!/^"?INBOX"?/i.test(name)) return say(socket, `${tag} NO [NONEXISTENT] no such folder`);
  store.readers.add(socket);
  const next = (store.mails.at(-1)?.uid ?? 0) + 1;
  for (const line of [
    'FLAGS (\\Seen)',
    `${store.mails.length} EXISTS`,
    '0 RECENT',
    `OK [UIDVALIDITY ${store.state.validity}] valid`,
    `OK [UIDNEXT ${next}] next`,
  ])
    say(socket, `* ${line}`);
  say(socket, `${tag} OK [READ-WRITE] selected`);
}

function search(query: string, { mails }: ImapStore): readonly number[] {
  const from = /UID (\d+):\*/i.exec(query)?.[1];
  if (from === undefined) return mails.map(({ uid }) => uid);
  const found = mails.filter(({ uid }) => uid >= Number(from)).map(({ uid }) => uid);
  const last = mails.at(-1);
  return found.length === 0 && last ? [last.uid] : found;
}

const mailsOf = (range: string, { mails }: ImapStore): readonly KeptMail[] => {
  const uids = new Set((/^[\d,]+/.exec(range)?.[0] ?? '').split(',').map(Number));
  return mails.filter(({ uid }) => uids.has(uid));
};

function fetch(request: string, { socket, store }: Talk): void {
  for (const mail of mailsOf(request, store)) {
    const items = [`UID ${mail.uid}`];
    if (/\bINTERNALDATE\b/.test(request)) items.push(`INTERNALDATE "${internalDate(mail.date)}"`);
    if (/\bRFC822\.SIZE\b/.test(request)) items.push('RFC822.SIZE 1000');
    if (/\bENVELOPE\b/.test(request)) items.push(`ENVELOPE ${mail.envelope}`);
    if (/\bBODYSTRUCTURE\b/.test(request)) items.push(`BODYSTRUCTURE ${structureOf(mail)}`);
    for (const [, name = '', from, length] of request.matchAll(/BODY\.PEEK\[([^\]]*)\](?:<(\d+)\.(\d+)>)?/g)) {
      const whole = sectionOf(mail, name);
      const part = from === undefined ? whole : whole.slice(Number(from), Number(from) + Number(length));
      items.push(`BODY[${name}]${from === undefined ? '' : `<${from}>`} {${part.length}}\r\n${part}`);
    }
    say(socket, `* ${store.mails.indexOf(mail) + 1} FETCH (${items.join(' ')})`);
  }
}

const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');

function internalDate(date: Date): string {
  const two = (value: number): string => String(value).padStart(2, '0');
  const day = `${two(date.getUTCDate())}-${MONTHS[date.getUTCMonth()]}-${date.getUTCFullYear()}`;
  return `${day} ${two(date.getUTCHours())}:${two(date.getUTCMinutes())}:${two(date.getUTCSeconds())} +0000`;
}
