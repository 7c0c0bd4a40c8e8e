/** Discord's session start limit, and which close codes allow a reconnect. */
import type { WebSocketManager } from '@discordjs/ws';
import { AppError, type ChannelProblem, type Log, pause } from '../../sdk/index.ts';
import { tokenRefused } from './errors.ts';

const IDENTIFY_WINDOW_MS = 5500;

/** Discord takes so many new sessions in five seconds. */
export function createThrottle(max: number, signal: AbortSignal): { waitForIdentify(): Promise<void> } {
  const state: { begun: readonly number[] } = { begun: [] };
  return {
    async waitForIdentify() {
      state.begun = state.begun.filter((at) => performance.now() - at < IDENTIFY_WINDOW_MS);
      const first = state.begun.at(-max);
      if (first !== undefined) await pause(first + IDENTIFY_WINDOW_MS - performance.now(), signal);
      state.begun = [...state.begun, performance.now()];
    },
  };
}

/** Rejects with `rate_limited` where no further session may begin today. */
export async function checkSessionsLeft(manager: WebSocketManager): Promise<void> {
  const { session_start_limit: limit } = await manager.fetchGatewayInformation();
  if (limit.remaining < 1)
    throw new AppError(
      'rate_limited',
      'Discord allows no more connections of this bot today. Check whether another program uses its token.',
      { retryAfterMs: limit.reset_after },
    );
}

/** Waits where none may: Discord resets the token of a bot that identifies too often in a day. */
export async function untilSessionsLeft(
  manager: WebSocketManager,
  {
    signal,
    log,
    onTrouble,
  }: { readonly signal: AbortSignal; readonly log: Log; onTrouble(problem: ChannelProblem): void },
): Promise<void> {
  try {
    const { session_start_limit: limit } = await manager.fetchGatewayInformation(true);
    if (limit.remaining > 0) return;
    onTrouble({
      kind: 'runtime',
      message: 'Discord allows no more connections today: there were too many.',
      fix: 'Check whether another program uses this token; the connection is retried automatically.',
    });
    await pause(limit.reset_after, signal);
  } catch (error) {
    log.debug('discord.sessions', { error }); // the connection itself will tell what is wrong
  }
}

/** Close codes after which it makes no sense to come back. */
export function overBy(code: number): AppError | undefined {
  if (code === 4004) return tokenRefused();
  if (code === 4013 || code === 4014)
    return new AppError(
      'auth',
      'Discord rejected the requested intents. Turn them on in the Discord Developer Portal (Bot, Privileged ' +
        'Gateway Intents), or turn them off in channels.discord.intents.',
    );
  if (code === 4010 || code === 4011)
    return new AppError(
      'unsupported',
      'Discord requires sharding for this bot: it is in too many servers for one connection.',
    );
  return code === 4012
    ? new AppError('unsupported', 'Discord no longer supports version 10 of its gateway. Update Clawdbot.')
    : undefined;
}
