/** Understanding around a message: asked once, kept, and never in the way of the reply. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { it } from 'node:test';
import { AppError } from '../core/errors.ts';
import { silentLog } from '../core/log.ts';
import type { Understanding } from '../core/understanding.ts';
import { createJournal } from '../journal/create-journal.ts';
import { accepted } from '../testing/sample-inbound.ts';
import { tempDir } from '../testing/temp-dir.ts';
import { createUnderstood, type Understander } from './understood.ts';

const page: Understanding = {
  notes: [{ kind: 'link', url: 'https://a.example', source: 'cat', text: 'a page' }],
  media: [],
  attachments: [],
};

async function harness(run: Understander['run']) {
  const dir = await tempDir('understood');
  const journal = createJournal({ path: join(dir.path, 'journal.sqlite') });
  const { row } = await journal.inbound.accept(
    accepted({
      attachments: [{ kind: 'document', mime: 'text/csv', name: 'a[1].csv', url: 'https://a.example/a.csv' }],
    }),
    'r1',
  );
  const understood = createUnderstood({
    journal,
    understander: { needed: () => true, declined: () => undefined, run, echo: () => [] },
    log: silentLog,
    now: Date.now,
    progress() {},
    send() {},
    checkpoint() {},
  });
  return {
    ask: async (signal = new AbortController().signal) => (await understood([row], signal)).get('r1'),
    async [Symbol.asyncDispose]() {
      await journal.close();
      await dir[Symbol.asyncDispose]();
    },
  };
}

it('is made once and kept', async () => {
  let asked = 0;
  await using s = await harness(async () => {
    asked++;
    return page;
  });
  assert.deepEqual([await s.ask(), await s.ask(), asked], [page, page, 1]);
});

it('a fault of ours costs the notes, not the reply, and every file is named', async () => {
  await using s = await harness(() => Promise.reject(new TypeError('oops')));
  const made = await s.ask();
  assert.deepEqual(made?.notes, [
    {
      kind: 'remark',
      attachment: 0,
      text: '[Attachment could not be read] "a(1).csv": internal error of the gateway.',
      tell: 'I could not read "a(1).csv" because of an internal error. See the log of the gateway.',
    },
  ]);
});

it('a stop is passed on and nothing is kept', async () => {
  const stop = new AbortController();
  let asked = 0;
  await using s = await harness(async () => {
    if (asked++ > 0) return page;
    stop.abort();
    throw new AppError('aborted', 'stopped');
  });
  await assert.rejects(s.ask(stop.signal), { code: 'aborted' });
  assert.deepEqual(await s.ask(), page);
});
