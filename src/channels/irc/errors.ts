/** Converts IRC error replies to ours: what happened, and what to do. Pure. */
import { AppError } from '../../sdk/index.ts';
import { fold } from './names.ts';
import type { IrcMessage } from './message.ts';

const REFUSED: Readonly<Record<string, string>> = {
  403: 'there is no such channel',
  404: 'the bot may not speak there (it is moderated, +m, or the bot is banned or quieted)',
  407: 'it goes to too many at once',
  415: 'only who is logged in with services may write to them (+R)',
  442: 'the bot is not in that channel',
  477: 'only who is logged in with services may speak there (+r, +M)',
  482: 'the bot is no operator there',
  486: 'only who is logged in with services may write to them (+R)',
  494: 'they take no private messages',
  531: 'they take no private messages from the bot',
  716: 'they take private messages only from those they accepted (+g)',
};
const BLOCKED_CODES = /colou?r|\+c\b|formatting/i;
const DEFAULT_WAIT_MS = 10_000;

export interface Refusal {
  readonly error: AppError;
  /** It was the formatting that was not taken. */
  readonly formatting: boolean;
}

/** Undefined: it was passed on. */
export function refusalOf(received: readonly IrcMessage[], target: string): Refusal | undefined {
  for (const message of received) {
    const found = refusal(message, target);
    if (found) return found;
  }
  return undefined;
}

function refusal({ command, params }: IrcMessage, target: string): Refusal | undefined {
  const said = params.at(-1) ?? '';
  const about = params.slice(1, -1).some((param) => fold(param) === fold(target));
  if (command === 'FAIL' && (params[0] === 'PRIVMSG' || params[0] === '*'))
    return { error: failed(params[1] ?? '', said, target), formatting: false };
  if (!about && command !== '263') return undefined;
  if (command === '401') return plain(new AppError('not_found', `${target} is not on the network now.`));
  if (command === '439' || command === '263')
    return plain(
      new AppError('rate_limited', `The IRC server asks to wait before ${target} is written to.`, {
        retryAfterMs: waitIn(said),
      }),
    );
  if (command === '400') return plain(new AppError('unavailable', `The IRC server could not pass it on (${said}).`));
  const why = REFUSED[command];
  if (why === undefined) return undefined;
  return {
    error: new AppError('denied', `The message to ${target} was not passed on: ${why}. The server says: ${said}`),
    formatting: command === '404' && BLOCKED_CODES.test(said),
  };
}

const plain = (error: AppError): Refusal => ({ error, formatting: false });

const failed = (code: string, said: string, target: string): AppError =>
  /INTERNAL|UNKNOWN_ERROR|TEMPORAR/.test(code)
    ? new AppError('unavailable', `The IRC server could not pass the message to ${target} on (${said}).`)
    : new AppError('denied', `The message to ${target} was not passed on. The server says: ${said}`);

function waitIn(said: string): number {
  const seconds = Number(/(\d{1,5}) ?s(?:ec|\b)/i.exec(said)?.[1]);
  return seconds > 0 ? seconds * 1000 : DEFAULT_WAIT_MS;
}
