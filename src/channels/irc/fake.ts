/**
 * An IRC server on 127.0.0.1 with IRCv3 history, msgids and tags, which no server in Debian has; with test users and
 * failures on demand.
 */
import { createServer, type AddressInfo, type Socket } from 'node:net';
import type { ChannelPlatform, Chat, Said, Seen } from '../../testing/channel-platform.ts';
import { hasCodes, withoutCodes } from './formatting.ts';
import { readLine, type IrcMessage } from './message.ts';
import { fold } from './names.ts';
import { TOKEN_TAG } from './send.ts';

const NICK = 'Clawd';
const ACCOUNT = 'clawd';
const PASSWORD = 'irc-test-password';
const ABILITIES = [
  'account-notify account-tag batch draft/chathistory draft/read-marker echo-message extended-join',
  'labeled-response message-tags sasl=PLAIN,EXTERNAL server-time',
].join(' ');

type Fault = Parameters<ChannelPlatform['failSends']>[0];

interface Kept {
  readonly id: string;
  readonly time: number;
  /** Where the bot finds it: a room, or the nick of the other one. */
  readonly chat: string;
  readonly nick: string;
  readonly account: string;
  readonly target: string;
  readonly text: string;
  readonly tags: Readonly<Record<string, string>>;
}

interface Client {
  readonly socket: Socket;
  nick: string;
  account: string | undefined;
  negotiating: boolean;
  registered: boolean;
}

export interface FakeIrc extends ChannelPlatform {
  /** Every line that came in, in order. */
  readonly lines: readonly string[];
  /** Says a line to every client. */
  tell(line: string): void;
}

/** Lines that no server sends: of no form, of no meaning, or without what they have to have. */
const BABBLE: readonly string[] = [
  '',
  ':',
  '@',
  '@a=b',
  '\u0001\u0002\u0003',
  ':somebody',
  ':irc.example PRIVMSG',
  `:irc.example 005 ${NICK} CASEMAPPING`,
  ':irc.example 999 x y z',
  ':irc.example BATCH +x chathistory',
  '@batch=nowhere;msgid= :!@ PRIVMSG :',
  `@time=never :x!y@z PRIVMSG ${'#'.repeat(300)}`,
  'CAP * ACK',
  'AUTHENTICATE +',
  `:irc.example NOTICE * :${'x'.repeat(9000)}`,
];

