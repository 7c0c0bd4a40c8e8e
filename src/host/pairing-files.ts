/** The two private files of a pairing store: what is paired, and which requests are pending. */
import { join } from 'node:path';
import type { z } from 'zod';
import type { Log } from '../core/log.ts';
import { parseJson } from '../core/parse-json.ts';
import type { Clock } from '../platform/clock.ts';
import { readBackedUp, writeBackedUp } from '../platform/backed-up-file.ts';
import { createSerialQueue } from '../platform/keyed-queue.ts';

/** What is stored, as the feature validates it. */
export interface PairingState {
  readonly paired: object;
  readonly pending: object;
}

/** Where the files are, what they contain, and which log event reports a damaged one. */
export interface PairingFilesDeps<S extends PairingState> {
  /** Absolute. */
  readonly dir: string;
  readonly clock: Pick<Clock, 'now'>;
  readonly log: Log;
  readonly schemas: { readonly [K in keyof PairingState]: z.ZodType<S[K]> };
  readonly empty: S;
  readonly damagedEvent: string;
}

/** What a change replaces, and its result. */
export type PairingChange<S, T> = readonly [Partial<S>, T];

/** The current state, and the only way to change it. */
export interface PairingFiles<S extends PairingState> {
  state(): S;
  /** One change at a time, computed from the newest state; it is on disk before it counts. */
  change<T>(compute: (state: S, now: number) => PairingChange<S, T>): Promise<T>;
}

/** Opens both files. A damaged one is set aside, never overwritten, and its last good copy takes its place. */
export async function openPairingFiles<S extends PairingState>({
  dir,
  clock,
  log,
  schemas,
  empty,
  damagedEvent,
}: PairingFilesDeps<S>): Promise<PairingFiles<S>> {
  const files = { paired: join(dir, 'paired.json'), pending: join(dir, 'pending.json') };
  const load = async <K extends keyof PairingState>(name: K): Promise<S[K]> =>
    (await readBackedUp(files[name], {
      // Text that is not JSON is undefined, which no schema accepts.
      parse: (raw) => schemas[name].safeParse(parseJson(raw)).data,
      now: clock.now(),
      damaged: (damage) => log.error(damagedEvent, { ...damage }),
    })) ?? empty[name];
  let state: S = { ...empty, paired: await load('paired'), pending: await load('pending') };
  const queue = createSerialQueue();
  return {
    state: () => state,
    change: (compute) =>
      queue.run(async () => {
        const [patch, result] = compute(state, clock.now());
        if (patch.paired) await writeBackedUp(files.paired, JSON.stringify(patch.paired, null, 2));
        if (patch.pending) await writeBackedUp(files.pending, JSON.stringify(patch.pending, null, 2));
        state = { ...state, ...patch };
        return result;
      }),
  };
}
