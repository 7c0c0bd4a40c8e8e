/** Problems are added and removed by cause; the status is updated when something changes. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { AccountFacts, ChannelProblem } from '../core/channel.ts';
import { present } from '../core/present.ts';
import { createProblemBoard } from './problem-board.ts';

const problem = (message: string, fix?: string): ChannelProblem => present({ kind: 'runtime', message, fix });

it('shows what is wrong together, and tells only what is new', () => {
  const reported: AccountFacts[] = [];
  const board = createProblemBoard((facts) => reported.push(facts));
  board.set('socket', undefined);
  assert.deepEqual(reported, [], 'nothing was wrong and nothing is');
  board.set('socket', problem('gone'));
  board.set('socket', problem('gone'));
  board.set('rival', problem('another', 'Stop it.'));
  board.set('rival', problem('another', 'Stop the other.'));
  board.set('socket', undefined);
  board.set('socket', undefined);
  board.set('rival', undefined);
  assert.deepEqual(
    reported.map(({ problems = [] }) => problems.map(({ message, fix }) => fix ?? message)),
    [['gone'], ['gone', 'Stop it.'], ['gone', 'Stop the other.'], ['Stop the other.'], []],
  );
});
