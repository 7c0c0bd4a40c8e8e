/** The doorway: order of arrival is order of entry, per session, whatever takes its time. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createDoorway } from './doorway.ts';

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

it('lets nobody overtake in one session, and everybody in another', async () => {
  const door = createDoorway();
  const slow = Promise.withResolvers<string>();
  const entered: string[] = [];
  const enter = (key: string, ready: Promise<string>) =>
    door.pass(key, ready).then(
      (name) => entered.push(name),
      (error: Error) => entered.push(error.message),
    );
  enter('s', slow.promise);
  enter('s', Promise.resolve('quick'));
  enter('other', Promise.resolve('elsewhere'));
  await turn();
  assert.deepEqual(entered, ['elsewhere']);
  enter('s', Promise.resolve('last'));
  slow.resolve('slow');
  await turn();
  assert.deepEqual(entered, ['elsewhere', 'slow', 'quick', 'last']);
  assert.equal(door.size, 0);
});

it('turns one away without keeping the next', async () => {
  const door = createDoorway();
  const slow = Promise.withResolvers<string>();
  const entered: string[] = [];
  const enter = (ready: Promise<string>) =>
    door.pass('s', ready).then(
      (name) => entered.push(name),
      (error: Error) => entered.push(error.message),
    );
  enter(slow.promise);
  enter(Promise.reject(new Error('disk full')));
  enter(Promise.resolve('next'));
  await turn();
  assert.deepEqual(entered, ['disk full'], 'the next one still waits for the first');
  slow.resolve('first');
  await turn();
  assert.deepEqual([entered, door.size], [['disk full', 'first', 'next'], 0]);
});
