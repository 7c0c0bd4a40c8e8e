/**
 * The crash matrix: the real process is killed at every checkpoint and restarted. Nothing may be lost, duplicated,
 * reordered or left without an end state.
 */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { casesOf } from './matrix.ts';
import { createCaseRunner } from './case-runner.ts';
import { crashAt, crashConfig, type Result } from './scenario.ts';

const CHECKPOINTS = [
  'accept.before',
  'accept.after',
  'understand.before',
  'understand.after',
  'model.before',
  'model.after',
  'tool.started',
  'tool.running',
  'tool.finished',
  'end.before',
  'end.after',
  'transcript.before',
  'transcript.after',
  'send.before',
  'send.after',
  'send.acknowledged',
];
/** The first time is in the first message, the others in the middle of the conversation. */
const timesAt = (checkpoint: string, index: number): readonly string[] => {
  if (checkpoint === 'tool.running') return [checkpoint];
  const times = checkpoint.startsWith('tool') ? [1, 2] : [1, 3];
  return (index % 2 === 0 ? times : times.toReversed()).map((nth) => `${checkpoint}:${nth}`);
};
const CASES = casesOf(CHECKPOINTS.flatMap(timesAt), (at) => at.split(':')[0]!);

const rows: { at: string; result: Result }[] = [];

describe('crash matrix', { concurrency: 2 }, () => {
  after(() => console.log(table()));
  // Two chains of cases, side by side.
  for (const [which, cases] of Object.entries(Object.groupBy(CASES, (_, index) => (index % 2 === 0 ? 'even' : 'odd'))))
    describe(which, { concurrency: 1 }, () => {
      const runner = createCaseRunner(crashConfig);
      after(() => runner[Symbol.asyncDispose]());
      for (const at of cases)
        it(`survives kill -9 at ${at}`, () =>
          runner.run(async (crashCase) => {
            const result = await crashAt(at, crashCase);
            rows.push({ at, result });
            const { died, notes, ...damage } = result;
            assert.ok(died, 'the gateway was to die here; the moment did not come');
            assert.deepEqual(
              damage,
              { lost: 0, doubled: 0, reordered: 0, unended: 0, effectsTwice: 0 },
              notes.join('\n'),
            );
          }));
    });
});

function table(): string {
  const line = (cells: readonly (string | number)[]): string =>
    cells.map((cell, index) => String(cell).padEnd(index === 0 ? 22 : 11)).join('');
  const damage = rows
    .sort((a, b) => CHECKPOINTS.indexOf(a.at.split(':')[0]!) - CHECKPOINTS.indexOf(b.at.split(':')[0]!))
    .map(({ at, result: r }) => line([at, r.lost, r.doubled, r.reordered, r.unended, r.effectsTwice]));
  return ['', line(['killed at', 'lost', 'doubled', 'reordered', 'unended', 'effect twice']), ...damage].join('\n');
}
