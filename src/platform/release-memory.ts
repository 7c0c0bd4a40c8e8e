/** Returns unused memory to the system when the gateway is idle: V8 by itself may keep what a busy hour took. */
import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Clock } from './clock.ts';

type Collect = (options: { readonly type: 'major'; readonly flavor: 'last-resort' }) => void;

const POLL_MS = 15_000;
/** Of the time since the last look; somebody who does more than this is not at rest. */
const REST_SHARE = 0.03;
/** Less than this above what was left last time is not worth the collection: some ten milliseconds. */
const WORTH_BYTES = 48 * 1024 * 1024;
/** Whoever has been at rest for longer is in nobody's way: little is worth it, too. */
const WORTH_BYTES_LATER = 12 * 1024 * 1024;

/** Runs until it is disposed of. */
export function releaseMemory(clock: Clock): Disposable {
  const state: { collect?: Collect; left: number; polledAtRest: number; cpu: NodeJS.CpuUsage } = {
    left: 0,
    polledAtRest: 0,
    cpu: process.cpuUsage(),
  };

  function check(): void {
    const { user, system } = process.cpuUsage(state.cpu);
    state.cpu = process.cpuUsage();
    state.polledAtRest = user + system > REST_SHARE * POLL_MS * 1000 ? 0 : state.polledAtRest + 1;
    if (state.polledAtRest === 0) return;
    if (heldBytes() < state.left + (state.polledAtRest === 1 ? WORTH_BYTES : WORTH_BYTES_LATER)) return;
    state.collect ??= collector();
    state.collect({ type: 'major', flavor: 'last-resort' });
    state.left = heldBytes();
  }

  const timer = clock.setInterval(check, POLL_MS).unref();
  return { [Symbol.dispose]: () => timer.cancel() };
}

const heldBytes = (): number => getHeapStatistics().total_physical_size;

/** The runtime has it, and shows it only on demand. */
function collector(): Collect {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as Collect;
}
