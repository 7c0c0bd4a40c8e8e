/** Tracks previews with an edit in progress; a replacement waits until the edit completes. */

interface Leaving {
  /** Resolves when it changes no more. */
  settled(): Promise<unknown>;
}

export interface LeavingPreviews {
  /** From now on `settled` waits for this one. */
  add(token: string, preview: Leaving): void;
  /** Resolves when nobody else changes the message of this outbox token any more; soon, and never rejects. */
  settled(token: string): Promise<void>;
}

export function createLeavingPreviews(): LeavingPreviews {
  const leaving = new Map<string, Leaving>();
  return {
    add(token, preview) {
      if (leaving.has(token)) return;
      leaving.set(token, preview);
      void preview.settled().finally(() => leaving.delete(token));
    },
    settled: async (token) => void (await leaving.get(token)?.settled()),
  };
}
