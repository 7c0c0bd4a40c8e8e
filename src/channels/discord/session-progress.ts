/** Tracks the last event recorded: sent in heartbeats, and where a resumed session continues. */
import type { SessionInfo } from '@discordjs/ws';
import type { Seen } from './seen.ts';

export interface SessionProgress {
  /** The session as it is to be resumed: behind the last event before which nothing is open. */
  info(): SessionInfo | null;
  /** The library's session; null: there is none any more. */
  update(info: SessionInfo | null): void;
  /** An event came; `done` resolves with false where it has to come again. */
  track(sequence: number, done: Promise<boolean>): void;
}

export function createSessionProgress(seen: Seen): SessionProgress {
  const state: { session: SessionInfo | null; received: number; open: Set<number> } = {
    session: seen.session ?? null,
    received: seen.session?.sequence ?? 0,
    open: new Set(),
  };
  const taken = (): number => {
    const [first] = state.open;
    return first === undefined ? state.received : first - 1;
  };
  const info = (): SessionInfo | null => state.session && { ...state.session, sequence: taken() };
  return {
    info,
    update(next) {
      if (next?.sessionId === state.session?.sessionId && next) return; // only counting, which `track` does
      Object.assign(state, { session: next, received: next?.sequence ?? 0, open: new Set() });
      seen.keepSession(next ?? undefined);
    },
    track(sequence, done) {
      const { open, session } = state;
      state.received = Math.max(state.received, sequence);
      open.add(sequence);
      void done.then((finished) => {
        if (!finished) return;
        open.delete(sequence);
        if (state.session?.sessionId === session?.sessionId) seen.keepSession(info() ?? undefined);
      });
    },
  };
}
