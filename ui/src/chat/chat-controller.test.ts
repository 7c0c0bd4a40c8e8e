/** Sending, queueing, stopping and reconnecting: which requests reach the gateway, with which idempotency key. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RequestError } from '../gateway/requests.ts';
import { ChatController } from './chat-controller.ts';
import { fakeDelta, fakeFinal, KEY } from './fake.ts';
import type { Outbox } from './outbox.ts';

interface Call {
  readonly method: string;
  readonly params: Record<string, unknown>;
}

function harness(answers: Record<string, (params: Record<string, unknown>) => unknown> = {}) {
  const calls: Call[] = [];
  const runs: string[] = [];
  const kept: { outbox: Outbox; drafts: Map<string, string> } = { outbox: [], drafts: new Map() };
  const fixture = { connected: true };
  let ids = 0;
  let clock = 100;
  const chat = new ChatController(
    {
      request: async (method, ...[params]) => {
        calls.push({ method, params: params as Record<string, unknown> });
        const answer =
          answers[method] ??
          (() =>
            (
              ({
                'chat.send': { status: 'started' },
                'chat.history': { messages: [] },
                'agent.wait': { status: 'timeout' },
                'chat.abort': { ok: true },
              }) as Record<string, unknown>
            )[method]);
        return (await answer(params as Record<string, unknown>)) as never;
      },
      connected: () => fixture.connected,
      keep: {
        outbox: () => kept.outbox,
        saveOutbox: (outbox) => (kept.outbox = outbox),
        draft: (key) => kept.drafts.get(key) ?? '',
        saveDraft: (key, text) => kept.drafts.set(key, text),
        place: () => undefined,
        savePlace: () => undefined,
      },
      newId: () => `id${++ids}`,
      now: () => clock++,
      onRun: (key, running) => runs.push(`${key} ${running}`),
      schedule: (flush) => flush(),
    },
    KEY,
  );
  const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  const sent = (): unknown[] =>
    calls.filter(({ method }) => method === 'chat.send').map(({ params }) => params['idempotencyKey']);
  return { chat, calls, runs, kept, fixture, settled, sent };
}

const disconnected = (): never => {
  throw new RequestError({ code: 'DISCONNECTED', message: 'lost' });
};

test('an idle conversation sends at once, a busy one queues until the answer ends', async () => {
  const { chat, sent, settled } = harness();
  chat.send('one', []);
  await settled();
  chat.send('two', []);
  chat.send('three', []);
  await settled();
  assert.deepEqual(sent(), ['id1']);
  assert.deepEqual(
    chat.store.get().outbox.map(({ state }) => state),
    ['accepted', 'queued', 'queued'],
  );
  chat.onChat(fakeFinal(0, undefined, { runId: 'id1' }));
  await chat.fetchHistory(KEY);
  await settled();
  assert.deepEqual(sent(), ['id1', 'id2'], 'one at a time');
});

test('what waits in a conversation that is not on screen goes out all the same', async () => {
  const { chat, sent, settled } = harness();
  chat.send('one', []);
  await settled();
  chat.send('two', []);
  chat.open('agent:main:other');
  chat.onChat(fakeFinal(0, undefined, { runId: 'id1' }));
  await settled();
  assert.deepEqual(sent(), ['id1', 'id2']);
});

test('a queue does not hang on a history that cannot be had', async () => {
  const { chat, sent, settled } = harness({
    'chat.history': () => {
      throw new RequestError({ code: 'UNAVAILABLE', message: 'disk trouble' });
    },
  });
  chat.send('one', []);
  await settled();
  chat.send('two', []);
  chat.onChat(fakeFinal(0, undefined, { runId: 'id1' }));
  await chat.fetchHistory(KEY);
  await settled();
  assert.deepEqual(sent(), ['id1', 'id2']);
});

test('a queued message can be removed, edited, or spoken into the running answer', async () => {
  const { chat, calls, settled } = harness();
  chat.send('one', []);
  await settled();
  for (const text of ['a', 'b', 'c']) chat.send(text, []);
  chat.discard('id2');
  chat.edit('id3');
  chat.steer('id4');
  await settled();
  assert.equal(chat.store.get().restored?.text, 'b');
  assert.deepEqual(calls.filter(({ method }) => method === 'chat.send').at(-1)?.params, {
    sessionKey: KEY,
    message: 'c',
    idempotencyKey: 'id4',
    queueMode: 'steer',
  });
});

test('a stop word stops a running answer and is only a word when nothing runs', async () => {
  const { chat, calls, settled } = harness();
  chat.send('stop', []);
  await settled();
  assert.equal(calls.at(-1)?.method, 'chat.send');
  chat.send('Please stop!', []);
  await settled();
  assert.deepEqual(calls.at(-1), { method: 'chat.abort', params: { sessionKey: KEY } });
});

test('a message lost with the line is sent again under the same key', async () => {
  let lost = true;
  const { chat, sent, fixture, settled, kept } = harness({
    'chat.send': () => (lost ? disconnected() : { status: 'in_flight' }),
  });
  chat.send('keep me', []);
  await settled();
  assert.deepEqual(
    chat.store.get().outbox.map(({ state }) => state),
    ['sending'],
  );
  assert.equal(kept.outbox.length, 1, 'survives a reload');
  fixture.connected = false;
  chat.send('and me', []);
  fixture.connected = true;
  lost = false;
  chat.resume();
  await settled();
  assert.deepEqual(sent(), ['id1', 'id1', 'id2']);
});

test('a refused message goes back into an empty composer, and into the list when something is written there', async () => {
  const { chat, kept, settled } = harness({
    'chat.send': () => {
      throw new RequestError({ code: 'INVALID_REQUEST', message: 'too large' });
    },
  });
  chat.send('one', []);
  await settled();
  assert.deepEqual(chat.store.get().restored, { sessionKey: KEY, text: 'one', files: [], reason: 'too large' });
  chat.clearRestored();
  kept.drafts.set(KEY, 'writing');
  chat.send('two', []);
  await settled();
  assert.deepEqual(
    chat.store.get().outbox.map(({ state, error }) => [state, error]),
    [['failed', 'too large']],
  );
});

test('coming back asks after runs whose end was missed', async () => {
  const { chat, runs, settled } = harness({ 'agent.wait': () => ({ status: 'ok' }) });
  chat.send('one', []);
  await settled();
  chat.resume();
  await settled();
  await settled();
  assert.deepEqual(chat.conversation().runs, []);
  assert.equal(runs.at(-1), `${KEY} false`);
});

test('events of another conversation do not touch the open one', () => {
  const { chat } = harness();
  const before = chat.conversation();
  chat.onChat(fakeDelta(0, ['hello', 'hello'], { runId: 'x', sessionKey: 'agent:main:other' }));
  assert.deepEqual(chat.conversation(), before);
  assert.equal(chat.conversation('agent:main:other').runs.length, 1);
});

test('what is written before the gateway has named the main conversation goes there', async () => {
  const { chat, fixture, calls, settled } = harness();
  chat.store.update((state) => ({ ...state, current: '' }));
  fixture.connected = false;
  chat.send('early', []);
  fixture.connected = true;
  chat.adopt(KEY);
  chat.resume();
  await settled();
  assert.equal(calls.find(({ method }) => method === 'chat.send')?.params['sessionKey'], KEY);
});

test('a history that cannot be had is an error to try again, not an empty conversation', async () => {
  const { chat } = harness({
    'chat.history': () => {
      throw new RequestError({ code: 'UNAVAILABLE', message: 'disk trouble' });
    },
  });
  await chat.fetchHistory(KEY);
  assert.equal(chat.conversation().error, 'disk trouble');
});
