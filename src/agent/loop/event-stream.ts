/** Turns a worker that emits events into an async iterable. Text deltas are joined while the reader is slow. */

export interface EventStream<E> extends AsyncIterable<E> {
  [Symbol.asyncIterator](): AsyncIterator<E, undefined>;
}

interface Source<E> {
  /** Must not reject; the stream ends when it resolves. */
  run(emit: (event: E) => void): Promise<void>;
  /** The reader went away before the end. */
  cancel(): void;
  /** One event in place of two that nobody has read yet, or undefined when both must stay. */
  join(earlier: E, later: E): E | undefined;
}

/** Starts with the first `next()`. One reader. */
export function eventStream<E>(source: Source<E>): EventStream<E> {
  return { [Symbol.asyncIterator]: () => iterate(source) };
}

function iterate<E>(source: Source<E>): AsyncIterator<E, undefined> {
  const waiting: E[] = [];
  let reader: ((result: IteratorResult<E, undefined>) => void) | undefined;
  let state: 'new' | 'running' | 'ended' = 'new';

  const emit = (event: E): void => {
    if (state === 'ended') return;
    if (reader) {
      const resolve = reader;
      reader = undefined;
      return resolve({ done: false, value: event });
    }
    const last = waiting.at(-1);
    const joined = last === undefined ? undefined : source.join(last, event);
    if (joined === undefined) waiting.push(event);
    else waiting[waiting.length - 1] = joined;
  };

  const end = (): void => {
    state = 'ended';
    reader?.({ done: true, value: undefined });
    reader = undefined;
  };

  return {
    next() {
      if (state === 'new') {
        state = 'running';
        void source.run(emit).then(end);
      }
      if (waiting.length) return Promise.resolve({ done: false, value: waiting.shift()! });
      if (state === 'ended') return Promise.resolve({ done: true, value: undefined });
      return new Promise((resolve) => {
        reader = resolve;
      });
    },
    return() {
      waiting.length = 0;
      if (state === 'running') source.cancel();
      end();
      return Promise.resolve({ done: true, value: undefined });
    },
  };
}
