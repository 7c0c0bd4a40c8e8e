/**
 * Named pipes, made a few at a time ahead of need: the system makes them with a program, and starting one costs
 * milliseconds.
 */
import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '../../../core/errors.ts';
import { exec } from '../../../platform/exec.ts';
import { shortId } from '../../../platform/ids.ts';
import { onDisk } from '../../../platform/storage-error.ts';
import { markHandled, whenOver } from '../../../platform/settled.ts';

/** Named pipes made beforehand, because making one starts a program. */
export interface FifoPool extends AsyncDisposable {
  /**
   * A new pipe, mode 0600, at `path`, which is on the same file system. False where there is no `mkfifo`. Rejects with
   * `AppError('storage')`.
   */
  take(path: string): Promise<boolean>;
}

const AT_ONCE = 12;
const LOW = 3;
const MAKE_MS = 10_000;

/**
 * `folder` is the pool's own; it comes with the first pipe and goes when the pool is disposed. `path`: where `mkfifo`
 * is looked for.
 */
export function createFifoPool(folder: string, path = '/usr/bin:/bin:/usr/local/bin'): FifoPool {
  let possible = process.platform !== 'win32';
  const ready: string[] = [];
  let making: Promise<void> | undefined;
  let begun = false;

  const make = async (): Promise<void> => {
    await onDisk('create the directory', folder, () => mkdir(folder, { recursive: true, mode: 0o700 }));
    begun = true;
    const paths = Array.from({ length: AT_ONCE }, () => join(folder, shortId()));
    possible = await mkfifo(paths, path);
    if (possible) ready.push(...paths);
  };
  const refill = (): Promise<void> =>
    (making ??= make().finally(() => {
      making = undefined;
    }));

  return {
    async take(path) {
      while (possible && ready.length === 0) await refill();
      const from = ready.pop();
      if (from === undefined) return false;
      // Whoever needs one next waits for it and hears what went wrong.
      if (ready.length < LOW) void markHandled(refill());
      await onDisk('create the pipe', path, () => rename(from, path));
      return true;
    },
    async [Symbol.asyncDispose]() {
      await whenOver(making);
      ready.length = 0;
      if (begun) await onDisk('remove', folder, () => rm(folder, { recursive: true, force: true }));
    },
  };
}

/** False when there is no such program. */
async function mkfifo(paths: readonly string[], path: string): Promise<boolean> {
  const made = await exec({
    command: 'mkfifo',
    args: ['-m', '600', ...paths],
    env: { PATH: path },
    timeoutMs: MAKE_MS,
    maxOutputBytes: 1024,
    signal: new AbortController().signal,
  });
  if (made.kind === 'not_started') return false;
  if (made.kind !== 'exited' || made.code !== 0)
    throw new AppError('storage', `Could not make named pipes: ${made.stderr.trim() || made.kind}.`);
  return true;
}
