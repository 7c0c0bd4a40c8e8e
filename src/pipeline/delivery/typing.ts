/** Shows the typing indicator, once per chat, while a turn is running. */
import type { Clock, Timer } from '../../platform/clock.ts';

export interface TypingDeps<Chat> {
  readonly clock: Clock;
  keyOf(chat: Chat): string;
  /** Shows it for some seconds. Never rejects. */
  show(chat: Chat): void;
}

/** Milliseconds without any activity after which it is not shown any more. */
const TTL_MS = 120_000;
/** An answer that is there sooner needs no sign: it would cost a call to the platform and flicker. */
const FIRST_AFTER_MS = 150;

/** A run that has ended cannot begin again. */
export function createTyping<Chat>({ clock, keyOf, show }: TypingDeps<Chat>) {
  const chats = new Map<string, { readonly runs: Set<string>; timer: Timer; until: number }>();
  const chatOf = new Map<string, string>();

  function forget(key: string): void {
    chats.get(key)?.timer.cancel();
    chats.delete(key);
  }

  return {
    /** Shown a moment later, if it still types then. Again for a run that types already: it is still alive. */
    start(runId: string, chat: Chat, everyMs: number): void {
      const key = keyOf(chat);
      const known = chats.get(key);
      chatOf.set(runId, key);
      if (known) {
        known.runs.add(runId);
        known.until = clock.monotonic() + TTL_MS;
        return;
      }
      const next = (waitMs: number): Timer =>
        clock
          .setTimeout(() => {
            const now = chats.get(key);
            if (!now || clock.monotonic() >= now.until) return forget(key);
            now.timer = next(everyMs);
            show(chat);
          }, waitMs)
          .unref();
      chats.set(key, { runs: new Set([runId]), timer: next(FIRST_AFTER_MS), until: clock.monotonic() + TTL_MS });
    },

    stop(runId: string): void {
      const key = chatOf.get(runId);
      chatOf.delete(runId);
      if (key === undefined) return;
      const chat = chats.get(key);
      chat?.runs.delete(runId);
      if (chat?.runs.size === 0) forget(key);
    },

    isTyping: (runId: string): boolean => chatOf.has(runId),
    close: (): void => [...chats.keys()].forEach(forget),
  };
}
