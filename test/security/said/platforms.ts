/** One message of each platform, with hostile text everywhere except where its sender types. */
import { normalise as discord } from '../../../src/channels/discord/inbound.ts';
import { normaliseInteraction } from '../../../src/channels/discord/interaction.ts';
import { slackSchema } from '../../../src/channels/slack/config.ts';
import { normalise as slack } from '../../../src/channels/slack/inbound.ts';
import type { InboundContext } from '../../../src/channels/slack/inbound-context.ts';
import { updateOf } from '../../../src/channels/slack/update.ts';
import type { InboundMessage } from '../../../src/core/message.ts';
import { type Words, type Kind, voice, stranger, telegramKinds, telegramUpdate, where } from './telegram-kinds.ts';
const discordKinds: Readonly<Record<string, (words: Words) => object>> = {
  'a nickname': ({ typed, evil }) => ({
    content: typed,
    member: { nick: evil, roles: [] },
    author: { id: '501', username: 'ann', global_name: evil },
  }),
  "a mentioned person's name": ({ typed, evil }) => ({
    content: `<@666> ${typed}`,
    mentions: [{ id: '666', username: 'x', global_name: evil, member: { nick: evil } }],
  }),
  "only a mentioned person's name": ({ evil }) => ({
    content: '<@666>',
    mentions: [{ id: '666', username: 'x', global_name: evil }],
  }),
  'the bot and a mentioned person': ({ evil }) => ({
    content: '<@900> <@666>',
    mentions: [{ id: '666', username: 'x', member: { nick: evil } }],
  }),
  "a role's name": () => ({ content: '<@&4001>' }),
  "a channel's name": () => ({ content: '<#7002>' }),
  'the bot and a channel': () => ({ content: '<@900> <#7002>' }),
  'a sticker': ({ evil }) => ({ content: '', sticker_items: [{ id: '1', name: evil, format_type: 1 }] }),
  'a sticker beside words': ({ typed, evil }) => ({
    content: typed,
    sticker_items: [{ id: '1', name: evil, format_type: 1 }],
  }),
  'an embed': ({ evil }) => ({
    content: '',
    embeds: [{ title: evil, description: evil, fields: [{ name: evil, value: evil }] }],
  }),
  'an unfurled link': ({ typed, evil }) => ({
    content: `${typed} https://x.example`,
    embeds: [{ title: evil, description: evil }],
  }),
  'a poll': ({ evil }) => ({
    content: '',
    poll: { question: { text: evil }, answers: [{ poll_media: { text: evil } }] },
  }),
  'a quote': ({ typed, evil }) => ({
    content: typed,
    type: 19,
    message_reference: { message_id: '5', channel_id: '7001' },
    referenced_message: { id: '5', author: { id: '666', username: evil }, content: evil },
  }),
  'a forward': ({ evil }) => ({
    content: '',
    message_reference: { type: 1, message_id: '5', channel_id: '7002' },
    message_snapshots: [{ message: { content: evil, timestamp: '2026-01-01T00:00:00Z' } }],
  }),
  'a forward with files': ({ evil }) => ({
    content: '',
    message_reference: { type: 1, message_id: '5', channel_id: '7002' },
    message_snapshots: [
      {
        message: {
          content: evil,
          attachments: [
            { id: '1', filename: 'v.ogg', content_type: 'audio/ogg', url: 'https://cdn.discordapp.com/x', size: 1 },
          ],
          flags: 1 << 13,
        },
      },
    ],
  }),
  "a file's name": ({ evil }) => ({
    content: '',
    attachments: [{ id: '1', filename: evil, url: 'https://cdn.discordapp.com/x', size: 1 }],
  }),
  'a link to a command of another app': ({ typed }) => ({ content: `${typed} </elevated full:123456>` }),
};
const discordMessage = (body: object, evil: string): InboundMessage | undefined =>
  discord(
    {
      id: '10',
      channel_id: '7001',
      type: 0,
      timestamp: '2026-01-01T00:00:00Z',
      author: { id: '501', username: 'ann' },
      attachments: [],
      embeds: [],
      mentions: [],
      ...body,
    } as never,
    where(evil),
  );

