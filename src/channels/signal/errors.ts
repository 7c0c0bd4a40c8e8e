/** Converts errors of signal-cli to ours: what happened, and what to do. Pure. */
import { AppError, head } from '../../sdk/index.ts';

/** One recipient's outcome of a send. */
export interface SendResult {
  readonly recipientAddress?: { readonly number?: string | null; readonly uuid?: string | null };
  readonly type?: string;
  readonly retryAfterSeconds?: number | null;
}

/** As it comes: what is not of this form says nothing. */
interface RpcFailure {
  readonly code?: unknown;
  readonly message?: unknown;
  readonly data?: { readonly response?: { readonly results?: unknown } } | null;
}

const RATE_LIMIT = -5;
const CAPTCHA = -6;
const UNTRUSTED = -4;
const IO = -3;
const DEFAULT_WAIT_MS = 30_000;

const GONE = /not registered|authorization failed|unauthorized|specified account does not exist|unlinked|\[40[13]\]/i;

export const REGISTER_FIX =
  'Register or link it: `signal-cli -a <number> register`, or `signal-cli link -n Clawdbot` and scan the code, then ' +
  'restart the channel.';

/** `recipient`: the message is about a person who is not on Signal, not about the account. */
export function rpcError(method: string, error: unknown, account: string): AppError {
  const failure = error as RpcFailure;
  const said = head(typeof failure.message === 'string' ? failure.message : 'no reason given', 300);
  const results = failure.data?.response?.results;
  const outcomes = Array.isArray(results) ? (results as readonly (SendResult | null)[]) : [];
  const failed = outcomes.find((one) => one?.type !== undefined && one.type !== 'SUCCESS');
  if (failed) return resultError(failed);
  if (failure.code === RATE_LIMIT) return limited(undefined);
  if (failure.code === CAPTCHA) return new AppError('denied', `Signal asks for a captcha before ${method}: ${said}`);
  if (failure.code === UNTRUSTED) return untrusted('a person in this chat');
  if (GONE.test(said) && !/^the user /i.test(said))
    return new AppError('auth', `Signal does not accept the account ${account} (${said}). ${REGISTER_FIX}`);
  if (failure.code === -32_601)
    return new AppError('unsupported', `This signal-cli does not know ${method}; update it.`);
  if (failure.code === IO) return new AppError('network', `signal-cli could not finish ${method}: ${said}`);
  if (/group not found|not a group member|not found/i.test(said))
    return new AppError('not_found', `Signal ${method}: ${said}`, { details: { said } });
  if (/not allowed|is not registered|blocked/i.test(said))
    return new AppError('denied', `Signal refused ${method}: ${said}`, { details: { said } });
  return new AppError('invalid', `Signal refused ${method}: ${said}`, { details: { said } });
}

/** The error of a send that reached nobody. */
export function resultError({ type = '', recipientAddress, retryAfterSeconds }: SendResult): AppError {
  const who = recipientAddress?.number ?? recipientAddress?.uuid ?? 'the recipient';
  if (type === 'UNREGISTERED_FAILURE') return new AppError('denied', `${who} is not on Signal.`);
  if (type === 'IDENTITY_FAILURE') return untrusted(who);
  if (type === 'RATE_LIMIT_FAILURE') return limited(retryAfterSeconds ?? undefined);
  return new AppError('network', `Signal did not take the message to ${who} (${type}); whether it arrives is unknown.`);
}

const limited = (seconds: number | undefined): AppError =>
  new AppError('rate_limited', 'Signal asks to wait before the next message.', {
    retryAfterMs: seconds === undefined ? DEFAULT_WAIT_MS : seconds * 1000,
  });

const untrusted = (who: string): AppError =>
  new AppError(
    'denied',
    `The safety number with ${who} changed: nothing is sent to them until it is trusted again. Compare it with them, ` +
      'then run `signal-cli -a <account> trust -v <safety number> <number>`.',
    { details: { untrusted: who } },
  );
