/** Events of an answer as the models' libraries read them: whole, in order, and only as fast as they are asked for. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lightEvents } from './light-events.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const asJson = async (data: string): Promise<unknown> => JSON.parse(data);

async function all<T>(stream: ReadableStream<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const one of stream) found.push(one);
  return found;
}

test('events that come in pieces, even of one character, are whole and in order', async () => {
  const text =
    'data: {"said":"Grüße"}\n\n: alive\n\nevent: x\ndata: {"said":\ndata: 2}\n\ndata: [DONE]\n\ndata: {"cut":';
  for (const size of [1, 3, 1000]) {
    const whole = bytes(text);
    const pieces = Array.from({ length: Math.ceil(whole.length / size) }, (_, at) =>
      whole.slice(at * size, (at + 1) * size),
    );
    const found = await all(lightEvents(ReadableStream.from(pieces) as ReadableStream<Uint8Array>, asJson));
    assert.deepEqual(found, [{ said: 'Grüße' }, { said: 2 }], `pieces of ${size}`);
  }
});

test('nothing is read before it is asked for', async () => {
  let read = 0;
  const source = new ReadableStream<Uint8Array>(
    { pull: (controller) => controller.enqueue(bytes(`data: ${++read}\n\n`)) },
    { highWaterMark: 0 },
  );
  const reader = lightEvents(source, asJson).getReader();
  assert.deepEqual(await reader.read(), { done: false, value: 1 });
  assert.deepEqual(await reader.read(), { done: false, value: 2 });
  assert.equal(read, 2);
});

test('a stream that breaks says why, after what came before', async () => {
  const broken = new Error('gone');
  const left = [bytes('data: 1\n\n')];
  const source = new ReadableStream<Uint8Array>({
    pull(controller) {
      const next = left.shift();
      if (next) controller.enqueue(next);
      else controller.error(broken);
    },
  });
  const reader = lightEvents(source, asJson).getReader();
  assert.deepEqual(await reader.read(), { done: false, value: 1 });
  await assert.rejects(reader.read(), broken);
});

test('whoever stops reading ends the answer, with the reason', async () => {
  const ended = Promise.withResolvers<unknown>();
  const source = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(bytes('data: 1\n\ndata: 2\n\n')),
    cancel: (reason) => ended.resolve(reason),
  });
  const reader = lightEvents(source, asJson).getReader();
  await reader.read();
  await reader.cancel('enough');
  assert.equal(await ended.promise, 'enough');
});
