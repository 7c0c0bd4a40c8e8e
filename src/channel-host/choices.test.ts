// Buttons of ours: a press counts as its presser's own, here, only while something is asked, and after a restart.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { it } from 'node:test';
import type { InboundMessage } from '../core/message.ts';
import { present } from '../core/present.ts';
import { NOTHING_SAID } from '../core/said.ts';
import { createJournal } from '../journal/create-journal.ts';
import { typed } from '../core/saying.ts';
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
      capabilities: (channel) => ({
        deliverable: channel !== 'desk',
        ...(channel === 'pipe' ? { choices: true } : {}),
      }),
    });
  const choices = create();
  const [deny, allow] = (await choices.offer(address, SESSION, once ? { ...asked, once } : asked))!.buttons!;
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
  assert.notEqual((await choices.offer(address, SESSION, asked))!.buttons![0]!.data, deny);
  assert.equal(choices.read(press('yes')), undefined);
});

it('an agent makes no button that passes for one of these', async () => {
  await using given = await opened();
  const forged = [[{ text: 'Picture', data: given.deny }]];
  assert.throws(() => readButtonRows(forged, { maxDataBytes: 100 }), { code: 'invalid' });
});

const chat = { channel: 'plain', accountId: 'default', chat: { kind: 'direct', id: 'ann' } } as const;
const OF_ANN = 'agent:main:main';
const words = (text: string, over: Partial<InboundMessage> = {}): InboundMessage => {
  const { pressed: _pressed, ...message } = press('', { address: chat, text, said: typed(text), ...over });
  return message;
};
const saysOf = (read: Press | 'gone' | undefined) => (typeof read === 'object' ? read.choice.says : read);

it('is offered as numbers where there are no buttons, and a number is what its sender would have typed', async () => {
  await using given = await opened();
  const { choices } = given;
  const offered = await choices.offer(chat, OF_ANN, asked);
  assert.deepEqual(offered, { line: 'Reply with a number: 1 Deny · 2 Allow' });
  for (const text of ['2', ' 2 ', '2.', '2)']) assert.equal(saysOf(choices.read(words(text))), asked.of[1]!.says);
  assert.equal(keyOf(choices.read(words('1'))), keyOf(choices.read(words('2'))), 'one answer below a question');
  assert.notEqual(keyOf(choices.read(words('1'))), keyOf(choices.read(words('1', { sender: { id: 'bob' } }))));
  const before = choices.read(words('2'));
  assert.deepEqual((await given.restart()).read(words('2')), before);
});

it('names the menu of a number, and takes each choice of a surface for itself', async () => {
  await using given = await opened();
  const of = [
    { label: 'Red', menu: 'Paint', tells: 'red' },
    { label: 'Blue', menu: 'Paint', tells: 'blue' },
  ];
  const shown = await given.choices.offer(chat, OF_ANN, { of, once: 'button', expiresAt: 9e9 });
  assert.equal(shown?.line, 'Reply with a number: 1 Paint: Red · 2 Paint: Blue');
  assert.notEqual(keyOf(given.choices.read(words('1'))), keyOf(given.choices.read(words('2'))));
  given.state.now += 3_600_000;
  assert.equal(given.choices.read(words('2')), undefined, 'an hour later a number is a number');
});

it('takes no number for an answer that is none', async () => {
  await using given = await opened();
  const { choices, state } = given;
  await choices.offer(chat, OF_ANN, asked);
  const group = { ...chat, chat: { kind: 'group', id: 'g' } } as const;
  assert.match((await choices.offer(group, SESSION, asked))!.line!, /^Mention me with a number: 1 Deny/);
  for (const [why, message] of [
    ['more than the number', words('2 apples')],
    ['no such number', words('3')],
    ['nothing', words('0')],
    ['three digits', words('002')],
    ['another alphabet', words('２')],
    ['only composed', words('2', { said: NOTHING_SAID })],
    ['passed on', words('2', { forwarded: { from: 'Eve' } })],
    ['an edit', words('2', { editVersion: 5 })],
    ['quiet', words('2', { quiet: true })],
    ['said to others in a group', words('2', { address: group, addressesBot: false })],
    ['another chat', words('2', { address: { ...chat, chat: { kind: 'direct', id: 'bob' } } })],
    ['below a file', words('2', { attachments: [{ kind: 'image', mime: 'image/png' }] })],
    ['to their own message', words('2', { quoted: { id: '7', senderId: 'ann' } })],
    ['with a place', words('2', { location: { latitude: 1, longitude: 2 } })],
    ['another account', words('2', { address: { ...chat, accountId: 'other' } })],
  ] as const)
    assert.equal(choices.read(message), undefined, why);
  const named = `number:${JSON.stringify(['plain', 'default', 'direct', 'ann'])}:2`;
  assert.equal(choices.read(press(named, { address: chat })), undefined, 'the name of a number is no button');
  assert.equal(saysOf(choices.read(words('2', { address: group }))), asked.of[1]!.says);
  state.now = 2000;
  assert.equal(choices.read(words('2')), undefined, 'too late');
});

