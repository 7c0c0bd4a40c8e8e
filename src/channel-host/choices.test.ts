// Buttons of ours: a press counts as its presser's own words, once, here, and only while something is asked.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { InboundMessage } from '../core/message.ts';
import { NOTHING_SAID } from '../core/said.ts';
import { readButtonRows } from '../sdk/button-rows.ts';
import { createChoices } from './choices.ts';

const address = { channel: 'pipe', accountId: 'default', chat: { kind: 'group', id: 'g' } } as const;
const asked = { of: [{ label: 'Deny', says: '/approve abcd1234 deny' }], expiresAt: 2000 };
const press = (pressed: string, over: Partial<InboundMessage> = {}): InboundMessage => ({
  id: '1',
  address,
  sender: { id: 'ann' },
  text: `callback_data: ${pressed}`,
  said: NOTHING_SAID,
  pressed,
  attachments: [],
  addressesBot: true,
  receivedAt: 0,
  ...over,
});

function opened() {
  const time = { now: 1000 };
  const choices = createChoices({
    now: () => time.now,
    capabilities: (channel) => (channel === 'pipe' ? { choices: true } : {}),
  });
  return { time, choices, data: choices.offer(address, asked)![0]!.data };
}

it('a press is what its presser would have typed', () => {
  const { choices, data } = opened();
  const read = choices.read(press(data, { address: { ...address, threadId: 't' } }));
  assert.deepEqual(read, { says: asked.of[0]!.says });
});

it('counts once for each person, and again when it was not taken', () => {
  const { choices, data } = opened();
  const ann = press(data);
  for (const _ of [1, 2]) assert.notEqual(choices.read(ann), 'gone', 'nobody took it yet');
  choices.taken(ann);
  assert.equal(choices.read(ann), 'gone');
  const bob = press(data, { sender: { id: 'bob' } });
  assert.notEqual(choices.read(bob), 'gone', 'who may not decide takes it from nobody');
});

it('counts in no other chat, not later, and not when it is made up', () => {
  const { choices, data, time } = opened();
  for (const other of [
    { ...address, chat: { kind: 'group', id: 'h' } },
    { ...address, chat: { kind: 'direct', id: 'g' } },
    { ...address, accountId: 'other' },
    { ...address, channel: 'desk' },
  ] as const)
    assert.equal(choices.read(press(data, { address: other })), 'gone');
  assert.equal(choices.read(press(`${data.slice(0, -1)}x`)), 'gone');
  assert.equal(choices.read(press('choice:')), 'gone');
  time.now = 2000;
  assert.equal(choices.read(press(data)), 'gone');
});

it('is offered where there are buttons, and leaves other presses alone', () => {
  const { choices, data } = opened();
  assert.equal(choices.offer({ ...address, channel: 'desk' }, asked), undefined);
  assert.equal(choices.offer(address, undefined), undefined);
  assert.notEqual(choices.offer(address, asked)![0]!.data, data);
  assert.equal(choices.read(press('yes')), undefined);
});

it('an agent makes no button that passes for one of these', () => {
  const { data } = opened();
  assert.throws(() => readButtonRows([[{ text: 'Picture', data }]], { maxDataBytes: 100 }), { code: 'invalid' });
});
