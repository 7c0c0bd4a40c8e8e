// When an ended process is forgotten, by the registry itself.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { systemClock, type Clock } from '../../../platform/clock.ts';
import { processHarness } from '../../../testing/processes-harness.ts';
import { until } from '../../../testing/until.ts';
import { sweepEvery } from './retention.ts';

const CLEANUP_MS = 60_000;

test('T78 an ended process is listed until its time is over, then it and its output are gone; a running one stays', async () => {
  let later = 0;
  let sweep: (() => void) | undefined;
  const clock: Clock = {
    ...systemClock,
    now: () => systemClock.now() + later,
    setTimeout: (run, ms) => {
      if (ms === sweepEvery(CLEANUP_MS)) sweep = run;
      return systemClock.setTimeout(run, ms);
    },
  };
  await using harness = await processHarness({ clock, cleanupMs: () => CLEANUP_MS });
  const ids = async (): Promise<readonly string[]> => (await harness.registry.list()).map(({ sessionId }) => sessionId);
  const sweepNow = (): void => {
    const due = sweep;
    sweep = undefined;
    due?.();
  };
  const running = await harness.background('sleep 300');
  const ended = await harness.background('echo over');
  await until(() => harness.exits.length === 1 && sweep !== undefined);
  later = CLEANUP_MS / 2;
  sweepNow();
  await until(() => sweep !== undefined);
  assert.deepEqual(new Set(await ids()), new Set([running.id, ended.id]));
  later = CLEANUP_MS * 2;
  sweepNow();
  await until(async () => (await ids()).length === 1);
  assert.deepEqual(await ids(), [running.id]);
  await until(() => !existsSync(join(harness.dir, ended.id)));
  assert.equal(
    await harness.registry.of('main').poll(ended.id, { waitMs: 0, signal: new AbortController().signal }),
    'unknown',
  );
});
