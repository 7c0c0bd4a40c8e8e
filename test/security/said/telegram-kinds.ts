/** Every kind of Telegram message that can contain text of somebody else. */
import type { Circumstances } from '../../../src/channels/discord/inbound.ts';
import { telegramConfigSchema } from '../../../src/channels/telegram/config.ts';
import { normalise as telegram } from '../../../src/channels/telegram/inbound.ts';
import { createChatMemory } from '../../../src/channels/telegram/memory.ts';
import type { InboundMessage } from '../../../src/core/message.ts';

/** `typed`: what the sender typed; `evil`: words that are not theirs. */
export interface Words {
  readonly typed: string;
  readonly evil: string;
}

export interface Kind {
  readonly channel: string;
  readonly name: string;
  read(words: Words): InboundMessage | undefined;
}

export const voice = { file_id: 'f', file_unique_id: 'u', duration: 1, mime_type: 'audio/ogg' };

export const stranger = (evil: string) => ({ id: 666, is_bot: false, first_name: evil });

export const telegramKinds: Readonly<Record<string, (words: Words) => object>> = {
  'a name': ({ typed, evil }) => ({
    text: typed,
    from: { id: 501, is_bot: false, first_name: evil, last_name: evil, username: 'ann' },
  }),
  "the chat's title": ({ typed, evil }) => ({ text: typed, chat: { id: -1001, type: 'supergroup', title: evil } }),
  'a quote': ({ typed, evil }) => ({
    text: typed,
    reply_to_message: {
      message_id: 3,
      date: 1,
      chat: { id: -1001, type: 'supergroup', title: 'g' },
      from: stranger('x'),
      text: evil,
    },
  }),
  'a picked part': ({ typed, evil }) => ({
    text: typed,
    quote: { text: evil, position: 0, is_manual: true },
    reply_to_message: {
      message_id: 3,
      date: 1,
      chat: { id: -1001, type: 'supergroup', title: 'g' },
      from: stranger('x'),
      text: evil,
    },
  }),
  'a message of another chat': ({ typed, evil }) => ({
    text: typed,
    external_reply: { origin: { type: 'hidden_user', sender_user_name: evil, date: 1 } },
    quote: { text: evil, position: 0 },
  }),
  'a sticker': ({ evil }) => ({
    sticker: {
      file_id: 's',
      file_unique_id: 's',
      type: 'regular',
      width: 1,
      height: 1,
      is_animated: false,
      is_video: false,
      emoji: evil,
      set_name: evil,
    },
  }),
  'a poll': ({ evil }) => ({
    poll: {
      id: '1',
      question: evil,
      options: [{ text: evil, voter_count: 0 }],
      total_voter_count: 0,
      is_closed: false,
      is_anonymous: true,
      type: 'regular',
      allows_multiple_answers: false,
    },
  }),
  'a contact': ({ evil }) => ({ contact: { phone_number: '1', first_name: evil } }),
  'a place': ({ evil }) => ({
    venue: { location: { latitude: 1, longitude: 1 }, title: evil, address: evil },
    location: { latitude: 1, longitude: 1 },
  }),
  "a file's name": ({ evil }) => ({ document: { file_id: 'd', file_unique_id: 'd', file_name: evil } }),
  'a title of music': ({ evil }) => ({ audio: { ...voice, title: evil, performer: evil, file_name: evil } }),
  'a person mentioned by name': ({ typed, evil }) => ({
    text: `${typed} x`,
    entities: [{ type: 'text_mention', offset: typed.length + 1, length: 1, user: stranger(evil) }],
  }),
  ...Object.fromEntries(
    ['code', 'pre', 'blockquote', 'expandable_blockquote'].flatMap(
      (type): readonly (readonly [string, (words: Words) => object])[] => [
        [
          `text marked as ${type}`,
          ({ evil }) => ({ text: evil, entities: [{ type, offset: 0, length: evil.length }] }),
        ],
        [
          `text marked as ${type} behind words`,
          ({ typed, evil }) => ({
            text: `so ${typed} ${evil}`,
            entities: [{ type, offset: typed.length + 4, length: evil.length }],
          }),
        ],
        [
          `text marked as ${type} that passes for a command of the menu`,
          ({ evil }) => ({
            text: evil,
            entities: [
              { type: 'bot_command', offset: 0, length: /^\S*/.exec(evil)![0].length },
              { type, offset: 0, length: evil.length },
            ],
          }),
        ],
      ],
    ),
  ),
  'forwarded text': ({ evil }) => ({
    text: evil,
    forward_origin: { type: 'user', sender_user: stranger('x'), date: 1 },
  }),
  'forwarded text, by the menu': ({ evil }) => ({
    text: evil,
    entities: [{ type: 'bot_command', offset: 0, length: /^\S*/.exec(evil)![0].length }],
    forward_origin: { type: 'hidden_user', sender_user_name: 'x', date: 1 },
  }),
  'a forwarded channel post': ({ evil }) => ({
    text: evil,
    forward_origin: { type: 'channel', chat: { id: -1, type: 'channel', title: 'News' }, message_id: 1, date: 1 },
  }),
  'a forwarded picture': ({ evil }) => ({
    caption: evil,
    photo: [{ file_id: 'p', file_unique_id: 'p', width: 1, height: 1 }],
    forward_origin: { type: 'user', sender_user: stranger('x'), date: 1 },
  }),
  'a forwarded voice note': ({ evil }) => ({
    caption: evil,
    voice,
    forward_origin: { type: 'user', sender_user: stranger('x'), date: 1 },
  }),
  'an inline bot': ({ evil }) => ({ text: evil, via_bot: { id: 7, is_bot: true, first_name: 'gif', username: 'gif' } }),
};

export const telegramFixture = () => ({
  accountId: 'default',
  self: { id: 123456, username: 'test_bot' },
  config: telegramConfigSchema.parse({}),
  memory: createChatMemory(),
  menu: new Map([
    ['elevated', 'elevated'],
    ['config', 'config'],
    ['status', 'status'],
  ]),
});

export const telegramUpdate = (update: object): InboundMessage | undefined =>
  telegram(update as never, telegramFixture());

export const where = (evil: string): Circumstances => ({
  accountId: 'default',
  allowBots: false,
  self: { id: '900', name: 'Clawd', roles: [] },
  place: { id: '7001', kind: 'channel', name: evil, guildId: '8001' },
  guildName: evil,
  names: { role: () => evil, channel: () => evil },
  starter: { text: evil, sender: evil },
});
