/** Detects a second program polling with the same token: each interrupts the other's every second poll. */
import { AppError, backoff, type Clock, type Log, type ProblemBoard } from '../../sdk/index.ts';
import type { TelegramApi } from './api.ts';
import { descriptionOf } from './errors.ts';

export interface Rivalry {
  /** A poll was refused because of another; milliseconds to wait before the next. */
  refused(error: AppError): Promise<number>;
  /** A poll went well. */
  fine(): void;
}

/** Without a refusal for so long the other is gone. */
const QUIET_MS = 60_000;
const WAIT_FIRST_MS = 1000;
const WAIT_MAX_MS = 30_000;

export function createRivalry({
  api,
  board,
  clock,
  log,
  signal,
}: {
  readonly api: TelegramApi;
  readonly board: ProblemBoard;
  readonly clock: Clock;
  readonly log: Log;
  readonly signal: AbortSignal;
}): Rivalry {
  const seen = { count: 0, last: 0 };
  const removeWebhook = async (): Promise<void> => {
    try {
      await api.calls.deleteWebhook({}, signal);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      log.warn('telegram.webhook.kept', { code: error.code }); // the next poll is refused again, and this tried again
    }
  };
  return {
    async refused(error) {
      Object.assign(seen, { count: seen.count + 1, last: clock.monotonic() });
      const webhook = /webhook/i.test(descriptionOf(error));
      if (webhook) await removeWebhook();
      // The first may be a poll of our own that Telegram has not seen end yet.
      if (webhook || seen.count > 1) board.set('rival', webhook ? WEBHOOK : PROGRAM);
      return backoff({ first: WAIT_FIRST_MS, max: WAIT_MAX_MS }, seen.count - 1);
    },
    fine() {
      if (seen.count === 0 || clock.monotonic() - seen.last < QUIET_MS) return;
      seen.count = 0;
      board.set('rival', undefined);
    },
  };
}

const FIX = 'Stop the other program, or use another bot for it. To revoke a leaked token, use /revoke in @BotFather.';
const PROGRAM = {
  kind: 'runtime',
  message: 'Another program polls with the token of this bot, so each gets only some of the messages.',
  fix: FIX,
} as const;
const WEBHOOK = {
  kind: 'runtime',
  message: 'Another program had set a webhook for this bot, which blocked polling; the webhook was removed.',
  fix: FIX,
} as const;
