/** A mail server nobody here wrote: Exim takes and sends, Dovecot keeps and shows, as Debian packages them. */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, writeFileSync } from 'node:fs';
import { connect, createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { tempDir } from '../../testing/temp-dir.ts';
import { until } from '../../testing/until.ts';

export const REAL_PASSWORD = 'real-mail-password';

export interface RealMail extends AsyncDisposable {
  readonly config: Readonly<Record<string, unknown>>;
  /** The certificate it signed itself. */
  readonly certificate: string;
  /** Where TLS begins by command. */
  readonly plainPorts: { readonly imapPort: number; readonly smtpPort: number };
  /** A mail as it comes from the internet: the server checks its sender and says so. `raw`: with its headers. */
  arrive(from: string, to: string, raw: string): void;
  /** What is in somebody's mailbox, in full, the oldest first. */
  mailsOf(person: string): readonly string[];
  flagsOf(person: string): readonly string[];
  /** As a power cut does it: IMAP alone. */
  kill(): Promise<void>;
  start(): Promise<void>;
}

const USER = 'Debian-exim';

function idOf(flag: '-u' | '-g'): number {
  return Number(execFileSync('id', [flag, USER], { encoding: 'utf8' }));
}

interface Ground {
  readonly dir: string;
  readonly ports: Readonly<Record<'smtps' | 'submission' | 'imap' | 'imaps', number>>;
  readonly uid: number;
  readonly gid: number;
}

/** `introspection`: where Dovecot asks whom an access token is of; it ends with the name of the query, `…?token=`. */
export async function startRealMail({ introspection }: { readonly introspection?: string } = {}): Promise<RealMail> {
  const temp = await tempDir('mail-server');
  const dir = temp.path;
  const [smtps, submission] = [await freePort(), await freePort()];
  const [imap, imaps] = [await freePort(), await freePort()];
  const ground: Ground = { dir, ports: { smtps, submission, imap, imaps }, uid: idOf('-u'), gid: idOf('-g') };
  for (const folder of ['', 'mail', 'spool', 'log', 'run', 'state']) {
    mkdirSync(join(dir, folder), { recursive: true });
    if (folder !== 'run') chownSync(join(dir, folder), ground.uid, ground.gid);
    chmodSync(join(dir, folder), 0o755);
  }
  selfSigned(dir, ground);
  const [eximConfig, dovecotConfig] = [join(dir, 'exim.conf'), join(dir, 'dovecot.conf')];
  writeFileSync(eximConfig, eximText(ground));
  const oauthConfig = join(dir, 'dovecot-oauth2.conf');
  if (introspection !== undefined) writeFileSync(oauthConfig, oauthText(introspection));
  writeFileSync(dovecotConfig, dovecotText(ground, introspection === undefined ? '' : tokenDb(oauthConfig)));
  const exim = run('/usr/sbin/exim4', [
    '-C',
    eximConfig,
    '-bdf',
    '-oX',
    `127.0.0.1.${smtps} : 127.0.0.1.${submission}`,
    '-q1h',
  ]);
  const state: { dovecot?: Program } = {};
  const start = async (): Promise<void> => {
    state.dovecot = run('/usr/sbin/dovecot', ['-F', '-c', dovecotConfig]);
    await state.dovecot.listens(imap);
  };
  await Promise.all([exim.listens(smtps), start()]);
  const doveadm = (...args: readonly string[]): string =>
    execFileSync('doveadm', ['-c', dovecotConfig, ...args], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  return {
    certificate: join(dir, 'cert.pem'),
    plainPorts: { imapPort: imap, smtpPort: submission },
    config: {
      address: 'clawd@example.test',
      imapHost: 'localhost',
      imapPort: imaps,
      smtpHost: 'localhost',
      smtpPort: smtps,
      authservIds: ['mx.example.test'],
      tlsCaFile: join(dir, 'cert.pem'),
    },
    arrive(from, to, raw) {
      const envelope = `EHLO example.org\nMAIL FROM:<${from}>\nRCPT TO:<${to}>\n`;
      const input = `${envelope}DATA\n${raw.replace(/^\./gm, '..')}\n.\nQUIT\n`;
      const said = execFileSync('/usr/sbin/exim4', ['-C', eximConfig, '-odf', '-bs', '-oMa', '192.0.2.9'], {
        input: input.replaceAll('\n', '\r\n'),
        encoding: 'utf8',
      });
      if (!/^250 OK id=/m.test(said)) throw new Error(`Exim did not take the mail: ${said}`);
    },
    mailsOf: (person) =>
      doveadm('fetch', '-u', person, 'text', 'mailbox', 'INBOX')
        .split(/^\f?text:\r?\n/m)
        .slice(1)
        .map((text) => text.replaceAll('\r\n', '\n')),
    flagsOf: (person) =>
      doveadm('fetch', '-u', person, 'flags', 'mailbox', 'INBOX')
        .split('\n')
        .filter((line) => line.startsWith('flags:')),
    kill: async () => state.dovecot?.kill(),
    start,
    async [Symbol.asyncDispose]() {
      await exim.kill();
      await state.dovecot?.kill();
      await temp[Symbol.asyncDispose]();
    },
  };
}

/** Takes mail for its own domain from everybody and writes down who sent it; sends for who logs in. */
const eximText = ({ dir, ports }: Ground): string => `
primary_hostname = mx.example.test
spool_directory = ${dir}/spool
log_file_path = ${dir}/log/%s
pid_file_path = ${dir}/exim.pid
deliver_drop_privilege = true
local_interfaces = 127.0.0.1
tls_on_connect_ports = ${ports.smtps}
tls_certificate = ${dir}/cert.pem
tls_privatekey = ${dir}/key.pem
tls_advertise_hosts = *
host_lookup =
rfc1413_hosts =
queue_run_max = 0
acl_smtp_rcpt = rcpt
acl_smtp_data = data
message_size_limit = 5M
keep_environment =
never_users =
begin acl
rcpt:
  accept authenticated = *
  accept domains = example.test
         local_parts = clawd : ann : bob
  deny message = 5.1.1 no such mailbox
data:
  warn !authenticated = *
       set acl_m_dmarc = \${if match{$sender_address_domain}{\\N^evil\\N}{fail}{pass}}
       set acl_m_from = header.from=\${domain:\${address:$h_from:}}
       add_header = :at_start:Authentication-Results: mx.example.test;\\n\\tdmarc=$acl_m_dmarc $acl_m_from
  accept
begin routers
local:
  driver = accept
  transport = maildir
begin transports
maildir:
  driver = appendfile
  maildir_format
  directory = ${dir}/mail/\${filter{clawd:ann:bob}{eq{$item}{$local_part}}}
  create_directory
  directory_mode = 0755
begin retry
* * F,1h,1m
begin authenticators
plain:
  driver = plaintext
  public_name = PLAIN
  server_condition = \${if and{{eq{$auth2}{clawd@example.test}}{eq{$auth3}{${REAL_PASSWORD}}}}}
  server_set_id = $auth2
  server_prompts = :
xoauth2:
  driver = plaintext
  public_name = XOAUTH2
  server_condition = \${if match{$auth1}{\\N^user=clawd@example\\.test\\x01auth=Bearer access-\\d+\\x01\\x01$\\N}}
  server_set_id = clawd@example.test
  server_prompts = :
`;

/** Who shows a token is who the service says it is of. */
const oauthText = (introspection: string): string => `
introspection_mode = get
introspection_url = ${introspection}
username_attribute = email
active_attribute = active
active_value = true
`;
const tokenDb = (config: string): string => `
auth_mechanisms = plain xoauth2 oauthbearer
passdb {
  driver = oauth2
  mechanisms = xoauth2 oauthbearer
  args = ${config}
}
`;

const dovecotText = ({ dir, ports, uid, gid }: Ground, tokens: string): string => `
protocols = imap
listen = 127.0.0.1
base_dir = ${dir}/run
state_dir = ${dir}/state
log_path = ${dir}/log/dovecot
ssl = yes
ssl_cert = <${dir}/cert.pem
ssl_key = <${dir}/key.pem
disable_plaintext_auth = yes
mail_location = maildir:${dir}/mail/%n
first_valid_uid = 1
auth_username_format = %n
${tokens}
passdb {
  driver = static
  args = password=${REAL_PASSWORD}
}
userdb {
  driver = static
  args = uid=${uid} gid=${gid} home=${dir}/mail/%n
}
service imap-login {
  inet_listener imap {
    port = ${ports.imap}
  }
  inet_listener imaps {
    port = ${ports.imaps}
    ssl = yes
  }
}
`;

interface Program {
  listens(port: number): Promise<unknown>;
  kill(): Promise<void>;
}

function run(program: string, args: readonly string[]): Program {
  const child: ChildProcess = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (output += String(chunk)));
  return {
    listens: (port) =>
      until(async () => {
        if (child.exitCode !== null) throw new Error(`${program} ended: ${output.slice(-2000)}`);
        return isListening(port);
      }, `${program} to listen`),
    async kill() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const gone = new Promise((resolve) => child.once('exit', resolve));
      process.kill(-child.pid!, 'SIGKILL'); // with those it started
      await gone;
    },
  };
}

function selfSigned(dir: string, { uid, gid }: Ground): void {
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1'];
  const files = ['-keyout', join(dir, 'key.pem'), '-out', join(dir, 'cert.pem')];
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
  execFileSync('openssl', ['req', '-x509', ...kind, ...subject, ...files], { stdio: 'ignore' });
  chownSync(join(dir, 'key.pem'), uid, gid);
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
