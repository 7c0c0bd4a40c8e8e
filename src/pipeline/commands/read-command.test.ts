/** Which texts are commands (`spec/gateway.md` 4.6, cases 74-79, 106, 107, 131-134, 142, 150). */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { readCommand } from './read-command.ts';
import { COMMANDS } from './table.ts';
import { typed } from '../../core/saying.ts';

const read = (text: string, triggers = ['/new', '/reset']): string | undefined => {
  const found = readCommand(typed(text), COMMANDS, triggers);
  return found && [found.command.name, found.args, ...(found.rest === undefined ? [] : [found.rest])].join('|');
};

const CASES: readonly (readonly [text: string, read: string | undefined])[] = [
  ['/status', 'status|'],
  ['/STATUS', 'status|'],
  [' /status ', 'status|'],
  ['/commands', 'commands|'],
  ['/commands 2', 'commands|2'],
  ['/id', 'whoami|'],
  ['/status please', undefined],
  ['/status\nand more', 'status||and more'],
  ['/think high\nand more\n\nyet', 'think|high|and more\n\nyet'],
  ['hey /status', undefined],
  ['/statusx', undefined],
  ['/unknown', undefined],
  ['/compact keep names', 'compact|keep names'],
  ['/compact: keep names', 'compact|keep names'],
  ['/new', 'new|'],
  ['/NEW Fix /Users/Me/File', 'new|Fix /Users/Me/File'],
  ['/newer', undefined],
  ['/reset hi', 'reset|hi'],
  ['stop', 'stop|'],
  ['Stop', 'stop|'],
  ['esc', 'stop|'],
  ['interrupt', 'stop|'],
  ['please stop', undefined],
  ['stop it', undefined],
  ['/stop', 'stop|'],
  ['[Dec 4 17:35] stop', 'stop|'],
  ['[Dec 4 17:35] /stop', 'stop|'],
  ['[x] stop', undefined],
  ['[Dec 4 17:35] stop it', undefined],
  ['/think: high', 'think|high'],
  ['/t high', 'think|high'],
  ['/thinking xhigh', 'think|xhigh'],
  ['/thinkfoo', undefined],
  ['/think high please', undefined],
  ['/queue collect debounce:2s cap:25 drop:summarize', 'queue|collect debounce:2s cap:25 drop:summarize'],
  ['/queue up for me', undefined],
  ['/config set a={\n"b":1}', 'config|set a={\n"b":1}'],
  ['/elevated full do it', undefined],
  ['/elev', 'elevated|'],
  ['/dock_telegram', undefined],
  ['http://x/status', undefined],
  ['', undefined],
  ['/', undefined],
];

for (const [text, expected] of CASES) it(`reads ${JSON.stringify(text)}`, () => assert.equal(read(text), expected));

it('follows session.resetTriggers and nothing else', () => {
  assert.equal(read('fresh start', ['fresh']), 'new|start');
  assert.equal(read('/new', ['fresh']), undefined);
});
