/** Connects one mailbox: reads its folder, sends by SMTP, and joins the parts of this folder. */
import {
  AppError,
  createIntake,
  createProblemBoard,
  openWatermark,
  type ChannelAccount,
  type ChannelConnection,
  type ChatAddress,
  type OutboundMessage,
} from '../../sdk/index.ts';
import { createTokens } from './access-token.ts';
import { domainOf, peopleOf, senderEntry } from './addresses.ts';
import { composeMail, isOwnId } from './compose.ts';
import type { EmailConfig } from './config.ts';
import { imapError, openImap } from './imap-line.ts';
import { keepReading, type Reading } from './keep-reading.ts';
import { byPassword, type ServerLogin } from './login.ts';
import { downloadPart } from './mailbox.ts';
import { checkSmtp } from './smtp.ts';
import { createSmtpLine, type SmtpLine } from './smtp-line.ts';
import { createSweep } from './sweep.ts';
import { openThreads, type Threads } from './threads.ts';

type Account = ChannelAccount<EmailConfig>;

const CLOSE_MS = 4000;

type Unconnected = Pick<Account, 'config' | 'credentials' | 'signal' | 'log'> & Partial<Pick<Account, 'stateDir'>>;

/** How both servers are told who we are. */
function loginOf(account: Unconnected): ServerLogin {
  const { config, credentials } = account;
  const secret = config.auth === 'oauth2' ? createTokens(account) : byPassword(credentials['password'] ?? '');
  return { config, secret };
}

export async function verify(account: Unconnected): Promise<void> {
  const login = loginOf(account);
  const line = await openImap(login, account.signal);
  await line[Symbol.asyncDispose]();
  await checkSmtp(login, account.signal);
}

export async function connect(account: Account): Promise<ChannelConnection> {
  const { config, log, accountId } = account;
  await using opening = new AsyncDisposableStack();
  const login = loginOf(account);
  const problems = createProblemBoard(account.report);
  const stateDir = account.stateDir;
  const threads = opening.use(await openThreads({ stateDir, log }));
  const watermark = opening.use(await openWatermark({ stateDir, log, file: 'position.json' }));
  const intake = opening.use(createIntake({ log, closeMs: CLOSE_MS }));
  const smtp = opening.use(createSmtpLine(login, account.signal));
  const holder: { reading?: Reading } = {};
  const isOurs = (id: string): boolean => isOwnId(id, config.address);
  const sweep = createSweep({
    account,
    intake,
    watermark,
    problems,
    context: { accountId, config, threads, isOurs },
    line: async () => await ready(holder.reading),
    answering: () => smtp.warm(),
  });
  await checkSmtp(login, account.signal);
  const reading = await keepReading({
    login,
    log,
    signal: account.signal,
    sweep,
    onUp() {
      problems.set('connection', undefined);
      const self = { id: config.address, name: config.displayName ?? config.address, handle: config.address };
      account.report({ connected: true, mode: 'imap', self });
    },
    onDown(problem) {
      account.report({ connected: false });
      if (problem) problems.set('connection', problem);
    },
    onAlive: () => account.report({ alive: true }),
  });
  holder.reading = reading;
  opening.use(reading);
  const closing = opening.move();
  return {
    send: (to, message) => send(to, message, { account, smtp, threads }),
    async probe() {
      try {
        const { client } = await reading.ready();
        await client.noop();
        return { ok: true };
      } catch (error) {
        return { ok: false, detail: imapError(error, config).message };
      }
    },
    async download(ref, { maxBytes }) {
      const line = await reading.ready();
      return downloadPart(line, ref, maxBytes).catch((error: unknown) => {
        throw imapError(error, config);
      });
    },
    ended: reading.ended,
    async [Symbol.asyncDispose]() {
      await closing[Symbol.asyncDispose]();
      account.report({ connected: false });
    },
  };
}

async function ready(reading: Reading | undefined) {
  if (!reading) throw new AppError('unavailable', 'The mailbox is being opened.');
  return reading.ready();
}

interface SendDeps {
  readonly account: Account;
  readonly smtp: SmtpLine;
  readonly threads: Threads;
}

async function send(
  to: ChatAddress,
  message: OutboundMessage,
  { account, smtp, threads }: SendDeps,
): Promise<{ readonly messageIds: readonly string[] }> {
  const { config } = account;
  const stranger = peopleOf(to.chat).find((address) => !mayWriteTo(address, config, threads));
  if (stranger !== undefined && !threads.isKnown(to.chat.id))
    throw new AppError(
      'denied',
      `The bot may not write to ${stranger}: they never wrote to it, and no list names them. Add them to ` +
        'channels.email.sendTo if that is intended.',
    );
  const mail = await composeMail(to, message, { account, threads });
  const refused = await smtp.submit({ envelope: { from: config.address, to: mail.to }, raw: mail.raw });
  if (refused.length > 0) account.log.warn('email.refused', { recipients: refused.length });
  threads.note(mail.threadId, mail.noted);
  return { messageIds: [mail.id] };
}

function mayWriteTo(address: string, config: EmailConfig, threads: Threads): boolean {
  if (threads.isKnown(address)) return true;
  if (config.sendTo.some((entry) => entry === '*' || entry.toLowerCase() === `@${domainOf(address)}`)) return true;
  const listed = [...config.sendTo, ...config.allowFrom, ...(config.groupAllowFrom ?? [])];
  return listed.some((entry) => senderEntry(entry) === address);
}
