/**
 * Keeps one connection to the SMTP server for a while, logged in, so that an answer waits for no greeting; one that the
 * server closed meanwhile is replaced before anything of the mail has left.
 */
import type SmtpConnectionType from 'nodemailer/lib/smtp-connection';
import { AppError, ignoreOutcome } from '../../sdk/index.ts';
import type { ServerLogin } from './login.ts';
import { handOver, openSmtp, type OutgoingMail } from './smtp.ts';

export interface SmtpLine extends AsyncDisposable {
  /** An answer is being written: the connection is opened meanwhile. */
  warm(): void;
  /** Resolves with the recipients the server refused, once it has the mail for the others. */
  submit(mail: OutgoingMail): Promise<readonly string[]>;
}

/** Servers close what rests after half a minute or more. */
const KEEP_MS = 20_000;

interface State {
  kept: SmtpConnectionType | undefined;
  opening: Promise<void> | undefined;
  timer: NodeJS.Timeout | undefined;
  closed: boolean;
}

export function createSmtpLine(login: ServerLogin, signal: AbortSignal): SmtpLine {
  const state: State = { kept: undefined, opening: undefined, timer: undefined, closed: false };

  function take(): SmtpConnectionType | undefined {
    clearTimeout(state.timer);
    const { kept } = state;
    state.kept = undefined;
    return kept;
  }
  async function open(): Promise<SmtpConnectionType> {
    const connection = await openSmtp(login, signal);
    connection.once('end', () => void (state.kept === connection && take()));
    return connection;
  }
  function keep(connection: SmtpConnectionType): void {
    if (state.closed || state.kept) return end(connection);
    state.kept = connection;
    state.timer = setTimeout(() => end(take()), KEEP_MS).unref();
  }
  async function send(connection: SmtpConnectionType, mail: OutgoingMail) {
    const done = await handOver(connection, { login, signal }, mail);
    if ('refused' in done) keep(connection);
    else end(connection);
    return done;
  }

  return {
    warm() {
      if (state.kept || state.opening || state.closed) return;
      // That it cannot be opened is told by the mail that needs it.
      state.opening = ignoreOutcome(open().then(keep)).finally(() => (state.opening = undefined));
    },
    async submit(mail) {
      await state.opening;
      const kept = take();
      const first = kept && (await send(kept, mail));
      const done = first && !isStale(first) ? first : await send(await open(), mail);
      if ('refused' in done) return done.refused;
      throw done.error;
    },
    async [Symbol.asyncDispose]() {
      state.closed = true;
      end(take());
      await state.opening;
    },
  };
}

/** The server had ended it, and has nothing of the mail. */
const isStale = (done: Awaited<ReturnType<typeof handOver>>): boolean =>
  'error' in done && !done.sent && done.error instanceof AppError && done.error.code === 'unavailable';

function end(connection: SmtpConnectionType | undefined): void {
  connection?.quit();
  connection?.close();
}
