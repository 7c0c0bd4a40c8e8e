/** Hands the events of each run to the request that waits for it: one subscription, one lookup per event. */
import type { AgentEvent } from '../../core/turn.ts';
import type { ChatService } from '../../host/chat.ts';

export interface RunEvents extends Disposable {
  /** Returns the function that lets go. Several requests may follow one run. */
  follow(runId: string, listener: (event: AgentEvent) => void): () => void;
}

export function createRunEvents(chat: Pick<ChatService, 'subscribe'>): RunEvents {
  const followers = new Map<string, Set<(event: AgentEvent) => void>>();
  const unsubscribe = chat.subscribe(({ runId }, event) => {
    const listeners = followers.get(runId);
    if (listeners) for (const listener of listeners) listener(event);
  });

  return {
    follow(runId, listener) {
      const listeners = followers.get(runId) ?? new Set();
      listeners.add(listener);
      followers.set(runId, listeners);
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0) followers.delete(runId);
      };
    },
    [Symbol.dispose]() {
      unsubscribe();
      followers.clear();
    },
  };
}
