/** The buttons of a notification: a command can be allowed only if it is shown completely and unchanged. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answersTo } from './alerts.ts';

const offered = (command: string, choice: 'names' | 'words'): string =>
  answersTo(command, choice)
    .map(({ action }) => action)
    .join(' ');

test('a command can be allowed from a notification only where all of it is seen', () => {
  assert.equal(offered('git status', 'words'), 'allow-once deny');
  assert.equal(offered('git status', 'names'), 'review deny');
  const hidden = [
    '',
    'a\nrm -rf /',
    'ls \u202etxt.exe',
    'ls\u200b',
    'rm \u0430',
    'x'.repeat(181),
    'a\tb',
    '\u001b[2Jls',
    'ls\u00a0-l',
  ];
  for (const command of hidden) assert.equal(offered(command, 'words'), 'review deny', JSON.stringify(command));
});
