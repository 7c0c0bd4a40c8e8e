import assert from 'node:assert/strict';
import { test } from 'node:test';
import { closePage } from './close-page.ts';

/** A page whose first requests to close are dropped, as Chromium does while a document arrives. */
function forgetful(dropped: number) {
  const closed = Promise.withResolvers<void>();
  const state = { asked: 0, closed: false };
  const send = async (): Promise<void> => {
    state.asked++;
    if (state.asked <= dropped) return;
    state.closed = true;
    closed.resolve();
  };
  const page = {
    close: () => send().then(() => closed.promise),
    isClosed: () => state.closed,
    context: () => ({ newCDPSession: async () => ({ send }) }),
  };
  return { page: page as never, state };
}

test('a page that closes is asked once', async () => {
  const { page, state } = forgetful(0);
  await closePage(page);
  assert.deepEqual(state, { asked: 1, closed: true });
});

test('one that forgot it is asked again, past the driver', async () => {
  const { page, state } = forgetful(1);
  await closePage(page);
  assert.deepEqual(state, { asked: 2, closed: true });
});