const slackContext = (evil: string): InboundContext => ({
  accountId: 'default',
  self: { userId: 'U0BOT00001', botId: 'B0BOT00001', teamId: 'T0TEAM0001', teamName: evil, handle: evil },
  config: slackSchema.parse({ reactionNotifications: 'all' }),
  users: new Map([
    ['U0ANN00001', { name: evil, handle: evil }],
    ['U0BAD00001', { name: evil, handle: evil }],
  ]),
  rooms: new Map([
    ['C0GENERAL1', { kind: 'channel', name: evil, members: 2 }],
    ['C0BAD00001', { kind: 'channel', name: evil }],
  ]),
  kindOf: () => undefined,
  threadOf: () => undefined,
  commands: new Set(),
  now: 1_763_800_100_000,
  starter: { text: evil, sender: evil },
});
const slackKinds: Readonly<Record<string, (words: Words) => object>> = {
  "a person's name": ({ typed }) => ({ text: `<@U0BAD00001> ${typed}` }),
  "only a person's name": () => ({ text: '<@U0BAD00001>' }),
  "the bot and a person's name": () => ({ text: '<@U0BOT00001> <@U0BAD00001>' }),
  'a label on a person': ({ evil }) => ({ text: `<@U0BAD00001|${evil}>` }),
  "a channel's name": () => ({ text: '<#C0BAD00001>' }),
  'a label on a channel': ({ evil }) => ({ text: `<#C0BAD00001|${evil}>` }),
  'the bot and a label on a channel': ({ evil }) => ({ text: `<@U0BOT00001> <#C0BAD00001|${evil}>` }),
  "a team's label": ({ evil }) => ({ text: `<!subteam^S1|${evil}>` }),
  "a link's label": ({ evil }) => ({ text: `<https://x.example|${evil}>` }),
  "a date's fallback": ({ evil }) => ({ text: `<!date^1^{date}|${evil}>` }),
  "the bot's own name": ({ typed }) => ({ text: `<@U0BOT00001> ${typed}` }),
  'a shared message': ({ typed, evil }) => ({
    text: typed,
    attachments: [{ is_share: true, ts: '1.000001', text: evil, author_name: evil }],
  }),
  'only a shared message': ({ evil }) => ({
    text: '',
    attachments: [{ is_share: true, ts: '1.000001', text: evil, author_name: evil }],
  }),
  'an unfurled link': ({ typed, evil }) => ({
    text: `${typed} <https://x.example>`,
    attachments: [{ text: evil, fallback: evil, from_url: 'https://x.example' }],
  }),
  'words below the message': ({ evil }) => ({ text: '', attachments: [{ text: evil, fallback: evil }] }),
  "a file's name": ({ typed, evil }) => ({
    text: typed,
    files: [
      {
        id: 'F1',
        name: evil,
        title: evil,
        mimetype: 'text/plain',
        size: 1,
        url_private_download: 'https://files.slack.com/x',
      },
    ],
  }),
};
const slackEvent = (event: object, evil: string): InboundMessage | undefined =>
  slack(
    updateOf('events_api', {
      team_id: 'T0TEAM0001',
      event: {
        type: 'message',
        user: 'U0ANN00001',
        ts: '1763800000.000100',
        channel: 'C0GENERAL1',
        channel_type: 'channel',
        ...event,
      },
    })!,
    slackContext(evil),
  );

const kindsOf = (
  channel: string,
  kinds: Readonly<Record<string, (words: Words) => object>>,
  read: (body: object, evil: string) => InboundMessage | undefined,
): readonly Kind[] =>
  Object.entries(kinds).map(([name, make]) => ({ channel, name, read: (words) => read(make(words), words.evil) }));

/** Acts that are no words at all. */
const silent: readonly Kind[] = [
  {
    channel: 'telegram',
    name: 'a button',
    read: ({ evil }) =>
      telegramUpdate({
        update_id: 1,
        callback_query: {
          id: 'c',
          from: stranger('x'),
          data: evil.slice(0, 60),
          chat_instance: '1',
          message: { message_id: 4, date: 1, chat: { id: 501, type: 'private', first_name: 'Ann' }, text: evil },
        },
      }),
  },
  {
    channel: 'telegram',
    name: 'a reaction',
    read: ({ evil }) =>
      telegramUpdate({
        update_id: 1,
        message_reaction: {
          chat: { id: 501, type: 'private', first_name: evil },
          message_id: 4,
          date: 1,
          user: stranger(evil),
          old_reaction: [],
          new_reaction: [{ type: 'emoji', emoji: '👍' }],
        },
      }),
  },
  {
    channel: 'discord',
    name: 'a button',
    read: ({ evil }) =>
      normaliseInteraction(
        {
          id: '11',
          type: 3,
          token: 't',
          application_id: '900',
          user: { id: '501', username: 'ann' },
          data: { custom_id: evil },
          message: { id: '5', content: evil },
        } as never,
        { ...where(evil), commands: [], deferred: false },
      ),
  },
  {
    channel: 'discord',
    name: 'a menu',
    read: ({ evil }) =>
      normaliseInteraction(
        {
          id: '11',
          type: 3,
          token: 't',
          application_id: '900',
          user: { id: '501', username: 'ann' },
          data: { custom_id: 'm', values: [evil] },
        } as never,
        { ...where(evil), commands: [], deferred: false },
      ),
  },
  {
    channel: 'slack',
    name: 'a button',
    read: ({ evil }) =>
      slack(
        updateOf('interactive', {
          type: 'block_actions',
          user: { id: 'U0ANN00001', name: evil },
          channel: { id: 'D0ANN00001' },
          message: { ts: '1.000001', user: 'U0BOT00001', text: evil },
          actions: [{ value: evil }],
          trigger_id: '2',
        })!,
        slackContext(evil),
      ),
  },
  {
    channel: 'slack',
    name: 'a reaction',
    read: ({ evil }) =>
      slack(
        updateOf('events_api', {
          event: {
            type: 'reaction_added',
            user: 'U0ANN00001',
            reaction: evil,
            item: { channel: 'C0GENERAL1', ts: '1.000001' },
            item_user: 'U0BOT00001',
            event_ts: '2.000001',
          },
        })!,
        slackContext(evil),
      ),
  },
];

