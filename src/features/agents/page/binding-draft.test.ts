/** Drafts of bindings: what the difference shows, what is sent, and how the saved ones come back. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { backTo, bindingOf, draftDiff, draftOf, isChanged, moved, toSend, type Binding } from './binding-draft.ts';

const on = (channel: string): Binding => ({ agentId: 'a', match: { channel } });
const SAVED = ['x', 'y', 'z'].map(on);
const say = ({ match }: Binding): string => match.channel;

test('an unchanged draft differs in nothing and is sent as kept', () => {
  const draft = draftOf(SAVED);
  assert.equal(isChanged(draft, SAVED), false);
  assert.deepEqual(toSend(draft), [{ keep: 0 }, { keep: 1 }, { keep: 2 }]);
  assert.equal(moved(draft, 0, -1), draft);
  assert.equal(moved(draft, 2, 1), draft);
});

test('what moved, went and came is in the difference, and undoing gives the saved order', () => {
  const draft = [...moved(draftOf(SAVED), 2, -2).filter(({ keep }) => keep !== 1), { binding: on('new') }];
  assert.deepEqual(toSend(draft), [{ keep: 2 }, { keep: 0 }, on('new')]);
  assert.equal(draftDiff(SAVED, draft, say), '+z\n x\n+new\n-y\n-z');
  assert.deepEqual(backTo(SAVED, draft), [{ keep: 1 }, on('y'), { keep: 0 }]);
});

test('empty fields of the form narrow nothing', () => {
  const written = (fields: Record<string, string>) => bindingOf((name) => fields[name] ?? '');
  assert.deepEqual(written({ agentId: 'a', channel: 'x' }), on('x'));
  assert.deepEqual(written({ agentId: 'a', channel: 'x', peerKind: 'group', roles: '1, 2' }).match, {
    channel: 'x',
    roles: ['1', '2'],
    peer: { kind: 'group', id: '*' },
  });
});
