// The directive inside a message: found where it stands alone as a word, gone from what the model reads.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readCommand } from './read-command.ts';
import { COMMANDS } from './table.ts';
import { takeElevated } from './elevated.ts';

const CASES: readonly (readonly [said: string, text: string, level: string | undefined])[] = [
  ['/elevated full make it', 'make it', 'full'],
  ['make it /elev on now', 'make it now', 'on'],
  ['please /elevated: ask', 'please', 'ask'],
  ['/ELEVATED OFF go', 'go', 'off'],
  ['one /elevated on two /elevated full', 'one two', 'full'],
  ['see https://x/elevated full', 'see https://x/elevated full', undefined],
  ['the /elevated command', 'the /elevated command', undefined],
  ['/elevatedfull x', '/elevatedfull x', undefined],
  ['path/elevated full', 'path/elevated full', undefined],
];

for (const [said, text, level] of CASES) test(`reads ${JSON.stringify(said)}`, () => {
  const taken = takeElevated(said);
  assert.deepEqual([taken.text, taken.level], [text, level]);
});

test('alone it is a command, among words it is not', () => {
  const name = (text: string): string | undefined => readCommand(text, COMMANDS, [])?.command.name;
  assert.deepEqual([name('/elevated full'), name('/elev'), name('/elevated'), name('/elevated full do it')], ['elevated', 'elevated', 'elevated', undefined]);
  assert.deepEqual([name('/approve'), name('/approve ab12 once')], ['approve', 'approve']);
});