const OGG = { id: '1', filename: 'v.ogg', content_type: 'audio/ogg', url: 'https://cdn.discordapp.com/x', size: 1 };
const CLIP = {
  id: 'F1',
  name: 'clip.m4a',
  subtype: 'slack_audio',
  mimetype: 'audio/mp4',
  size: 1,
  user: 'U0ANN00001',
  url_private_download: 'https://files.slack.com/x',
};
const telegramSound = (body: object): InboundMessage =>
  telegramUpdate({
    update_id: 1,
    message: {
      message_id: 9,
      date: 1,
      chat: { id: 501, type: 'private', first_name: 'Ann' },
      from: { id: 501, is_bot: false, first_name: 'Ann' },
      ...body,
    },
  })!;

/** Messages of nothing but sound; `own`: the sender recorded it for this message, as the platform itself says. */
export const SOUNDS: readonly { readonly name: string; readonly own: boolean; readonly message: InboundMessage }[] = [
  { name: 'telegram: a voice note', own: true, message: telegramSound({ voice }) },
  {
    name: 'telegram: a piece of music',
    own: false,
    message: telegramSound({ audio: { ...voice, file_name: 'song.mp3' } }),
  },
  {
    name: 'telegram: a file with sound',
    own: false,
    message: telegramSound({
      document: { file_id: 'd', file_unique_id: 'd', mime_type: 'audio/ogg', file_name: 'voice.ogg' },
    }),
  },
  {
    name: 'telegram: a forwarded voice note',
    own: false,
    message: telegramSound({ voice, forward_origin: { type: 'user', sender_user: stranger('x'), date: 1 } }),
  },
  {
    name: 'telegram: a voice note of an inline bot',
    own: false,
    message: telegramSound({ voice, via_bot: { id: 7, is_bot: true, first_name: 'v', username: 'v' } }),
  },
  {
    name: 'discord: a voice note',
    own: true,
    message: discordMessage({ content: '', flags: 1 << 13, attachments: [OGG] }, 'x')!,
  },
  {
    name: 'discord: a file with sound',
    own: false,
    message: discordMessage({ content: '', attachments: [OGG] }, 'x')!,
  },
  {
    name: 'discord: a forwarded voice note',
    own: false,
    message: discordMessage(discordKinds['a forward with files']!({ typed: '', evil: '' }), 'x')!,
  },
  { name: 'slack: a clip', own: true, message: slackEvent({ text: '', files: [CLIP] }, 'x')! },
  {
    name: 'slack: a clip of somebody else, shared',
    own: false,
    message: slackEvent({ text: '', files: [{ ...CLIP, user: 'U0BAD00001' }] }, 'x')!,
  },
  {
    name: 'slack: a file with sound',
    own: false,
    message: slackEvent({ text: '', files: [{ ...CLIP, subtype: undefined }] }, 'x')!,
  },
];

export const KINDS: readonly Kind[] = [
  ...kindsOf('telegram', telegramKinds, (body) =>
    telegramUpdate({
      update_id: 1,
      message: {
        message_id: 9,
        date: 1,
        chat: { id: 501, type: 'private', first_name: 'Ann' },
        from: { id: 501, is_bot: false, first_name: 'Ann' },
        ...body,
      },
    }),
  ),
  ...kindsOf('discord', discordKinds, discordMessage),
  ...kindsOf('slack', slackKinds, slackEvent),
  ...silent,
];
