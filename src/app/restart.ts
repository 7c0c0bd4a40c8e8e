/** One restart at a time: several requests become one, and the session that asked is told afterwards. */
import { join } from 'node:path';
import type { Log } from '../core/log.ts';
import type { ChatAddress } from '../core/message.ts';
import type { GatewayServices } from '../gateway/services.ts';
import type { Clock } from '../platform/clock.ts';
import { readTextIfExists, removeIfExists, writeFileAtomic } from '../platform/files.ts';

const DEFAULT_DELAY_MS = 2000;
const LONGEST_DELAY_MS = 60_000;

export interface RestartNote { readonly sessionKey: string; readonly text: string; readonly replyTo?: ChatAddress }

const notePath = (stateDir: string): string => join(stateDir, 'restart-note.json');

export function createRestarter({ stateDir, clock, log, restart }: { stateDir: string; clock: Clock; log: Log; restart(reason: string): void }): GatewayServices['requestRestart'] {
  let scheduledAt: number | undefined;
  return ({ reason, delayMs = DEFAULT_DELAY_MS, sessionKey, note, replyTo }) => {
    if (scheduledAt !== undefined) return { scheduledAt };
    const wait = Math.min(LONGEST_DELAY_MS, Math.max(0, delayMs));
    scheduledAt = clock.now() + wait;
    log.info('gateway.restart.scheduled', { reason, delayMs: wait });
    const kept = sessionKey === undefined ? Promise.resolve() : keepNote(stateDir, { sessionKey, text: note ?? `The gateway was restarted (${reason}).`, ...(replyTo ? { replyTo } : {}) });
    kept.catch((error: unknown) => log.error('gateway.restart.note', { error }));
    clock.setTimeout(() => void kept.finally(() => restart(reason)).catch(() => undefined /* logged above */), wait).unref();
    return { scheduledAt };
  };
}

const keepNote = (stateDir: string, note: RestartNote): Promise<void> => writeFileAtomic(notePath(stateDir), JSON.stringify(note));

/** Reads and removes the note of the last restart, so that it is delivered once. */
export async function takeRestartNote(stateDir: string, log: Log): Promise<RestartNote | undefined> {
  const text = await readTextIfExists(notePath(stateDir));
  if (text === undefined) return undefined;
  await removeIfExists(notePath(stateDir));
  try {
    return JSON.parse(text) as RestartNote;
  } catch (error) {
    log.warn('gateway.restart.note', { error });
    return undefined;
  }
}
