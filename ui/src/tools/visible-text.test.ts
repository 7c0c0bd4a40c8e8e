/** Hidden characters in a command are visible before it is approved. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { visibleRuns } from './visible-text.ts';

const shown = (text: string): string =>
  visibleRuns(text)
    .map((run) => (run.kind === 'hidden' ? `‹${run.text}›` : run.text))
    .join('');

test('terminal sequences, carriage returns and deletions are escapes, line feeds and tabs are not', () => {
  assert.equal(shown('a\x1b[2Kb\rc\td\ne\x08\x7f\x9b'), 'a‹\\e›[2Kb‹\\r›c\td\ne‹\\b›‹\\x7F›‹\\x9B›');
});

test('what turns, joins or hides letters is named by its code', () => {
  const hidden = [
    '\u202e',
    '\u202d',
    '\u2066',
    '\u2069',
    '\u200b',
    '\u200d',
    '\u200f',
    '\u00ad',
    '\ufeff',
    '\u2028',
    '\u00a0',
    '\u3000',
    '\u2800',
    '\u115f',
    '\u3164',
    '\u180e',
    '\ufe0f',
    '\u{e0041}',
    '\u{e000}',
    '\ud800',
    '\u061c',
    '\u034f',
  ];
  for (const char of hidden) {
    const runs = visibleRuns(`a${char}b`);
    assert.equal(runs.length, 3, `U+${char.codePointAt(0)!.toString(16)} stands apart`);
    assert.equal(runs[1]!.kind, 'hidden');
    assert.ok(!runs[1]!.text.includes(char) && runs[1]!.name, 'as an escape with a name');
  }
});

test('plain text is one run; letters that may look like others are told apart when asked for', () => {
  assert.deepEqual(visibleRuns('git status --short'), [{ text: 'git status --short' }]);
  assert.deepEqual(visibleRuns('grün'), [{ text: 'grün' }]);
  assert.deepEqual(
    visibleRuns('/usr/b\u0456n', { foreign: true }).map(({ text, kind }) => [text, kind]),
    [
      ['/usr/b', undefined],
      ['\u0456', 'foreign'],
      ['n', undefined],
    ],
  );
});
