/** Runs real IRC servers on free ports, and test users with a minimal client. */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { accessSync, chmodSync, constants } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { connect, createServer, type AddressInfo } from 'node:net';
import { delimiter, join } from 'node:path';
import { tempDir } from '../../testing/temp-dir.ts';
import { until } from '../../testing/until.ts';
import { wordsOf } from './formatting.ts';

/** Where a program is, or undefined. */
export function programAt(name: string): string | undefined {
  return ['/usr/sbin', '/sbin', ...(process.env['PATH'] ?? '').split(delimiter)]
    .map((folder) => join(folder, name))
    .find((path) => {
      try {
        accessSync(path, constants.X_OK);
        return true;
      } catch (error) {
        if (error instanceof Error) return false;
        throw error;
      }
    });
}

/** False: it runs; else why the tests of it are skipped. */
export const lacks = (...programs: readonly string[]): string | false => {
  const missing = programs.filter((name) => programAt(name) === undefined);
  return missing.length > 0 && `${missing.join(' and ')} is not installed (apt-get install ${missing.join(' ')})`;
};

export interface RealServer extends AsyncDisposable {
  readonly port: number;
  readonly tlsPort: number;
  /** The certificate it signed itself. */
  readonly certificate: string;
  /** As a power cut does it. */
  kill(): Promise<void>;
  start(): Promise<void>;
  /** Somebody with a client. */
  person(nick: string): Promise<Person>;
}

export interface Person extends Disposable {
  say(line: string): void;
  /** The first line that fits, raw; those before it are gone. */
  receives(fits: RegExp): Promise<string>;
  /** Words said to a target, the codes of formatting taken away. */
  words(target: string): readonly string[];
  readonly raw: readonly string[];
}

export interface RealOptions {
  readonly password?: string;
}

const MODULES =
  'cap ircv3 ircv3_accounttag ircv3_batch ircv3_echomessage ircv3_labeledresponse ircv3_msgid ircv3_servertime ' +
  'ircv3_ctctags services_account blockcolor ssl_gnutls sslinfo';

/** InspIRCd, with TLS and what it has of IRCv3. */
export const startInspircd = (options: RealOptions = {}): Promise<RealServer> =>
  startReal('inspircd', options, ({ port, tlsPort, dir }) => ({
    args: ['--nofork', '--runasroot', '--nopid', `--config=${join(dir, 'server.conf')}`],
    config: [
      '<server name="irc.test" description="test" network="Test">',
      '<admin name="a" nick="a" email="a@b.test">',
      `<bind address="127.0.0.1" port="${port}" type="clients">`,
      `<bind address="127.0.0.1" port="${tlsPort}" type="clients" sslprofile="tls">`,
      `<sslprofile name="tls" provider="gnutls" certfile="${dir}/cert.pem" keyfile="${dir}/key.pem" hash="sha256">`,
      `<connect name="all" allow="*" ${options.password ? `password="${options.password}"` : ''} timeout="10"` +
        ' localmax="100" globalmax="100" fakelag="no" commandrate="100000" threshold="100" hardsendq="1M"' +
        ' recvq="64K" resolvehostnames="no" useconnectban="no">',
      '<performance quietbursts="yes"><options defaultmodes="not"><dns server="127.0.0.1" timeout="1">',
      ...MODULES.split(' ').map((module) => `<module name="${module}">`),
    ].join('\n'),
  }));

/** ngIRCd: plain IRC, nothing of IRCv3 that helps. */
export const startNgircd = (options: RealOptions = {}): Promise<RealServer> =>
  startReal('ngircd', options, ({ port, dir }) => ({
    args: ['-n', '-f', join(dir, 'server.conf')],
    config: [
      '[Global]\nName = irc.test\nInfo = test\nAdminInfo1 = a\nAdminEMail = a@b.test\nListen = 127.0.0.1',
      `Ports = ${port}\n${options.password ? `Password = ${options.password}` : ''}`,
      '[Limits]\nMaxConnectionsIP = 0\nMaxPenaltyTime = 0\nMaxNickLength = 20',
      '[Options]\nDNS = no\nIdent = no\nPAM = no\nMorePrivacy = no\nSyslogFacility = local1\n',
    ].join('\n'),
  }));