export async function startFakeIrc(): Promise<FakeIrc> {
  const clients = new Set<Client>();
  const kept: Kept[] = [];
  const marked = new Map<string, number>();
  const typing = new Map<string, number>();
  const faults: Fault[] = [];
  const lines: string[] = [];
  const state = { valid: true, count: 0, time: 0 };

  const server = createServer((socket) => {
    const client: Client = { socket, nick: '*', account: undefined, negotiating: false, registered: false };
    clients.add(client);
    let rest = '';
    socket.setEncoding('utf8');
    socket.on('error', () => undefined);
    socket.on('close', () => clients.delete(client));
    socket.on('data', (chunk: string) => {
      const parts = (rest + chunk).split('\r\n');
      rest = parts.pop()!;
      for (const line of parts) {
        lines.push(line);
        const message = readLine(line);
        if (message) handle(client, message);
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

  const say = ({ socket }: Client, line: string): void => void (socket.destroyed || socket.write(`${line}\r\n`));
  const sourceOf = (nick: string): string => `${nick}!${fold(nick)}@example.net`;
  const numeric = (client: Client, code: string, ...params: readonly string[]): void =>
    say(client, `:irc.example ${code} ${client.nick} ${params.join(' ')}`);

  function shown(
    { id, time, nick, account, target, text, tags }: Kept,
    more: Readonly<Record<string, string>> = {},
  ): string {
    const all = { msgid: id, time: new Date(time).toISOString(), account, ...tags, ...more };
    const words = Object.entries(all).map(([name, value]) => `${name}=${value}`);
    return `@${words.join(';')} :${sourceOf(nick)} PRIVMSG ${target} :${text}`;
  }

  function keep(one: Omit<Kept, 'id' | 'time'>): Kept {
    state.time = Math.max(state.time + 1, Date.now());
    const message = { ...one, id: `m${++state.count}`, time: state.time };
    kept.push(message);
    return message;
  }

  const welcome = (client: Client): void => {
    if (client.registered || client.negotiating || client.nick === '*') return;
    client.registered = true;
    numeric(client, '001', ':Welcome');
    numeric(client, '005', 'CASEMAPPING=ascii', 'CHANTYPES=#&', 'STATUSMSG=@+', ':are supported');
    numeric(client, '376', ':End of MOTD');
  };

  const HANDLERS: Readonly<Record<string, (client: Client, message: IrcMessage) => void>> = {
    CAP(client, { params }) {
      if (params[0] === 'LS') {
        client.negotiating = true;
        say(client, `:irc.example CAP * LS :${ABILITIES}`);
      } else if (params[0] === 'REQ') say(client, `:irc.example CAP * ACK :${params[1]}`);
      else {
        client.negotiating = false;
        welcome(client);
      }
    },
    NICK(client, { params: [nick = ''] }) {
      client.nick = nick;
      welcome(client);
    },
    AUTHENTICATE(client, { params: [word = ''] }) {
      if (word === 'PLAIN' || word === 'EXTERNAL') return say(client, 'AUTHENTICATE +');
      if (word === '+') {
        client.account = ACCOUNT; // EXTERNAL: in a real server the certificate says so
        numeric(client, '900', sourceOf(client.nick), ACCOUNT, ':You are now logged in');
        return numeric(client, '903', ':SASL authentication successful');
      }
      const [, account, password] = Buffer.from(word, 'base64').toString().split('\0');
      if (!state.valid || fold(account ?? '') !== ACCOUNT || password !== PASSWORD)
        return numeric(client, '904', ':SASL authentication failed');
      client.account = ACCOUNT;
      numeric(client, '900', sourceOf(client.nick), ACCOUNT, ':You are now logged in');
      numeric(client, '903', ':SASL authentication successful');
    },
    PING: (client, { params }) => say(client, `:irc.example PONG irc.example :${params[0]}`),
    JOIN: (client, { params: [room = ''] }) =>
      say(client, `:${sourceOf(client.nick)} JOIN ${room} ${client.account ?? '*'} :Clawdbot`),
    WHOIS(client, { params: [nick = ''] }) {
      numeric(client, '311', nick, fold(nick), 'example.net', '*', `:${nick}`);
      numeric(client, '330', nick, fold(nick), ':is logged in as');
      numeric(client, '318', nick, ':End of WHOIS');
    },
    TAGMSG: (_client, { params: [target = ''] }) => void typing.set(fold(target), (typing.get(fold(target)) ?? 0) + 1),
    MARKREAD(_client, { params: [target = '', time = ''] }) {
      marked.set(fold(target), Date.parse(time.replace('timestamp=', '')));
    },
    CHATHISTORY: history,
    PRIVMSG: posted,
    QUIT: ({ socket }) => void socket.end(),
  };
  const handle = (client: Client, message: IrcMessage): void => HANDLERS[message.command]?.(client, message);

  function history(client: Client, { params: [kind, chat = '', from = '', limit = ''] }: IrcMessage): void {
    const point = (text: string): number =>
      text.startsWith('msgid=')
        ? (kept.find(({ id }) => id === text.slice('msgid='.length))?.time ?? 0)
        : Date.parse(text.replace('timestamp=', ''));
    if (kind === 'TARGETS') {
      const latest = new Map(kept.map((one) => [one.chat, one.time]));
      say(client, ':irc.example BATCH +t draft/chathistory-targets');
      for (const [name, time] of latest)
        if (time > point(chat))
          say(client, `@batch=t :irc.example CHATHISTORY TARGETS ${name} timestamp=${new Date(time).toISOString()}`);
      return say(client, ':irc.example BATCH -t');
    }
    const found = kept.filter((one) => fold(one.chat) === fold(chat) && one.time > point(from)).slice(0, Number(limit));
    say(client, `:irc.example BATCH +h chathistory ${chat}`);
    for (const one of found) say(client, shown(one, { batch: 'h' }));
    say(client, ':irc.example BATCH -h');
  }

  function posted(client: Client, { params: [target = '', text = ''], tags }: IrcMessage): void {
    const fault = faults[0] === 'markup' && !hasCodes(text) ? undefined : faults.shift();
    if (fault === 'rate-limit')
      return numeric(client, '439', target, ':Target change too fast. Please wait 1 seconds.');
    if (fault === 'refused') return numeric(client, '531', target, ':They take no private messages');
    if (fault === 'markup') return numeric(client, '404', target, ":Can't send colors to channel (+c)");
    if (fault === 'server-error') return say(client, ':irc.example FAIL PRIVMSG INTERNAL_ERROR :Something went wrong');
    if (fault === 'dropped') return void client.socket.destroy();
    const own = Object.fromEntries([...tags].filter(([name]) => name.startsWith('+')));
    const message = keep({ chat: target, nick: client.nick, account: ACCOUNT, target, text, tags: own });
    if (fault === 'accepted-timeout') return void client.socket.destroy();
    const label = tags.get('label');
    say(client, shown(message, label === undefined ? {} : { label }));
  }

  const deliver = (message: Kept): void => {
    for (const client of clients) if (client.registered) say(client, shown(message));
  };
  const place = ({ kind, id }: Chat, by: string): Pick<Kept, 'chat' | 'target'> =>
    kind === 'direct' ? { chat: by, target: NICK } : { chat: id, target: id };

  return {
    config: { host: '127.0.0.1', port: (server.address() as AddressInfo).port, tls: false, nick: NICK, linePauseMs: 0 },
    credentials: { password: PASSWORD },
    botId: ACCOUNT,
    lines,
    crowd({ id }, members) {
      const nicks = Array.from({ length: members }, (_, at) => `crowd${at}`);
      for (let at = 0; at < members; at += 20)
        clients.forEach((client) => numeric(client, '353', '=', id, `:${nicks.slice(at, at + 20).join(' ')}`));
      clients.forEach((client) => numeric(client, '366', id, ':End of /NAMES list.'));
    },
    tell: (line) => clients.forEach((client) => say(client, line)),
    async write({ chat, by, text = '', mention, quotes, forwarded }: Said) {
      const nick = by === ACCOUNT ? NICK : by;
      const words = `${mention ? `${NICK}: ` : ''}${forwarded ? `<somebody> ${text}` : text}`;
      const tags: Record<string, string> = quotes ? { '+draft/reply': quotes } : {};
      const message = keep({ ...place(chat, nick), nick, account: by, text: words, tags });
      deliver(message);
      return message.id;
    },
    change: async () => undefined,
    react: async () => undefined,
    redeliver: async (id) => deliver(kept.find((one) => one.id === id)!),
    seen: ({ id }) => together(kept.filter(({ chat, nick }) => nick === NICK && fold(chat) === fold(id))),
    typed: ({ id }) => typing.get(fold(id)) ?? 0,
    failSends: (how, times) => void faults.push(...Array.from({ length: times }, () => how)),
    cut: () => clients.forEach(({ socket }) => socket.destroy()),
    babble: () => BABBLE.forEach((line) => clients.forEach((client) => say(client, line))),
    revoke: () => void (state.valid = false),
    get consumers() {
      return [...clients].filter(({ registered }) => registered).length;
    },
    get acknowledged() {
      return kept.filter(({ chat, time }) => (marked.get(fold(chat)) ?? 0) >= time).map(({ id }) => id);
    },
    async [Symbol.asyncDispose]() {
      clients.forEach(({ socket }) => socket.destroy());
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The lines of one send are one message to who reads them. */
function together(lines: readonly Kept[]): Seen[] {
  const sends = new Map<string, Kept[]>();
  for (const line of lines) {
    const send = line.tags[TOKEN_TAG]?.split('.')[0] ?? line.id;
    sends.set(send, [...(sends.get(send) ?? []), line]);
  }
  return [...sends.values()].map((parts) => {
    const raw = parts.map(({ text }) => text).join('');
    const replyTo = parts[0]!.tags['+draft/reply'];
    return { id: parts[0]!.id, text: withoutCodes(raw), raw, reactions: [], ...(replyTo ? { replyTo } : {}) };
  });
}
