/** An observable value; observers are called once per frame, however often it changed. */

export interface Store<S> {
  get(): S;
  set(next: S): void;
  update(change: (state: S) => S): void;
  subscribe(watcher: () => void): () => void;
}

/**
 * `schedule` decides when subscribers are notified; the default is the next animation frame, or soon if the page is
 * hidden.
 */
export function createStore<S>(initial: S, schedule: (flush: () => void) => void = nextFrame): Store<S> {
  let state = initial;
  let pending = false;
  const watchers = new Set<() => void>();
  const flush = (): void => {
    pending = false;
    for (const watcher of watchers) watcher();
  };
  const set = (next: S): void => {
    if (next === state) return;
    state = next;
    if (pending) return;
    pending = true;
    schedule(flush);
  };
  return {
    get: () => state,
    set,
    update: (change) => set(change(state)),
    subscribe: (watcher) => {
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
  };
}

function nextFrame(flush: () => void): void {
  if (document.hidden) setTimeout(flush, 100);
  else requestAnimationFrame(flush);
}