interface Ground {
  readonly port: number;
  readonly tlsPort: number;
  readonly dir: string;
}

async function startReal(
  program: string,
  _options: RealOptions,
  make: (ground: Ground) => { readonly args: readonly string[]; readonly config: string },
): Promise<RealServer> {
  const dir = await tempDir('irc-server');
  chmodSync(dir.path, 0o755);
  const [port, tlsPort] = [await freePort(), await freePort()];
  const { args, config } = make({ port, tlsPort, dir: dir.path });
  await writeFile(join(dir.path, 'server.conf'), `${config}\n`);
  if (program === 'inspircd') selfSigned(dir.path);
  const state: { child?: ChildProcess; output: string } = { output: '' };

  async function start(): Promise<void> {
    const child = spawn(programAt(program)!, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    state.child = child;
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (state.output += String(chunk)));
    await until(async () => {
      if (child.exitCode !== null) throw new Error(`${program} ended: ${state.output.slice(-2000)}`);
      return isListening(port);
    }, `${program} to listen`);
  }
  async function kill(): Promise<void> {
    const { child } = state;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const gone = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await gone;
  }
  await start();
  const people: Person[] = [];
  return {
    port,
    tlsPort,
    certificate: join(dir.path, 'cert.pem'),
    kill,
    start,
    async person(nick) {
      const person = await connectPerson(port, nick, _options.password);
      people.push(person);
      return person;
    },
    async [Symbol.asyncDispose]() {
      for (const person of people) person[Symbol.dispose]();
      await kill();
      await dir[Symbol.asyncDispose]();
    },
  };
}

function selfSigned(dir: string): void {
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1'];
  const files = ['-keyout', join(dir, 'key.pem'), '-out', join(dir, 'cert.pem')];
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
  execFileSync('openssl', ['req', '-x509', ...kind, ...subject, ...files], { stdio: 'ignore' });
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

const isListening = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => (socket.destroy(), resolve(true)));
    socket.on('error', () => resolve(false));
  });

async function connectPerson(port: number, nick: string, password: string | undefined): Promise<Person> {
  const socket = connect(port, '127.0.0.1');
  const raw: string[] = [];
  const state = { rest: '', read: 0 };
  socket.setEncoding('utf8');
  socket.on('error', () => undefined);
  socket.on('data', (chunk: string) => {
    const lines = (state.rest + chunk).split('\r\n');
    state.rest = lines.pop()!;
    for (const line of lines) {
      if (line.startsWith('PING')) socket.write(`${line.replace('PING', 'PONG')}\r\n`);
      raw.push(line);
    }
  });
  const person: Person = {
    raw,
    say: (line) => void socket.write(`${line}\r\n`),
    async receives(fits) {
      const find = (): number => raw.findIndex((line, at) => at >= state.read && fits.test(line));
      await until(() => find() >= 0, `${nick} to hear ${fits}, out of ${raw.slice(-6).join(' | ')}`);
      state.read = find() + 1;
      return raw[state.read - 1]!;
    },
    words: (target) =>
      raw.flatMap((line) => {
        const found = new RegExp(`^(?:@\\S+ )?:\\S+ PRIVMSG ${target} :(.*)$`).exec(line)?.[1];
        return found === undefined ? [] : [wordsOf(found)];
      }),
    [Symbol.dispose]: () => void socket.destroy(),
  };
  if (password) person.say(`PASS ${password}`);
  person.say(`NICK ${nick}`);
  person.say(`USER ${nick} 0 * :${nick}`);
  await person.receives(/ (?:376|422) /);
  return person;
}
