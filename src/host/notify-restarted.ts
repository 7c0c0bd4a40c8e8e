/** After a restart, notifies everybody who asked for it or was promised a notice. */
import { combineAuthorities, type Authority } from '../core/authority.ts';
import type { Log } from '../core/log.ts';
import { present } from '../core/present.ts';
import { takeRestartNotes, type RestartNote } from './restart-sentinel.ts';

/** The two ways to tell somebody: in a chat, or through the agent of a session. */
export interface NotifyDeps {
  readonly log: Log;
  /** Says something to a chat without a turn. */
  postNotice(
    address: NonNullable<RestartNote['replyTo']>,
    note: { readonly sessionKey: string; readonly text: string },
  ): Promise<void>;
  /** Says something to the agent of a session, the main one where none is named; `now` also starts a turn. */
  wake(request: {
    readonly text: string;
    readonly mode: 'now' | 'next-heartbeat';
    readonly sessionKey?: string;
    readonly authority?: Authority;
  }): Promise<void>;
}

/** Sends the notices that the last instance left. Unreadable ones are logged. */
export async function sendRestartNotices(stateDir: string, now: number, deps: NotifyDeps): Promise<void> {
  const { log } = deps;
  const notes = await takeRestartNotes(stateDir, { now, log }).catch((error: unknown) => {
    log.error('gateway.restart.note', { error });
    return [];
  });
  await notifyRestarted(notes, deps);
}

/**
 * Tells each of them where it was asked: in its chat, else its session, else the main one; once, however often it was
 * asked there. Notices that cannot be sent are logged.
 */
export async function notifyRestarted(
  notes: readonly RestartNote[],
  { log, postNotice, wake }: NotifyDeps,
): Promise<void> {
  for (const { sessionKey, text, replyTo, authority } of byPlace(notes)) {
    const telling =
      replyTo && sessionKey !== undefined
        ? postNotice(replyTo, { sessionKey, text })
        : wake(present({ text, mode: sessionKey === undefined ? 'next-heartbeat' : 'now', sessionKey, authority }));
    await telling.catch((error: unknown) => log.error('gateway.restart.note', { error }));
  }
}

/** One note for each place, with all that is said there; what another one begins with is said by it. */
function byPlace(notes: readonly RestartNote[]): readonly RestartNote[] {
  const places = Map.groupBy(notes, ({ sessionKey, replyTo }) =>
    JSON.stringify([sessionKey, replyTo?.channel, replyTo?.accountId, replyTo?.chat.id, replyTo?.threadId]),
  );
  return [...places.values()].map((same) => {
    const texts = [...new Set(same.map(({ text }) => text))];
    const requesters = same.flatMap(({ authority }) => authority ?? []);
    const { authority: _, ...note } = same[0]!;
    return {
      ...note,
      ...present({
        authority:
          requesters.length === same.length ? combineAuthorities(requesters as [Authority, ...Authority[]]) : undefined,
      }),
      text: texts.filter((text) => !texts.some((other) => other !== text && other.startsWith(text))).join('\n'),
    };
  });
}
