/** Converts WhatsApp's disconnect and refusal reasons to ours: what happened, and what to do. Pure. */
import { PUBLIC_COMMAND } from '../../sdk/own-command.ts';
import { AppError, present, type ChannelProblem } from '../../sdk/index.ts';

const LOGIN_COMMAND = `${PUBLIC_COMMAND} channels login --channel whatsapp`;
export const LOGIN = `Log in again on the Channels page, or with \`${LOGIN_COMMAND}\`.`;

/** The library puts the status of WhatsApp into its errors. */
export function statusOf(error: unknown): number | undefined {
  const output = (error as { readonly output?: { readonly statusCode?: unknown } } | undefined)?.output;
  return typeof output?.statusCode === 'number' ? output.statusCode : undefined;
}

const auth = (message: string, more: Record<string, unknown> = {}): AppError =>
  new AppError('auth', message, { details: { fix: LOGIN, ...more } });

/** The connection itself. `auth`: another attempt changes nothing. */
export function disconnected(error: unknown): AppError {
  const said = error instanceof Error ? error.message : 'no reason given';
  switch (statusOf(error)) {
    case 401:
      return auth('WhatsApp logged this device out: it was removed on the phone, or unused for too long.', {
        loggedOut: true,
      });
    case 403:
      return auth('WhatsApp does not let this account in (403): it may be banned. Open WhatsApp on the phone.');
    case 411:
      return auth('WhatsApp says that the phone does not support linked devices (411). Update WhatsApp on the phone.');
    case 419:
      return auth('WhatsApp does not accept the login of this device any more (419).');
    case 405:
      return new AppError('unsupported', 'WhatsApp refuses this version of WhatsApp Web (405).', {
        cause: error,
        details: { fix: 'Update Clawdbot, or set channels.whatsapp.webVersion to the current version.' },
      });
    case 440:
      return new AppError('unavailable', 'Another program connected with the same linked device.', {
        cause: error,
        details: { fix: 'Stop the other program, or log in here as a device of its own.' },
      });
    case 500:
      return new AppError('unavailable', 'WhatsApp did not accept the session of this device (500).', {
        cause: error,
        details: { fix: `If it stays so: ${LOGIN}` },
      });
    case 515:
      return new AppError('network', 'WhatsApp asked for a new connection.', {
        cause: error,
        details: { again: true },
      });
    default:
      return new AppError('network', `The connection to WhatsApp ended: ${said}.`, { cause: error });
  }
}

/** WhatsApp asked to come again at once. */
export const comesAgain = ({ details }: AppError): boolean => details?.['again'] === true;

export const problemOf = ({ message, details }: AppError): ChannelProblem => {
  const fix = details?.['fix'];
  return present({ kind: 'runtime', message, fix: typeof fix === 'string' ? fix : undefined });
};

const WAIT_MS = 10_000;

/** The answer to one message: the code of its acknowledgement. */
export function refused(code: string, jid: string): AppError {
  switch (code) {
    case '429':
      return new AppError('rate_limited', 'WhatsApp limits how fast this account may write.', {
        retryAfterMs: WAIT_MS,
      });
    case '401':
    case '403':
      return new AppError('denied', `WhatsApp does not let this account write to ${jid} (${code}).`);
    case '404':
      return new AppError('not_found', `${jid} is not on WhatsApp.`);
    case '463':
      return new AppError(
        'denied',
        `WhatsApp does not let this account begin a conversation with ${jid} (463). They have to write first.`,
      );
    default:
      return /^5\d\d$/.test(code)
        ? new AppError('unavailable', `WhatsApp could not take the message to ${jid} (${code}).`)
        : new AppError('denied', `WhatsApp refused the message to ${jid} (${code}).`);
  }
}

/** The file reached none of WhatsApp's servers; the message was not sent. */
export const isUploadFailure = (error: unknown): boolean =>
  error instanceof AppError && error.details?.['upload'] === 'failed';

/** What the library throws, as ours. */
export async function attempted<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof AppError) throw error;
    const status = statusOf(error);
    const said = error instanceof Error ? error.message : String(error);
    if (status === 404 || status === 406)
      throw new AppError('not_found', `WhatsApp does not know that chat (${said}).`, { cause: error });
    if (status === 401 || status === 403)
      throw new AppError('denied', `WhatsApp does not allow that (${said}).`, { cause: error });
    if (status === 429)
      throw new AppError('rate_limited', 'WhatsApp limits how fast this account may act.', {
        cause: error,
        retryAfterMs: 10_000,
      });
    const details = said.startsWith('Media upload failed') ? { upload: 'failed' } : undefined;
    throw new AppError('network', `WhatsApp could not be reached: ${said}.`, { cause: error, ...present({ details }) });
  }
}
