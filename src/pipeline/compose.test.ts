/** What the model gets to read of what people wrote (`spec/gateway.md` 2.6, 2.7, cases 74-79, 98, 102). */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { InboundRow } from '../journal/rows.ts';
import { accepted, type Sample } from '../testing/sample-inbound.ts';
import { GREETING } from './commands/new.ts';
import { composeText, composeTurn, readReset } from './compose.ts';

const TRIGGERS = ['/new', '/reset'];
const row = (text: string, over: Sample = {}): InboundRow => ({ ...accepted({ ...over, text }), seq: 1, runId: 'r', state: 'accepted', steered: false, acceptedAt: 0 });

it('leaves ordinary text as it is', () => assert.equal(composeText(row(' hi\n/there '), TRIGGERS), ' hi\n/there '));

it('lets a reset stand for the text behind it, or for a greeting', () => {
  assert.equal(composeText(row('/NEW Fix /Users/Me/File'), TRIGGERS), 'Fix /Users/Me/File');
  assert.equal(composeText(row('/new'), TRIGGERS), GREETING);
  assert.equal(composeText(row('fresh'), ['fresh']), GREETING);
  assert.equal(composeText(row('/new'), ['fresh']), '/new');
});

it('takes a reset for ordinary text from whoever may not reset', () => {
  assert.equal(composeText(row('/new', { authorized: false }), TRIGGERS), '/new');
  assert.equal(composeText(row('/new', { commands: false }), TRIGGERS), '/new');
  assert.equal(readReset(row('/new', { authorized: false }), TRIGGERS), undefined);
});

it('takes other commands for no reset', () => assert.equal(readReset(row('/status'), TRIGGERS), undefined));

it('makes one text of several messages and of those that gave way', () => {
  assert.equal(composeTurn([row('a')], [], TRIGGERS), 'a');
  assert.equal(
    composeTurn([row('a'), row('b')], [row('x\ny')], TRIGGERS),
    '[Queued messages while agent was busy]\n[Queue overflow] Dropped 1 message(s) due to cap.\n- x y\n---\nQueued #1\na\n---\nQueued #2\nb',
  );
});
