import assert from 'node:assert/strict';
import { test } from 'node:test';
import { besideModule, createWorkerThread, type WorkerThread } from './worker.ts';

/** Echoes; ends, hangs or fills its heap when told to. */
const SOURCE = `
import { parentPort } from 'node:worker_threads';
import { env } from 'node:process';
const count = { asked: 0 };
parentPort.on('message', (question) => {
  if (question === 'die') process.exit(3);
  if (question === 'throw') throw new Error('broken');
  if (question === 'hang') for (;;);
  if (question === 'fill') { const all = []; for (;;) all.push({ a: [1, 2, 3] }); }
  parentPort.postMessage({ question, asked: ++count.asked, variables: Object.keys(env).length });
});`;
const entry = new URL(`data:text/javascript,${encodeURIComponent(SOURCE)}`);
const start = (): WorkerThread<string> =>
  createWorkerThread<string>({ entry, heapMb: 16, growthMb: 1000, idleMs: 60_000 });
const patient = (): { timeoutMs: number; signal: AbortSignal } => ({
  timeoutMs: 60_000,
  signal: new AbortController().signal,
});

test('questions are answered one after the other by one thread, which sees no environment', async () => {
  await using thread = start();
  const answers = await Promise.all(['a', 'b', 'c'].map((question) => thread.ask(question, patient())));
  assert.deepEqual(
    answers,
    ['a', 'b', 'c'].map((question, index) => ({
      kind: 'answered',
      answer: { question, asked: index + 1, variables: 0 },
    })),
  );
});

test('a thread that dies, hangs or fills its memory is an outcome, and the next question gets a new one', async () => {
  await using thread = start();
  const kindOf = async (question: string, options = patient()): Promise<string> =>
    (await thread.ask(question, options)).kind;
  assert.equal(await kindOf('die'), 'crashed');
  assert.equal(await kindOf('throw'), 'crashed');
  assert.equal(await kindOf('hang', { ...patient(), timeoutMs: 50 }), 'timeout');
  assert.equal(await kindOf('fill'), 'memory');
  assert.deepEqual(await thread.ask('a', patient()), {
    kind: 'answered',
    answer: { question: 'a', asked: 1, variables: 0 },
  });
});

test('a stop ends the question that is worked on, and one that waits is not begun', async () => {
  await using thread = start();
  const stop = new AbortController();
  const both = [
    thread.ask('hang', { timeoutMs: 60_000, signal: stop.signal }),
    thread.ask('hang', { timeoutMs: 60_000, signal: stop.signal }),
  ];
  stop.abort();
  assert.deepEqual(await Promise.all(both), [{ kind: 'aborted' }, { kind: 'aborted' }]);
});

test('the module of a thread lies beside its caller, with the same extension', () => {
  assert.equal(
    besideModule('work', { url: 'file:///app/dist/a.js', filename: '/app/dist/a.js' }).href,
    'file:///app/dist/work.js',
  );
  assert.equal(
    besideModule('work', { url: 'file:///app/src/a.ts', filename: '/app/src/a.ts' }).href,
    'file:///app/src/work.ts',
  );
});
