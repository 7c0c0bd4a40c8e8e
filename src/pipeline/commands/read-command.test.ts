/** Which texts are commands (`spec/gateway.md` 4.6, cases 74-79, 106, 131-134). */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { readCommand } from './read-command.ts';
import { COMMANDS } from './table.ts';

const read = (text: string, triggers = ['/new', '/reset']): string | undefined => {
  const found = readCommand(text, COMMANDS, triggers);
  return found && `${found.command.name}|${found.args}`;
};

const CASES: readonly (readonly [text: string, read: string | undefined])[] = [
  ['/status', 'status|'], ['/STATUS', 'status|'], [' /status ', 'status|'], ['/commands', 'help|'],
  ['/status please', undefined], ['/status\nand more', undefined], ['hey /status', undefined], ['/statusx', undefined], ['/unknown', undefined],
  ['/compact keep names', 'compact|keep names'], ['/compact: keep names', 'compact|keep names'],
  ['/new', 'new|'], ['/NEW Fix /Users/Me/File', 'new|Fix /Users/Me/File'], ['/newer', undefined], ['/reset hi', 'reset|hi'],
  ['stop', 'stop|'], ['Stop', 'stop|'], ['esc', 'stop|'], ['interrupt', 'stop|'], ['please stop', undefined], ['stop it', undefined], ['/stop', 'stop|'],
  ['http://x/status', undefined], ['', undefined], ['/', undefined],
];

for (const [text, expected] of CASES) it(`reads ${JSON.stringify(text)}`, () => assert.equal(read(text), expected));

it('follows session.resetTriggers and nothing else', () => {
  assert.equal(read('fresh start', ['fresh']), 'new|start');
  assert.equal(read('/new', ['fresh']), undefined);
});
