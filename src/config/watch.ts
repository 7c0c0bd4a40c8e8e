/** Asks for a reload once the configuration files have come to rest after a change. */
import type { Log } from '../core/log.ts';
import type { Clock, Timer } from '../platform/clock.ts';
import { watchFiles } from '../platform/watch-files.ts';

export interface ConfigWatch extends Disposable {
  /** The files to watch from now on; the same ones again cost nothing. */
  follow(files: readonly string[]): Promise<void>;
}

/** `settleMs`: milliseconds without a further change. */
export function watchConfig({
  onSettled,
  clock,
  log,
  settleMs,
}: {
  onSettled: () => void;
  clock: Clock;
  log: Log;
  settleMs: () => number;
}): ConfigWatch {
  let followed = '';
  let watching: Disposable | undefined;
  let closed = false;
  let pending: Timer | undefined;

  const onChange = (): void => {
    pending?.cancel();
    pending = clock.setTimeout(onSettled, settleMs()).unref();
  };
  const onError = (error: Error): void =>
    log.warn('config.watch.failed', { error, effect: 'changes of the file are not noticed by themselves' });
  return {
    async follow(files) {
      const key = files.join('\n');
      if (closed || key === followed) return;
      followed = key;
      try {
        const next = await watchFiles(files, { onChange, onError });
        watching?.[Symbol.dispose]();
        watching = next;
        if (closed) next[Symbol.dispose]();
        // A change between reading the files and watching them went unseen.
        else onChange();
      } catch (error) {
        onError(error instanceof Error ? error : new Error(String(error)));
      }
    },
    [Symbol.dispose]() {
      closed = true;
      pending?.cancel();
      watching?.[Symbol.dispose]();
    },
  };
}
