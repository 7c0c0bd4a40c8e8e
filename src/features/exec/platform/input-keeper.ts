/**
 * One sleeping process that holds the inputs of all background commands open, so that none of them sees the end of its
 * input when the gateway stops.
 */
import { spawn } from 'node:child_process';
import { readTextIfExists, removeIfExists, writeFileAtomic } from '../../../platform/files.ts';
import { startTimeOf, endProcess } from '../../../platform/process-identity.ts';
import { MARK } from './process-table.ts';
import { membersOf } from './tree.ts';
import { ignoreOutcome, whenOver } from '../../../platform/settled.ts';

/** Holds input pipes open while the gateway restarts, so that commands do not read an end. */
export interface InputKeeper {
  /**
   * Once this resolves the pipe stays open without us. The descriptor stays ours, and open until `drop` or `forget`.
   */
  keep(id: string, descriptor: number): Promise<void>;
  /** Once this resolves nobody but us holds it open. */
  drop(id: string): Promise<void>;
  /** Nobody reads it any more. */
  forget(id: string): void;
  /** Meanwhile everything the keeper of an earlier run held is to be kept anew; then that one goes. */
  takeOver(run: () => Promise<void>): Promise<void>;
  /** Resolves when nothing is under way. */
  settled(): Promise<void>;
}

interface Sleeper {
  readonly pid: number;
  readonly birth: string;
}

/** `path`: where the sleeper's number is written down. `mark`: what it carries. */
export function createInputKeeper({ path, mark }: { readonly path: string; readonly mark: string }): InputKeeper {
  const descriptors = new Map<string, number>();
  let sleeper: Sleeper | undefined;
  let work: Promise<void> = Promise.resolve();
  let due = false;
  let paused = false;

  /** A new one takes all of them, then the old one goes: at no time is a pipe held by nobody. */
  const renew = async (): Promise<void> => {
    due = false;
    const former = sleeper;
    sleeper = await sleepWith([...descriptors.values()], mark);
    if (sleeper) await writeFileAtomic(path, JSON.stringify(sleeper), { sync: false });
    else await removeIfExists(path);
    if (former) await endProcess(former);
  };
  const renewed = (): Promise<void> => {
    if (due || paused) return work;
    due = true;
    work = whenOver(work).then(renew);
    return work;
  };

  return {
    keep(id, descriptor) {
      descriptors.set(id, descriptor);
      return renewed();
    },
    async drop(id) {
      if (descriptors.delete(id)) await renewed();
    },
    forget(id) {
      // What it still holds of that one harms nobody; with nothing left to hold it need not be there.
      if (descriptors.delete(id) && descriptors.size === 0) void ignoreOutcome(renewed());
    },
    async takeOver(run) {
      const former = parse(await readTextIfExists(path));
      paused = true;
      try {
        await run();
      } finally {
        paused = false;
      }
      if (descriptors.size > 0 || former) await renewed();
      if (former) await endProcess(former);
      // One whose number was never written down.
      for (const { pid } of await membersOf({ mark }))
        if (pid !== sleeper?.pid) await endProcess({ pid, birth: (await startTimeOf(pid)) ?? '' });
    },
    settled: () => whenOver(work),
  };
}

/**
 * Undefined when there is nothing to hold, or when the system has no process left: then inputs end when we do, and
 * nothing else.
 */
async function sleepWith(descriptors: readonly number[], mark: string): Promise<Sleeper | undefined> {
  if (descriptors.length === 0) return undefined;
  const child = spawn('/bin/sh', ['-c', 'exec sleep 2147483647'], {
    env: { PATH: '/usr/bin:/bin', [MARK]: mark },
    cwd: '/',
    detached: true,
    stdio: ['ignore', 'ignore', 'ignore', ...descriptors],
  });
  child.unref();
  child.on('error', () => undefined);
  const birth = child.pid === undefined ? undefined : await startTimeOf(child.pid);
  return child.pid === undefined || birth === undefined ? undefined : { pid: child.pid, birth };
}

function parse(text: string | undefined): Sleeper | undefined {
  const [, pid, birth] = /^\{"pid":(\d+),"birth":"([^"]+)"\}$/.exec(text ?? '') ?? [];
  return pid === undefined || birth === undefined ? undefined : { pid: Number(pid), birth };
}
