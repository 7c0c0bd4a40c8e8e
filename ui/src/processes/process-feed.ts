/** Tracks background processes: requested once per connection, then updated by events. */
import type { App } from '../app.ts';
import type { ProcessView } from '../gateway/wire.ts';
import { isDisconnected, messageOf } from '../gateway/requests.ts';
import { createStore, type Store } from '../gateway/store.ts';

export interface KnownProcess {
  readonly view: ProcessView;
  /** By the clock of this page, so that a runtime continues from `view.runtimeMs` whatever the clock of the gateway. */
  readonly receivedAt: number;
}

export interface Processes {
  readonly loaded: boolean;
  readonly problem?: string;
  readonly byId: ReadonlyMap<string, KnownProcess>;
}

export class ProcessFeed {
  readonly store: Store<Processes> = createStore<Processes>({ loaded: false, byId: new Map() });
  #app: App;
  #watchers = 0;

  constructor(app: App) {
    this.#app = app;
    app.on(
      ({ event, payload }) =>
        (event === 'process.changed' || event === 'process.output') &&
        this.#onEvent((payload as { process: ProcessView }).process),
    );
    app.whenConnected(() => {
      void this.refresh();
      if (this.#watchers > 0) this.#follow('process.subscribe');
    });
  }

  /** Subscribes to output until the returned function is called. */
  watch(): () => void {
    if (this.#watchers++ === 0) this.#follow('process.subscribe');
    return () => {
      if (--this.#watchers === 0) this.#follow('process.unsubscribe');
    };
  }

  /** A gateway without this method only reports when processes begin and end. */
  #follow(method: 'process.subscribe' | 'process.unsubscribe'): void {
    if (this.#app.offers(method)) void this.#app.request(method).catch((cause: unknown) => this.#fail(cause));
  }

  #fail(cause: unknown): void {
    if (!isDisconnected(cause)) this.store.update((state) => ({ ...state, loaded: true, problem: messageOf(cause) }));
  }

  async refresh(): Promise<void> {
    try {
      const { processes } = await this.#app.request('process.list');
      this.store.set({ loaded: true, byId: new Map(processes.map((view) => [view.sessionId, known(view)])) });
    } catch (cause) {
      this.#fail(cause);
    }
  }

  kill(sessionId: string): Promise<unknown> {
    return this.#app.request('process.kill', { sessionId });
  }

  async clear(sessionId: string): Promise<void> {
    await this.#app.request('process.clear', { sessionId });
    this.store.update((state) => ({ ...state, byId: new Map([...state.byId].filter(([id]) => id !== sessionId)) }));
  }

  /** The answer of a log request contains a newer state of its process. */
  note(view: ProcessView): void {
    this.#onEvent(view);
  }

  #onEvent(view: ProcessView): void {
    this.store.update((state) => ({ ...state, byId: new Map([...state.byId, [view.sessionId, known(view)]]) }));
  }
}

const known = (view: ProcessView): KnownProcess => ({ view, receivedAt: Date.now() });

export const runtimeOf = ({ view, receivedAt }: KnownProcess, now: number): number =>
  view.status === 'running' ? view.runtimeMs + Math.max(0, now - receivedAt) : view.runtimeMs;
