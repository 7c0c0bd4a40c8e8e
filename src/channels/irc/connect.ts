/** Connects one account: dials, registers, joins its rooms, and wires up this folder's parts. */
import {
  AppError,
  createIntake,
  createProblemBoard,
  dial,
  orTimeout,
  setNewest,
  ignoreOutcome,
  type ChannelAccount,
  type ChannelConnection,
  type ProblemBoard,
} from '../../sdk/index.ts';
import { roomsOf, type IrcConfig } from './config.ts';
import { findSent, isHistory, keepsHistory, missed, openMarks, type Marks } from './history.ts';
import type { IrcMessage } from './message.ts';
import { fold, isRoom } from './names.ts';
import { createPace } from './pace.ts';
import { createPeople, type People } from './people.ts';
import { createReceive, type Receive } from './receiver.ts';
import { register } from './register.ts';
import { createRequests, type Requests } from './requests.ts';
import { createRooms, type Rooms } from './rooms.ts';
import { createSend, targetOf } from './send.ts';
import { createServices, refusedByServices, type Services } from './services.ts';
import { openSession, type Line, type Session } from './session.ts';
import { nickOf } from './current-nick.ts';
import { createWire } from './wire.ts';

type Account = ChannelAccount<IrcConfig>;

const DIAL_MS = 15_000;
const REGISTER_MS = 40_000;
const CLOSE_MS = 4000;
const MAX_OWN = 500;

interface Parts {
  readonly account: Account;
  readonly problems: ProblemBoard;
  readonly people: People;
  readonly requests: Requests;
  readonly rooms: Rooms;
  readonly services: Services;
  readonly marks: Marks;
  readonly receive: Receive;
  /** Messages that come while what was missed is fetched. */
  readonly held: { messages: IrcMessage[] | undefined; catching: Promise<void> | undefined };
}

export async function connect(account: Account): Promise<ChannelConnection> {
  const { config, log } = account;
  await using opening = new AsyncDisposableStack();
  const problems = createProblemBoard(account.report);
  const marks = opening.use(await openMarks(account));
  const intake = opening.use(createIntake({ log, closeMs: CLOSE_MS }));
  const requests = createRequests();
  const own = new Map<string, true>();
  const holder: { session?: Session } = {};
  const people = createPeople(() => holder.session?.line?.who.abilities.has('account-tag') ?? false);
  const parts: Parts = {
    account,
    problems,
    people,
    requests,
    marks,
    rooms: createRooms(roomsOf(config), problems),
    services: createServices(config, account.credentials['password'], problems),
    receive: createReceive({ account, intake, people, marks, isOurs: (id) => own.has(id) }),
    held: { messages: undefined, catching: undefined },
  };
  const session = await openSession({
    log,
    signal: account.signal,
    open: (signal) => openLine(account, signal),
    onUp: (line) => up(line, parts),
    onDown(problem) {
      requests.lost(new AppError('network', 'The connection to the IRC server broke.'));
      account.report({ connected: false });
      if (problem) problems.set('connection', problem);
    },
    onMessage: (message, line) => take(message, line, { parts, end: (why) => holder.session?.end(why) }),
  });
  holder.session = session;
  opening.use(session);
  const closing = opening.move();
  return {
    ...abilities({ ...parts, session, onSent: (id) => void setNewest(own, id, true, MAX_OWN) }),
    ended: session.ended,
    async [Symbol.asyncDispose]() {
      requests.lost(new AppError('aborted', 'The account was closed.'));
      await closing[Symbol.asyncDispose]();
      account.report({ connected: false });
    },
  };
}

async function openLine(account: Account, signal: AbortSignal): Promise<Line> {
  const { host, port, tls, tlsCaFile } = account.config;
  const socket = await dial({
    host,
    port: port ?? (tls ? 6697 : 6667),
    tls: tls ? { caFile: tlsCaFile, identity: account.credentials['certificate'] } : undefined,
    timeoutMs: DIAL_MS,
    signal,
  }).catch((error: unknown) => {
    throw withAdvice(error);
  });
  const wire = createWire({ socket, onAlive: () => account.report({ alive: true }) });
  const stopped = (): void => wire.drop(new AppError('aborted', 'The connection was given up.'));
  signal.addEventListener('abort', stopped, { once: true });
  try {
    const { password, serverPassword, certificate } = account.credentials;
    const certified = tls && certificate !== undefined;
    const registered = register(wire, { config: account.config, password, serverPassword, certified });
    const who = await orTimeout(registered, {
      ms: REGISTER_MS,
      error: () => new AppError('timeout', `${host} did not let the bot in within ${REGISTER_MS / 1000} s.`),
    });
    return { wire, who };
  } catch (error) {
    await wire[Symbol.asyncDispose]();
    throw error;
  } finally {
    signal.removeEventListener('abort', stopped);
  }
}

function withAdvice(error: unknown): unknown {
  if (!(error instanceof AppError)) return error;
  const advice = error.details?.['certificate']
    ? 'If the server signs its own, put its certificate into a file and name it in channels.irc.tlsCaFile.'
    : error.details?.['plain']
      ? 'Set channels.irc.port to the TLS port, or channels.irc.tls to false.'
      : undefined;
  return advice === undefined ? error : new AppError(error.code, `${error.message} ${advice}`, { cause: error });
}

