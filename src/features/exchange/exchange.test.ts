import assert from 'node:assert/strict';
import { it } from 'node:test';
import { exchangeOfRun, stepRunId } from './exchange.ts';

const id = (letter: string): string => letter.repeat(32);

it('an exchange is known by the runs of its steps, and by nothing else', () => {
  assert.equal(exchangeOfRun(stepRunId(id('a'), 12)), id('a'));
  for (const run of [
    'exchange:x:0',
    `exchange:${id('a')}`,
    `exchange:${id('a')}:`,
    `x:exchange:${id('a')}:1`,
    `exchange:${id('g')}:1`,
  ])
    assert.equal(exchangeOfRun(run), undefined, run);
});
