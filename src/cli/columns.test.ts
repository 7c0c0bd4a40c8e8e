/** Tables of outside text: nothing in a cell reaches the terminal as a control, and no cell breaks its row. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { columns, listing } from './columns.ts';

const HOSTILE = [
  '\u001b]0;owned\u0007',
  '\u001b[2J',
  '\u009b31m',
  'a\rb',
  'x\u202Eevil',
  'two\nlines',
  'tab\u0008\u007f',
];

test('controls in cells are written out', () => {
  const shown = listing(
    ['name', 'more'],
    HOSTILE.map((text) => [text, text]),
    'none',
  );
  // oxlint-disable-next-line no-control-regex
  assert.doesNotMatch(shown, /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/);
  assert.equal(shown.split('\n').length, HOSTILE.length + 1, 'a row each');
  assert.match(shown, /⟨U\+001B⟩\]0;owned⟨U\+0007⟩/);
});

test('columns are as wide as what is shown', () => {
  assert.equal(
    columns([
      ['a', 'b'],
      ['\u001b', 'b'],
    ]),
    'a         b\n⟨U+001B⟩  b',
  );
});
