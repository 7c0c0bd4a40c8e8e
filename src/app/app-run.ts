/** Starts and stops the parts of one run of the app, in order. */
import { SUSPENDED } from '../agent/turn/run-turn.ts';
import type { Features } from '../host/mount-features.ts';
import { warmUp } from '../platform/warm-up.ts';
import { reconcileTranscripts, type ReconcileDeps } from '../pipeline/reconcile.ts';
import type { AppDeps } from './app-deps.ts';

type Closed = { close(): Promise<unknown> };

export interface AppRunParts {
  readonly deps: Pick<AppDeps, 'config' | 'log' | 'clock'>;
  readonly parts: {
    readonly features: Pick<Features, 'start' | 'afterStart' | 'close' | 'finish' | 'configChanged'>;
    readonly channels: { start(): Promise<void>; apply(): Promise<unknown>; close(): Promise<unknown> };
    readonly lanes: { suspend(reason: unknown, graceMs: number): Promise<unknown> };
    readonly housekeeping: { start(): void; stop(): void };
    readonly delivery: { close(): void };
    readonly sender: Closed;
    readonly models: { choose(): Promise<unknown> };
    readonly inbox: { subscribe(listener: () => void): void };
    readonly warm: () => AsyncIterable<unknown>;
  };
  readonly stores: Pick<ReconcileDeps, 'journal' | 'sessions' | 'reconciler'> &
    Readonly<Record<'journal' | 'reconciler' | 'transcripts' | 'store' | 'understanding', Closed>>;
  readonly inbound: { resume(): Promise<number> };
  readonly texts: Pick<ReconcileDeps, 'rules' | 'context' | 'queueSettings'>;
  readonly going: { accepting: boolean; readonly closing: AbortController };
}

export function createAppRun({ deps, parts, stores, inbound, texts, going }: AppRunParts) {
  const { log, clock } = deps;
  const { features, channels, lanes, housekeeping, delivery, sender, models, inbox, warm } = parts;
  const { journal, sessions, reconciler, transcripts, store, understanding } = stores;
  const run = { unfollow: (): void => undefined };

  return {
    /** Takes up what an earlier run left behind, then takes new work. */
    async start(): Promise<void> {
      run.unfollow = deps.config.subscribe(() => {
        void channels.apply().catch((error: unknown) => log.error('channels.apply', { error }));
        features.configChanged();
      });
      await channels.start();
      const [turns, messages] = [
        await reconcileTranscripts({ journal, sessions, reconciler, log, ...texts }),
        await inbound.resume(),
      ];
      if (turns + messages > 0) log.info('app.resumed', { turns, messages });
      // Messages are answered all the same, whatever becomes of these.
      await features.start().catch((error: unknown) => log.error('features.start', { error }));
      going.accepting = true; // not before: what came in an earlier run goes first (P3)
      housekeeping.start();
      features.afterStart();
      // Health and the Control UI say which model answers before anybody has written.
      void models.choose().catch((error: unknown) => log.warn('models.default', { error }));
      void warmUp(warm, { clock, log, signal: going.closing.signal, until: inbox.subscribe });
    },

    /** Refuses new work and gives running turns `graceMs` to end; what still runs then goes on after the next start. */
    async close(graceMs: number): Promise<void> {
      going.accepting = false;
      going.closing.abort();
      run.unfollow();
      await features.close().catch((error: unknown) => log.error('app.close', { error }));
      await lanes.suspend(SUSPENDED, graceMs);
      housekeeping.stop();
      delivery.close();
      await sender.close();
      await channels.close();
      const stored = [understanding, reconciler, transcripts, store, journal];
      const steps = [() => features.finish(), ...stored.map((one) => () => one.close())];
      for (const step of steps) await step().catch((error: unknown) => log.error('app.close', { error }));
    },
  };
}
