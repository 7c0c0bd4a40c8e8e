/** Shows that the agent is typing, once for each chat, for as long as it is true. */
import type { Clock, Timer } from '../../platform/clock.ts';

export interface TypingDeps<Chat> {
  readonly clock: Clock;
  keyOf(chat: Chat): string;
  /** Shows it for some seconds. Never rejects. */
  show(chat: Chat): void;
}

/** Milliseconds without any sign of life after which it is not shown any more. */
const TTL_MS = 120_000;

/** A run that has ended cannot begin again. */
export function createTyping<Chat>({ clock, keyOf, show }: TypingDeps<Chat>) {
  const chats = new Map<string, { readonly runs: Set<string>; timer: Timer; until: number }>();
  const chatOf = new Map<string, string>();

  function forget(key: string): void {
    chats.get(key)?.timer.cancel();
    chats.delete(key);
  }

  return {
    /** Again for a run that types already: it is still alive. */
    start(runId: string, chat: Chat, everyMs: number): void {
      const key = keyOf(chat);
      const known = chats.get(key);
      chatOf.set(runId, key);
      if (known) {
        known.runs.add(runId);
        known.until = clock.now() + TTL_MS;
        return;
      }
      show(chat);
      const timer = clock.setInterval(() => {
        const now = chats.get(key);
        if (now && clock.now() < now.until) show(chat);
        else forget(key);
      }, everyMs).unref();
      chats.set(key, { runs: new Set([runId]), timer, until: clock.now() + TTL_MS });
    },

    seal(runId: string): void {
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
