/** Lanes under a test's control: a turn runs until the test ends it. */
import { silentLog, type Log } from '../core/log.ts';
import { createLanes, type LaneControl, type LaneItem, type Lanes } from '../sessions/lanes.ts';
import type { QueueSettings } from '../sessions/queue-mode.ts';
import { createFakeClock, type FakeClock } from './fake-clock.ts';

export interface PreparedTurn {
  readonly key: string;
  readonly texts: readonly string[];
  readonly dropped: readonly string[];
  readonly control: LaneControl<LaneItem>;
  /** Lets the turn end, well or with an error. */
  end(error?: Error): Promise<void>;
}

export interface LaneHarness {
  readonly lanes: Lanes<LaneItem>;
  readonly clock: FakeClock;
  /** Every turn ever begun, in order. */
  readonly turns: PreparedTurn[];
  readonly running: Set<PreparedTurn>;
  readonly dropped: { readonly texts: readonly string[]; readonly reason: string }[];
  arrive(key: string, text: string, queue?: Partial<QueueSettings>, item?: Partial<LaneItem>): void;
}

export const item = (runId: string, over: Partial<LaneItem> = {}): LaneItem => ({
  runId,
  group: 'chat',
  alone: false,
  steerable: true,
  ...over,
});
const texts = (items: readonly LaneItem[]): string[] => items.map(({ runId }) => runId);

export function createLaneHarness({
  maxConcurrent = 99,
  log = silentLog,
}: {
  maxConcurrent?: number;
  log?: Log;
} = {}): LaneHarness {
  const clock = createFakeClock();
  const turns: PreparedTurn[] = [];
  const running = new Set<PreparedTurn>();
  const dropped: LaneHarness['dropped'] = [];
  const lanes = createLanes<LaneItem>({
    log,
    clock,
    maxConcurrent: () => maxConcurrent,
    onDropped: (items, reason) => void dropped.push({ texts: texts(items), reason }),
    run(key, items, control, yielded) {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const turn: PreparedTurn = {
        key,
        control,
        texts: texts(items),
        dropped: texts(yielded),
        async end(error) {
          running.delete(turn);
          if (error) reject(error);
          else resolve();
          await clock.advance(0);
        },
      };
      turns.push(turn);
      running.add(turn);
      return promise;
    },
  });
  return {
    lanes,
    clock,
    turns,
    running,
    dropped,
    arrive: (key, text, queue = {}, over = {}) =>
      lanes.arrive(key, item(text, over), { mode: 'followup', debounceMs: 1000, cap: 20, drop: 'summarize', ...queue }),
  };
}
