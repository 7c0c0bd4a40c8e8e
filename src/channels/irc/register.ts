/** Registers with a server: capabilities, nick, and SASL login. */
import { AppError } from '../../sdk/index.ts';
import type { IrcConfig } from './config.ts';
import type { IrcMessage } from './message.ts';
import type { Wire } from './wire.ts';

/** What we can make use of, by the names of IRCv3. */
const WANTED = [
  'account-notify',
  'account-tag',
  'batch',
  'chghost',
  'draft/chathistory',
  'draft/read-marker',
  'echo-message',
  'extended-join',
  'labeled-response',
  'message-tags',
  'sasl',
  'server-time',
  'soju.im/no-implicit-names',
];
const NICK_TRIES = 4;
const SASL_CHUNK = 400;

export interface Registered {
  readonly nick: string;
  /** Of IRCv3, those that are on. */
  readonly abilities: ReadonlySet<string>;
  /** What the server says of itself (005). */
  readonly limits: ReadonlyMap<string, string>;
  /** The services account SASL logged us in to. */
  readonly account?: string;
}

export interface Proof {
  readonly config: IrcConfig;
  readonly password: string | undefined;
  readonly serverPassword: string | undefined;
  /** The connection has a certificate of ours, which services may know. */
  readonly certified: boolean;
}

type Mechanism = 'EXTERNAL' | 'PLAIN';

interface Progress {
  nick: string;
  tries: number;
  account?: string;
  mechanism?: Mechanism | undefined;
  offered: Map<string, string>;
  readonly abilities: Set<string>;
  readonly limits: Map<string, string>;
}

/** Rejects with `auth` where the server or its services refuse us, and with `config` words where the nick is none. */
export async function register(wire: Wire, proof: Proof): Promise<Registered> {
  const { config, serverPassword } = proof;
  const now: Progress = { nick: config.nick, tries: 0, offered: new Map(), abilities: new Set(), limits: new Map() };
  wire.send('CAP', ['LS', '302']);
  if (serverPassword) wire.send('PASS', [serverPassword]);
  wire.send('NICK', [now.nick]);
  wire.send('USER', [config.username, '0', '*', config.realname]);
  for (;;) {
    const message = await wire.read();
    if (!message) throw wire.lost ?? new AppError('network', 'The server closed the connection.');
    if (step(message, { wire, proof, now })) return now;
  }
}

interface Step {
  readonly wire: Wire;
  readonly proof: Proof;
  readonly now: Progress;
}

/** True: we are in. */
function step(message: IrcMessage, at: Step): boolean {
  const { wire, now, proof } = at;
  const { command, params } = message;
  switch (command) {
    case 'CAP':
      negotiate(params, at);
      break;
    case 'AUTHENTICATE':
      authenticate(at);
      break;
    case '900':
      now.account = params[2] ?? now.nick;
      break;
    case '903':
      wire.send('CAP', ['END']);
      break;
    case '902':
    case '904':
    case '905':
    case '906':
    case '908':
      throw refusedAccount(params.at(-1));
    case '001':
      now.nick = params[0] ?? now.nick;
      break;
    case '005':
      for (const token of params.slice(1, -1)) {
        const [name = '', value = ''] = token.split('=');
        now.limits.set(name, value);
      }
      break;
    case '376':
    case '422':
      return true;
    case '433':
    case '436':
    case '437':
      nextNick(at);
      break;
    default:
      refuse(message, proof);
  }
  return false;
}

const refusedAccount = (said = 'no reason given'): AppError =>
  new AppError(
    'auth',
    `The network's services refused the account or its password (${said}). Correct channels.irc.account and ` +
      'channels.irc.password.',
  );

/** The numerics that end an introduction for good. */
function refuse({ command, params }: IrcMessage, { config }: Proof): void {
  const said = params.at(-1) ?? '';
  if (command === '432')
    throw new AppError('auth', `The server does not take the nick ${config.nick}. Choose another: channels.irc.nick.`);
  if (command === '464')
    throw new AppError('auth', 'The server refused its password. Correct channels.irc.serverPassword.');
  if (command === '465' || command === '463')
    throw new AppError('auth', `The server does not let this machine in (${said}). Ask its operators.`);
  if (command !== 'ERROR') return;
  if (/password|\bnot authori[sz]ed\b|access denied|SASL/i.test(said))
    throw new AppError('auth', `The server wants a proof (${said}). Set channels.irc.serverPassword or password.`);
  if (/[kgz]-?lined|banned/i.test(said))
    throw new AppError('auth', `The server does not let this machine in (${said}). Ask its operators.`);
  throw new AppError('unavailable', `The server ended the connection: ${said || 'no reason given'}.`);
}

function negotiate(params: readonly string[], { wire, proof, now }: Step): void {
  const [, verb = '', ...rest] = params;
  const names = (rest.at(-1) ?? '').split(' ').filter((name) => name !== '');
  if (verb === 'LS') {
    for (const name of names) {
      const [ability = '', value = ''] = name.split('=');
      now.offered.set(ability, value);
    }
    if (rest[0] === '*') return; // more to come
    now.mechanism = mechanismFor(proof, now);
    const sasl = now.mechanism !== undefined;
    const wanted = WANTED.filter((name) => now.offered.has(name) && (name !== 'sasl' || sasl));
    wire.send('CAP', wanted.length > 0 ? ['REQ', wanted.join(' ')] : ['END']);
  } else if (verb === 'ACK') {
    for (const name of names) now.abilities.add(name);
    if (now.abilities.has('sasl')) wire.send('AUTHENTICATE', [now.mechanism ?? 'PLAIN']);
    else wire.send('CAP', ['END']);
  } else if (verb === 'NAK') wire.send('CAP', ['END']);
}

/** A certificate needs no secret to leave this machine, so it comes first. */
function mechanismFor({ config, password, certified }: Proof, { offered }: Progress): Mechanism | undefined {
  if (config.auth === 'nickserv') return undefined;
  const methods = offered.get('sasl');
  const has = (name: Mechanism): boolean =>
    methods !== undefined && (methods === '' || methods.split(',').includes(name));
  if (certified && has('EXTERNAL')) return 'EXTERNAL';
  if (password && has('PLAIN')) return 'PLAIN';
  if (config.auth !== 'sasl' || !(password || certified)) return undefined;
  const wanted = certified && !password ? 'EXTERNAL' : 'PLAIN';
  throw new AppError(
    'auth',
    `The server does not offer SASL ${wanted}. Set channels.irc.auth to "nickserv" or "auto".`,
  );
}

function authenticate({ wire, now, proof: { config, password = '' } }: Step): void {
  if (now.mechanism === 'EXTERNAL') return wire.send('AUTHENTICATE', ['+']); // the certificate says who we are
  const account = config.account ?? config.nick;
  const proof = Buffer.from(`\0${account}\0${password}`).toString('base64');
  const chunks = proof.match(new RegExp(`.{1,${SASL_CHUNK}}`, 'g')) ?? [];
  for (const chunk of chunks) wire.send('AUTHENTICATE', [chunk]);
  if (proof.length % SASL_CHUNK === 0) wire.send('AUTHENTICATE', ['+']);
}

/** Somebody has the nick: the bot is called nearly so until it is free. */
function nextNick({ wire, proof: { config }, now }: Step): void {
  now.tries += 1;
  if (now.tries > NICK_TRIES)
    throw new AppError('unavailable', `The nick ${config.nick} and those like it are in use. Choose another.`);
  now.nick = `${config.nick}${'_'.repeat(now.tries)}`;
  wire.send('NICK', [now.nick]);
}