it('open questions of one chat share no number, and who answers late does not answer the next one', async () => {
  await using given = await opened();
  const { choices, state } = given;
  const next = { of: [{ label: 'Deny', says: '/approve ffff0000 deny' }], expiresAt: 900_000 };
  const line = async (offered: Parameters<typeof choices.offer>[2]) =>
    (await choices.offer(chat, OF_ANN, offered))?.line;
  const [first, second] = await Promise.all([line(asked), line(asked)]);
  assert.match(`${first} ${second}`, /1 Deny · 2 Allow.* 3 Deny · 4 Allow/, 'also at the same time');
  state.now = 2001;
  assert.match((await line(next))!, /5 Deny/);
  assert.equal(choices.read(words('1')), undefined);
  assert.equal(saysOf(choices.read(words('5'))), next.of[0]!.says);
  state.now = 700_000;
  assert.match((await line(next))!, /6 Deny/, 'the fifth is open still');
  state.now = 2_000_000;
  const many = { of: Array.from({ length: 99 }, (_, at) => ({ label: `${at}`, says: `/${at}` })), expiresAt: 9e9 };
  assert.match((await line(many))!, /: 1 0 ·/);
  assert.equal(await line(next), undefined, 'no number is left: the words say how to answer');
});

it('a chat keeps no more than its newest 200, and takes nothing from another', async () => {
  await using given = await opened();
  const { choices, state } = given;
  const h = { ...address, chat: { kind: 'group', id: 'h' } } as const;
  const data: string[] = [];
  for (let at = 0; at < 101; at++) {
    state.now++;
    data.push((await choices.offer(h, SESSION, { ...asked, expiresAt: 1_000_000 - at }))!.buttons![0]!.data);
  }
  assert.equal(choices.read(press(data[0]!, { address: h })), 'gone');
  assert.ok(typeof choices.read(press(data[1]!, { address: h })) === 'object');
  assert.ok(typeof choices.read(press(given.deny)) === 'object');
});

it('is the answer of whoever asked, in the thread it was asked in', async () => {
  await using given = await opened();
  const { choices } = given;
  const here = { ...chat, chat: { kind: 'group', id: 'g' }, threadId: 'one' } as const;
  await choices.offer(here, SESSION, { ...asked, requestedBy: 'bob' });
  const said = (id: string, threadId?: string) =>
    saysOf(choices.read(words('2', { address: present({ ...here, threadId }), sender: { id } })));
  assert.equal(said('bob', 'one'), asked.of[1]!.says);
  assert.equal(said('ann', 'one'), undefined, 'whom somebody made to say a number');
  assert.equal(said('bob', 'two'), undefined);
  assert.equal(said('bob'), undefined);
  const { line } = (await choices.offer({ ...here, threadId: 'two' }, SESSION, asked))!;
  assert.match(line!, /3 Deny/, 'numbers of a chat stay different');
});

it('offers no number where a number must not decide', async () => {
  await using given = await opened();
  const { choices } = given;
  assert.equal(await choices.offer(chat, OF_ANN, { ...asked, buttonsOnly: true }), undefined);
  assert.equal(choices.read(words('1')), undefined);
  assert.equal((await choices.offer(address, SESSION, { ...asked, buttonsOnly: true }))?.buttons?.length, 2);
});
