import assert from 'node:assert/strict';
import { test } from 'node:test';
import { linkHarness } from './fake.ts';
import { entry, config } from './fake.ts';

test('one after another by default; with concurrency 2 both run at once, and results keep the order of the message', async () => {
  await using harness = await linkHarness();
  // a waits for b to have begun, b does not end before a does: only side by side can both finish.
  await harness.program(
    'meet',
    'case "$1" in *a.example) until [ -e "$STAGE/b" ]; do sleep 0.01; done; touch "$STAGE/a";; *) touch ' +
      '"$STAGE/b"; until [ -e "$STAGE/a" ]; do sleep 0.01; done; sleep 0.05;; esac; echo "$1"',
  );
  const both = await harness.links('https://a.example https://b.example', config([entry('meet')], { concurrency: 2 }));
  assert.deepEqual(
    both.notes.map(({ text }) => text),
    ['https://a.example', 'https://b.example'],
  );
  await harness.program(
    'mark',
    'echo "begin $1" >> "$STAGE/marks"; sleep 0.02; echo "end $1" >> "$STAGE/marks"; echo "$1"',
  );
  await harness.links('https://a.example https://b.example', config([entry('mark')]));
  assert.equal(
    await harness.read('marks'),
    'begin https://a.example\nend https://a.example\nbegin https://b.example\nend https://b.example\n',
  );
});

test('results keep the order of the message when the last is done first', async () => {
  await using harness = await linkHarness();
  await harness.program(
    'race',
    'case "$1" in *a.example) until [ -e "$STAGE/c" ]; do sleep 0.01; done;; *c.example) touch "$STAGE/c";; ' +
      'esac; echo "$1"',
  );
  const { notes, decision } = await harness.links(
    'https://a.example https://b.example https://c.example',
    config([entry('race')], { concurrency: 2 }),
  );
  assert.deepEqual(
    notes.map(({ url }) => url),
    ['https://a.example', 'https://b.example', 'https://c.example'],
  );
  assert.deepEqual(
    decision.urls.map(({ url }) => url),
    notes.map(({ url }) => url),
  );
});

test('all links together have a budget; what it does not reach is skipped with that reason', async () => {
  await using harness = await linkHarness();
  await harness.program('slow', 'sleep 600');
  const { notes, decision } = await harness.links(
    'https://a.example https://b.example',
    config([entry('slow')], { budgetSeconds: 1 }),
  );
  assert.deepEqual([notes, decision.outcome], [[], 'skipped']);
  for (const { attempts } of decision.urls)
    assert.deepEqual(
      attempts.map(({ outcome, reason }) => [outcome, reason]),
      [['skipped', 'budget: the time limit for links was reached']],
    );
});

test('a stopped turn stops the command and rejects', async () => {
  await using harness = await linkHarness();
  await harness.program('slow', 'touch "$STAGE/began"; sleep 600');
  const stop = new AbortController();
  const running = harness.links('https://a.example', config([entry('slow')]), { signal: stop.signal });
  running.catch(() => {});
  while (
    !(await harness.read('began').then(
      () => true,
      () => false,
    ))
  );
  stop.abort();
  await assert.rejects(running, { code: 'aborted' });
  assert.deepEqual([harness.leases.open, await harness.leftovers()], [0, []]);
});
