/**
 * The crash matrix of jobs and exchanges: each slot runs once and each question is sent once, whenever the process is
 * killed. By default at their own checkpoints, and at turn checkpoints where they are between two states; in the full
 * run at all, as crash.test.ts.
 */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { IS_FULL } from './matrix.ts';
import { createCaseRunner } from './case-runner.ts';
import {
  configOfTalk,
  configOfTime,
  CRON_CHECKPOINTS,
  CRON_ESSENTIALS,
  crashInTalk,
  crashInTime,
  TALK_CHECKPOINTS,
  TALK_ESSENTIALS,
  type TimeResult,
} from './time-scenario.ts';

const rows: { readonly at: string; readonly result: TimeResult }[] = [];

describe('crash matrix of time', { concurrency: 2 }, () => {
  after(() => console.log(table()));
  for (const [what, checkpoints, config, crash] of [
    ['cron', IS_FULL ? CRON_CHECKPOINTS : CRON_ESSENTIALS, configOfTime, crashInTime],
    ['sessions', IS_FULL ? TALK_CHECKPOINTS : TALK_ESSENTIALS, configOfTalk, crashInTalk],
  ] as const)
    describe(what, { concurrency: 1 }, () => {
      const runner = createCaseRunner(config);
      after(() => runner[Symbol.asyncDispose]());
      for (const checkpoint of checkpoints)
        it(`${what}: survives kill -9 at ${checkpoint}`, () =>
          runner.run(async (crashCase) => {
            const result = await crash(checkpoint, crashCase);
            rows.push({ at: `${what} ${checkpoint}`, result });
            const { died, notes, ...damage } = result;
            assert.ok(died, 'the gateway was to die here; the moment did not come');
            assert.deepEqual(damage, { lost: 0, doubled: 0, unended: 0, effectsTwice: 0 }, notes.join('\n'));
          }));
    });
});

function table(): string {
  const line = (cells: readonly (string | number)[]): string =>
    cells.map((cell, index) => String(cell).padEnd(index === 0 ? 34 : 11)).join('');
  return [
    '',
    line(['killed at', 'lost', 'doubled', 'unended', 'effect twice']),
    ...rows.map(({ at, result: r }) => line([at, r.lost, r.doubled, r.unended, r.effectsTwice])),
  ].join('\n');
}
