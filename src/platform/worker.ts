/**
 * A worker thread that handles one request at a time: limited in memory and time, started on first use, ended when
 * idle.
 */
import { isMainThread, parentPort, Worker } from 'node:worker_threads';
import { whenOver } from './settled.ts';

/** What came of a question to a thread; only `answered` has an answer. */
export type WorkerAnswer<A> =
  | { readonly kind: 'answered'; readonly answer: A }
  | { readonly kind: 'timeout' }
  | { readonly kind: 'memory' }
  | { readonly kind: 'aborted' }
  /** The thread ended without an answer; a fault of ours or of a library. */
  | { readonly kind: 'crashed'; readonly why: string };

/** Runs questions in a thread of their own, one at a time; a thread that hangs or grows too much is ended. */
export interface WorkerThread<Q> extends AsyncDisposable {
  /**
   * Questions wait for each other; the time counts from when the thread takes one up. `transfer` is gone for the
   * caller.
   */
  ask<A>(
    question: Q,
    options: { readonly timeoutMs: number; readonly signal: AbortSignal; readonly transfer?: readonly ArrayBuffer[] },
  ): Promise<WorkerAnswer<A>>;
}

/** The limits of a thread and what it runs. */
export interface WorkerThreadOptions {
  /** The module that calls `answerQuestions`. */
  readonly entry: URL;
  /** Megabytes of the thread's heap. */
  readonly heapMb: number;
  /** Megabytes the whole process may grow by while a question is worked on: buffers lie outside every heap. */
  readonly growthMb: number;
  readonly idleMs: number;
}

const WATCH_MS = 50;
const MB = 1024 * 1024;

/** The thread begins with the first question and ends after `idleMs` without one. */
export function createWorkerThread<Q>({ entry, heapMb, growthMb, idleMs }: WorkerThreadOptions): WorkerThread<Q> {
  let worker: Worker | undefined;
  let idle: NodeJS.Timeout | undefined;
  let last: Promise<unknown> = Promise.resolve();

  const started = (): Worker => {
    if (worker) return worker;
    const fresh = startThread(entry, heapMb);
    fresh.on('exit', () => forget(fresh));
    worker = fresh;
    return fresh;
  };
  const end = async (): Promise<void> => {
    clearTimeout(idle);
    const ending = worker;
    worker = undefined;
    await ending?.terminate();
  };
  /** One that ended between two questions is replaced. */
  function forget(ended: Worker): void {
    if (worker === ended) worker = undefined;
  }
  const rest = (): void => {
    worker?.unref();
    idle = setTimeout(() => void end(), idleMs).unref();
  };

  return {
    ask<A>(question: Q, options: Parameters<WorkerThread<Q>['ask']>[1]) {
      const turn = last.then(async (): Promise<WorkerAnswer<A>> => {
        if (options.signal.aborted) return { kind: 'aborted' };
        clearTimeout(idle);
        const answer = await exchange<A>(started(), question, { ...options, growthMb });
        if (answer.kind === 'answered') rest();
        else await end();
        return answer;
      });
      last = whenOver(turn);
      return turn;
    },
    [Symbol.asyncDispose]: end,
  };
}

/** Without the environment, without the parent's standard streams: libraries print what they like into nothing. */
function startThread(entry: URL, heapMb: number): Worker {
  const worker = new Worker(entry, {
    env: {},
    execArgv: [],
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: heapMb, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 },
  });
  worker.stdout.resume();
  worker.stderr.resume();
  // Whoever asked hears of it by a listener of its own; between questions there is nobody to tell.
  worker.on('error', () => worker.unref());
  return worker;
}

interface Exchange {
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  readonly transfer?: readonly ArrayBuffer[];
  readonly growthMb: number;
}

function exchange<A>(
  worker: Worker,
  question: unknown,
  { timeoutMs, signal, transfer = [], growthMb }: Exchange,
): Promise<WorkerAnswer<A>> {
  return new Promise((resolve) => {
    const before = process.memoryUsage.rss();
    const timers = new DisposableStack();
    function settle(answer: WorkerAnswer<A>): void {
      timers.dispose();
      signal.removeEventListener('abort', onAbort);
      worker.off('message', onMessage).off('error', onError).off('exit', onExit);
      resolve(answer);
    }
    function onMessage(answer: A): void {
      settle({ kind: 'answered', answer });
    }
    function onError(error: NodeJS.ErrnoException): void {
      settle(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? { kind: 'memory' } : { kind: 'crashed', why: error.message });
    }
    function onExit(code: number): void {
      settle({ kind: 'crashed', why: `the thread ended with code ${code}` });
    }
    function onAbort(): void {
      settle({ kind: 'aborted' });
    }
    timers.use(setTimeout(() => settle({ kind: 'timeout' }), timeoutMs));
    timers.use(
      setInterval(() => process.memoryUsage.rss() - before > growthMb * MB && settle({ kind: 'memory' }), WATCH_MS),
    );
    signal.addEventListener('abort', onAbort, { once: true });
    worker.on('message', onMessage).on('error', onError).on('exit', onExit);
    worker.ref();
    worker.postMessage(question, [...transfer]);
  });
}

/** Called by the module that runs in the thread. `answer` returns what to send back; what it throws ends the thread. */
export function answerQuestions<Q, A>(answer: (question: Q) => Promise<A>): void {
  if (isMainThread || !parentPort) return;
  const port = parentPort;
  port.on('message', (question: Q) => void answer(question).then((result) => port.postMessage(result)));
}

/**
 * The module beside this one that runs in a thread: `.ts` from the sources, `.js` when built. `fileName` is
 * `import.meta.filename`.
 */
export const besideModule = (
  name: string,
  { url, filename }: { readonly url: string; readonly filename: string },
): URL => new URL(`./${name}${filename.slice(filename.lastIndexOf('.'))}`, url);
