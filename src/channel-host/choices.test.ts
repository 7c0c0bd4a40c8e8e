// Buttons of ours: a press counts as its presser's own, here, only while something is asked, and after a restart.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { it } from 'node:test';
import type { InboundMessage } from '../core/message.ts';
import { NOTHING_SAID } from '../core/said.ts';
import { createJournal } from '../journal/create-journal.ts';
import { readButtonRows } from '../sdk/button-rows.ts';
import { tempDir } from '../testing/temp-dir.ts';
import { CHOICE_TABLES } from './choice-tables.ts';
import { createChoices, type Press } from './choices.ts';

const SESSION = 'agent:main:pipe:group:g';
const address = { channel: 'pipe', accountId: 'default', chat: { kind: 'group', id: 'g' } } as const;
const asked = {
  of: [
    { label: 'Deny', says: '/approve abcd1234 deny' },
    { label: 'Allow', says: '/approve abcd1234 allow-once' },
  ],
  expiresAt: 2000,
};
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

async function opened(once?: 'button') {
  const dir = await tempDir('choices');
  const path = join(dir.path, 'journal.sqlite');
  const begin = () => createJournal({ path, tables: [CHOICE_TABLES] });
  const state = { now: 1000, journal: begin() };
  const create = () =>
    createChoices({
      rows: state.journal.tables(CHOICE_TABLES),
      now: () => state.now,
      capabilities: (channel) => (channel === 'pipe' ? { choices: true } : {}),
    });
  const choices = create();
  const [deny, allow] = (await choices.offer(address, SESSION, once ? { ...asked, once } : asked))!;
  return {
    state,
    choices,
    deny: deny!.data,
    allow: allow!.data,
    async restart() {
      await state.journal.close();
      state.journal = begin();
      return create();
    },
    async [Symbol.asyncDispose]() {
      await state.journal.close();
      await dir[Symbol.asyncDispose]();
    },
  };
}
const keyOf = (read: Press | 'gone' | undefined): string => (typeof read === 'object' ? read.key : assert.fail('gone'));

it('a press is what its presser would have typed, also after a restart', async () => {
  await using given = await opened();
  const thread = press(given.deny, { address: { ...address, threadId: 't' } });
  const read = given.choices.read(thread);
  assert.ok(typeof read === 'object');
  assert.deepEqual([read.choice.says, read.sessionKey], [asked.of[0]!.says, SESSION]);
  assert.deepEqual((await given.restart()).read(thread), read);
});

it('counts once for each person: one answer below a question, every button of a surface', async () => {
  for (const once of [undefined, 'button'] as const) {
    await using given = await opened(once);
    const of = (data: string, id = 'ann') => keyOf(given.choices.read(press(data, { sender: { id } })));
    assert.equal(of(given.deny), of(given.deny));
    assert.equal(of(given.deny) === of(given.allow), once === undefined);
    assert.notEqual(of(given.deny), of(given.deny, 'bob'), 'who may not decide takes it from nobody');
  }
});

it('counts in no other chat, not later, and not when it is made up', async () => {
  await using given = await opened();
  const { choices, deny, state } = given;
  for (const other of [
    { ...address, chat: { kind: 'group', id: 'h' } },
    { ...address, chat: { kind: 'direct', id: 'g' } },
    { ...address, accountId: 'other' },
    { ...address, channel: 'desk' },
  ] as const)
    assert.equal(choices.read(press(deny, { address: other })), 'gone');
  assert.equal(choices.read(press(`${deny.slice(0, -1)}x`)), 'gone');
  assert.equal(choices.read(press('choice:')), 'gone');
  state.now = 2000;
  assert.equal(choices.read(press(deny)), 'gone');
});

it('is offered where there are buttons, and leaves other presses alone', async () => {
  await using given = await opened();
  const { choices, deny } = given;
  assert.equal(await choices.offer({ ...address, channel: 'desk' }, SESSION, asked), undefined);
  assert.equal(await choices.offer(address, SESSION, undefined), undefined);
  assert.equal(await choices.offer(address, SESSION, { ...asked, of: [] }), undefined);
  assert.notEqual((await choices.offer(address, SESSION, asked))![0]!.data, deny);
  assert.equal(choices.read(press('yes')), undefined);
});

it('an agent makes no button that passes for one of these', async () => {
  await using given = await opened();
  const forged = [[{ text: 'Picture', data: given.deny }]];
  assert.throws(() => readButtonRows(forged, { maxDataBytes: 100 }), { code: 'invalid' });
});
