/** Which options of a MultipleChoice are chosen, in every form the data model has for a list. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { chosenOf } from './chosen.ts';

it('a list, a map, the JSON of either in a string, or one value', () => {
  for (const [selections, chosen] of [
    [['out'], ['out']],
    [{ 0: 'a', 1: 'b' }, ['a', 'b']],
    ['["out"]', ['out']],
    [' ["a","b"]', ['a', 'b']],
    ['{"0":"a"}', ['a']],
    ['out', ['out']],
    ['[out', ['[out']],
    [7, ['7']],
    ['', []],
    [['', 'x'], ['x']],
    [undefined, []],
    [null, []],
  ] as const)
    assert.deepEqual(chosenOf(selections), chosen, JSON.stringify(selections));
});