function up(line: Line, parts: Parts): void {
  const { account, problems, people, services, rooms } = parts;
  const { who } = line;
  people.forget();
  problems.set('connection', undefined);
  services.identify(line);
  rooms.joinAll(line.wire);
  reportNick(line, parts);
  account.report({
    connected: true,
    mode: account.config.tls ? 'tls' : 'plain',
    self: { id: fold(who.account ?? who.nick), name: who.nick, handle: who.nick },
  });
  if (account.config.catchUp && keepsHistory(line)) parts.held.catching = catchUp(line, parts);
}

function reportNick({ who }: Line, { account: { config }, problems }: Parts): void {
  problems.set(
    'nick',
    fold(who.nick) === fold(config.nick)
      ? undefined
      : {
          kind: 'config',
          message: `The nick ${config.nick} is in use: the bot is called ${who.nick}.`,
          fix: 'Free it (for an account of its own: /msg NickServ GHOST), or choose another in channels.irc.nick.',
        },
  );
}

/** What comes meanwhile waits for what was missed. */
async function catchUp(line: Line, { account, requests, marks, receive, held }: Parts): Promise<void> {
  const began = new Date().toISOString();
  held.messages = [];
  try {
    const found = await missed(line, { requests, marks, rooms: roomsOf(account.config).keys() });
    const seen = new Set(found.map(({ tags }) => tags.get('msgid')));
    const waiting = held.messages.filter(({ tags }) => !seen.has(tags.get('msgid') ?? ''));
    held.messages = undefined;
    await Promise.all([...found, ...waiting].map((message) => receive(message, line)));
    marks.moveTo(began);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    account.log.warn('irc.catch-up', { code: error.code, reason: error.message });
    const waiting = held.messages ?? [];
    held.messages = undefined;
    for (const message of waiting) offer(message, line, receive);
  }
}

/** A message that could not be taken was told of by the intake. */
const offer = (message: IrcMessage, line: Line, receive: Receive): void => void ignoreOutcome(receive(message, line));

interface Taking {
  readonly parts: Parts;
  end(why: AppError): void;
}

function take(message: IrcMessage, line: Line, { parts, end }: Taking): void {
  const { requests, rooms, services, held, receive } = parts;
  if (requests.take(message) || isHistory(message)) return;
  if (message.command === 'PRIVMSG') {
    if (held.messages) held.messages.push(message);
    else offer(message, line, receive);
    return;
  }
  const known = services.take(message);
  if (known === 'refused') return end(refusedByServices());
  if (known === 'known') rooms.joinRest(line.wire);
  rooms.take(message, { nick: line.who.nick, wire: line.wire });
  follow(message, line, parts);
}

/** Who is who, and who we are. */
function follow({ command, params, nick, source }: IrcMessage, line: Line, parts: Parts): void {
  const { people, account } = parts;
  const [first = '', second = ''] = params;
  const self = fold(nick) === fold(line.who.nick);
  if (command === 'NICK' && self) {
    line.who.nick = first;
    reportNick(line, parts);
  } else if (command === 'NICK') people.moved(nick, first);
  else if (command === 'JOIN' && !self && line.who.abilities.has('extended-join')) people.know(nick, source, second);
  else if (command === 'ACCOUNT') people.know(nick, source, first);
  else if (command === 'QUIT') people.left(nick);
  const wanted = account.config.nick;
  const freed = (command === 'QUIT' || command === 'NICK') && !self && fold(nick) === fold(wanted);
  if (freed && fold(line.who.nick) !== fold(wanted)) line.wire.send('NICK', [wanted]);
}

interface Able extends Parts {
  readonly session: Session;
  onSent(id: string): void;
}

function abilities({
  account,
  requests,
  people,
  session,
  onSent,
}: Able): Omit<ChannelConnection, typeof Symbol.asyncDispose | 'ended'> {
  const find = (person: string, line: Line): Promise<string> => nickOf(person, line, { people, requests });
  return {
    send: createSend({
      config: account.config,
      pace: createPace(account.config),
      requests,
      signal: account.signal,
      line: session.ready,
      nickOf: find,
      onSent,
    }),
    async readBack(to, token, { since }) {
      const line = await session.ready();
      const target = await targetOf(to, line, { nickOf: find });
      return findSent(line, requests, { target, token, since });
    },
    async typing(to) {
      const line = await session.ready();
      const target = isRoom(to.chat.id) ? to.chat.id : await find(to.chat.id, line);
      if (line.who.abilities.has('message-tags'))
        await requests.ask(line.wire, (wire) => wire.send('TAGMSG', [target], { '+typing': 'active' }));
    },
    async probe(signal) {
      try {
        await requests.ask((await session.ready()).wire, () => undefined, signal);
        return { ok: true };
      } catch (error) {
        if (error instanceof AppError) return { ok: false, detail: error.message };
        throw error;
      }
    },
  };
}
