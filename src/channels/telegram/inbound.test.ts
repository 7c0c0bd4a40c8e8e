/** Recorded Telegram updates, and the result of each. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { telegramConfigSchema } from './config.ts';
import { normalise } from './inbound.ts';
import { createChatMemory } from './memory.ts';
import ignored from './samples/ignored.json' with { type: 'json' };
import malformed from './samples/malformed.json' with { type: 'json' };
import messages from './samples/messages.json' with { type: 'json' };
import type { UpdateContext } from './update-context.ts';

const context = (config: object = {}, more: Partial<UpdateContext> = {}): UpdateContext => ({
  accountId: 'default',
  self: { id: 123456, username: 'test_bot' },
  config: telegramConfigSchema.parse(config),
  memory: createChatMemory(),
  menu: new Map([
    ['status', 'status'],
    ['dock_x', 'dock-x'],
  ]),
  ...more,
});

const group = { id: -1001, type: 'supergroup', title: 'Group' };
const ann = { id: 501, is_bot: false, first_name: 'Ann' };
const said = (text: string, entities: object[] = [], more: object = {}): any => ({
  update_id: 1,
  message: { message_id: 9, date: 1, chat: group, from: ann, text, entities, ...more },
});

for (const { name, update, gives, ...rest } of messages as any[]) {
  test(`reads ${name}`, () => {
    const message = normalise(update, context(rest.config)) as any;
    for (const [key, value] of Object.entries(gives)) assert.deepEqual(message[key] ?? null, value, key);
  });
}

for (const { name, update } of ignored as any[])
  test(`passes over ${name}`, () => assert.equal(normalise(update, context()), undefined));

test('nonsense is refused by one kind of error or read as far as it goes, never by a hang', () => {
  for (const update of malformed as any[]) {
    try {
      const message = normalise(update, context());
      if (message) assert.equal(typeof message.text, 'string', JSON.stringify(update));
    } catch (error) {
      assert.ok(error instanceof TypeError, JSON.stringify(update));
    }
  }
});

test('a huge message is read in one go, and only so many of its mentions', () => {
  const text = '@test_bot '.repeat(50_000);
  const entities = Array.from({ length: 50_000 }, (_, index) => ({ type: 'mention', offset: index * 10, length: 9 }));
  const message = normalise(said(text, entities), context());
  assert.deepEqual([message?.text.length, message?.addressesBot], [text.length, true]);
});

test('marks that make no sense leave the words as they are', () => {
  for (const entities of [null, 'x', {}, [null, 7, 'x', {}, { type: 'mention', offset: '0', length: 9 }]]) {
    const message = normalise(said('@test_bot hello', entities as never), context());
    assert.deepEqual([message?.text, message?.addressesBot], ['@test_bot hello', false], JSON.stringify(entities));
  }
});

test('several mentions are taken out where they stand', () => {
  const text = '  @test_bot do @test_bot this';
  assert.equal(
    normalise(
      said(
        text,
        [2, 15].map((offset) => ({ type: 'mention', offset, length: 9 })),
      ),
      context(),
    )?.said,
    'do   this',
  );
});

test('a mention addresses the bot, and commands are read without it', () => {
  const mention = (text: string, of = '@test_bot'): any =>
    said(text, [{ type: 'mention', offset: text.indexOf(of), length: of.length }]);
  const read = (update: any): any => normalise(update, context());
  assert.deepEqual(
    [read(mention('@Test_Bot what now', '@Test_Bot')).addressesBot, read(mention('@test_bot /status')).said],
    [true, '/status'],
  );
  const other = read(mention('@bob what now', '@bob'));
  assert.deepEqual([other.addressesBot, other.mentionsOthers], [false, true]);
  const byId = read(
    said('you there', [
      { type: 'text_mention', offset: 0, length: 3, user: { id: 123456, is_bot: true, first_name: 'Test Bot' } },
    ]),
  );
  assert.deepEqual([byId.addressesBot, byId.mentionsOthers], [true, undefined]);
  assert.equal(
    read(
      said('you there', [
        { type: 'text_mention', offset: 0, length: 3, user: { id: 7, is_bot: false, first_name: 'X' } },
      ]),
    ).mentionsOthers,
    true,
  );
});

test(
  'a command with our name is native and loses the name; without it, in a group, it is text for whom it may ' +
    'concern',
  () => {
    const command = (text: string, length: number): any =>
      normalise(said(text, [{ type: 'bot_command', offset: 0, length }]), context());
    const ours = command('/dock_x@Test_Bot now', 16);
    assert.deepEqual([ours.text, ours.native, ours.addressesBot], ['/dock-x now', true, true]);
    const bare = command('/status', 7);
    assert.deepEqual([bare.text, bare.native, bare.addressesBot, bare.said], ['/status', undefined, false, '/status']);
    const unknown = command('/weather@test_bot Graz', 17);
    assert.deepEqual(
      [unknown.native, unknown.said, unknown.text],
      [undefined, '/weather Graz', '/weather@test_bot Graz'],
    );
  },
);

test('G212 a bot without a name of its own cannot be mentioned: everything is for it', () => {
  assert.equal(normalise(said('hello'), context({}, { self: { id: 123456 } }))?.addressesBot, true);
});

test('G213 two presses are two messages; one message and its edit have one key', () => {
  const press = (id: string): any => ({
    update_id: 5,
    callback_query: {
      id,
      from: ann,
      data: 'x',
      message: { message_id: 4, date: 1, chat: { id: 501, type: 'private' } },
    },
  });
  assert.notEqual(normalise(press('a'), context())?.key, normalise(press('b'), context())?.key);
  assert.equal(
    normalise(said('x'), context())?.key,
    normalise({ update_id: 9, edited_message: said('y').message } as any, context())?.key,
  );
});

test('G214 whose presses count is a setting', () => {
  const press = (config: object, from = 666, chat: object = group): any =>
    normalise(
      {
        update_id: 5,
        callback_query: { id: 'a', from: { ...ann, id: from }, data: 'x', message: { message_id: 4, date: 1, chat } },
      } as any,
      context(config),
    );
  const scope = (inlineButtons: string): object => ({ capabilities: { inlineButtons } });
  assert.equal(press({ groupAllowFrom: ['tg:666'] }).text, 'callback_data: x');
  assert.equal(press({ groups: { '-1001': { allowFrom: ['666'] } } }).text, 'callback_data: x');
  assert.deepEqual(
    [press(scope('all'))?.text, press(scope('group'))?.text, press(scope('dm')), press(scope('off'))],
    ['callback_data: x', 'callback_data: x', undefined, undefined],
  );
  assert.equal(press(scope('off'), 501, { id: 501, type: 'private' }), undefined);
});

test('G218 a reaction to a message of the bot is reported in its topic; the setting extends or disables it', () => {
  const memory = createChatMemory();
  memory.note({ chat: '-1002', messageId: '70', threadId: '42', own: true });
  const reaction = (messageId: number): any => ({
    update_id: 3,
    message_reaction: {
      chat: { id: -1002, type: 'supergroup', title: 'Forum', is_forum: true },
      message_id: messageId,
      user: ann,
      date: 1,
      old_reaction: [],
      new_reaction: [{ type: 'emoji', emoji: '🔥' }],
    },
  });
  const reported = (reactionNotifications: string, id = 70): any =>
    normalise(reaction(id), context({ reactionNotifications }, { memory }));
  assert.deepEqual(
    [reported('own').quiet, reported('own').address.threadId, reported('own').text],
    [true, '42', 'Ann reacted with 🔥 to your message 70.'],
  );
  assert.deepEqual([reported('off'), reported('own', 71), reported('all', 71).quiet], [undefined, undefined, true]);
  assert.equal(
    normalise(
      {
        update_id: 4,
        message_reaction: {
          ...reaction(70).message_reaction,
          old_reaction: [{ type: 'emoji', emoji: '🔥' }],
          new_reaction: [],
        },
      } as any,
      context({}, { memory }),
    ),
    undefined,
  );
});

test('our channel post that comes back in the discussion group is our own voice', () => {
  const memory = createChatMemory();
  memory.note({ chat: '-1005', messageId: '8', own: true });
  const copy = (messageId: number): any =>
    said('news', [], {
      from: { id: 777000, is_bot: false, first_name: 'Telegram' },
      sender_chat: { id: -1005, type: 'channel', title: 'News' },
      is_automatic_forward: true,
      forward_origin: {
        type: 'channel',
        date: 1,
        chat: { id: -1005, type: 'channel', title: 'News' },
        message_id: messageId,
      },
    });
  assert.deepEqual(
    [normalise(copy(8), context({}, { memory })), normalise(copy(9), context({}, { memory }))?.text],
    [undefined, 'news'],
  );
});

test('bots may write where the settings let them', () => {
  const bot = said('beep', [], { from: { id: 777, is_bot: true, first_name: 'Other' } });
  assert.deepEqual(
    [normalise(bot, context()), normalise(bot, context({ allowBots: true }))?.sender.isBot],
    [undefined, true],
  );
});
