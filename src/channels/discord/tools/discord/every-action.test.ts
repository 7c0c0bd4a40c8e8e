/**
 * Every action of the discord tool, as one table: what it asks of Discord, its gate, what it cannot do without, whose
 * permission it takes, what the audit log says, and the permission that the bot lacks.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { ANN, BOB, CHANNEL, GUILD, THREAD } from '../../fake-discord.ts';
import { discordActions } from '../../actions.ts';
import { DISCORD_CALLS } from './calls.ts';
import { answer, failed, openTool, type OpenTool } from './fake.ts';

interface Row {
  readonly input: object;
  /** What it asks of Discord; undefined: it goes through the outbox. */
  readonly asks?: `${'GET' | 'PUT' | 'POST' | 'PATCH' | 'DELETE'} ${string}`;
  readonly gate: string;
  /** The permission whoever asked has to have, and the bot as well, by Discord's name. */
  readonly takes?: string;
  /** Nothing but the bot itself may refuse it. */
  readonly own?: true;
}

/** Stands for the id of a message that Ann wrote. */
const M = '«message»';
const channel = `/channels/${CHANNEL}`;
const message = `${channel}/messages/${M}`;
const guild = `/guilds/${GUILD}`;
const media = 'https://pictures.example/a.png';

const ROWS: Readonly<Record<string, Row>> = {
  react: {
    input: { messageId: M, emoji: 'x' },
    asks: `PUT ${message}/reactions/x/@me`,
    gate: 'reactions',
    takes: 'AddReactions',
  },
  reactions: { input: { messageId: M }, asks: `GET ${message}`, gate: 'reactions', takes: 'ReadMessageHistory' },
  sticker: { input: { stickerIds: ['1'] }, asks: `POST ${channel}/messages`, gate: 'stickers', takes: 'SendMessages' },
  poll: {
    input: { question: 'Q', answers: ['a', 'b'] },
    asks: `POST ${channel}/messages`,
    gate: 'polls',
    takes: 'SendPolls',
  },
  permissions: { input: {}, asks: `GET ${guild}`, gate: 'permissions', takes: 'ViewChannel' },
  fetchMessage: { input: { messageId: M }, asks: `GET ${message}`, gate: 'messages', takes: 'ReadMessageHistory' },
  readMessages: { input: {}, asks: `GET ${channel}/messages`, gate: 'messages', takes: 'ReadMessageHistory' },
  sendMessage: { input: { content: 'hi' }, gate: 'messages' },
  editMessage: { input: { messageId: M, content: 'new' }, gate: 'messages', own: true },
  deleteMessage: {
    input: { messageId: M, reason: 'r' },
    asks: `DELETE ${message}`,
    gate: 'messages',
    takes: 'ManageMessages',
  },
  threadCreate: {
    input: { name: 'plans' },
    asks: `POST ${channel}/threads`,
    gate: 'threads',
    takes: 'CreatePublicThreads',
  },
  threadList: { input: {}, asks: `GET ${guild}/threads/active`, gate: 'threads' },
  threadReply: { input: { channelId: THREAD, content: 'hi' }, gate: 'threads' },
  pinMessage: {
    input: { messageId: M, reason: 'r' },
    asks: `PUT ${channel}/messages/pins/${M}`,
    gate: 'pins',
    takes: 'ManageMessages',
  },
  unpinMessage: {
    input: { messageId: M, reason: 'r' },
    asks: `DELETE ${channel}/messages/pins/${M}`,
    gate: 'pins',
    takes: 'ManageMessages',
  },
  listPins: { input: {}, asks: `GET ${channel}/messages/pins`, gate: 'pins', takes: 'ReadMessageHistory' },
  searchMessages: { input: { content: 'x' }, asks: `GET ${guild}/messages/search`, gate: 'search' },
  memberInfo: { input: { userId: BOB }, asks: `GET ${guild}/members/${BOB}`, gate: 'memberInfo' },
  roleInfo: { input: {}, asks: `GET ${guild}/roles`, gate: 'roleInfo' },
  emojiList: { input: {}, asks: `GET ${guild}/emojis`, gate: 'reactions' },
  emojiUpload: {
    input: { name: 'party', mediaUrl: media, reason: 'r' },
    asks: `POST ${guild}/emojis`,
    gate: 'emojiUploads',
    takes: 'ManageGuildExpressions',
  },
  stickerUpload: {
    input: { name: 'party', mediaUrl: media, description: 'a party', tags: 'tada', reason: 'r' },
    asks: `POST ${guild}/stickers`,
    gate: 'stickerUploads',
    takes: 'ManageGuildExpressions',
  },
  roleAdd: {
    input: { userId: BOB, roleId: '4001', reason: 'r' },
    asks: `PUT ${guild}/members/${BOB}/roles/4001`,
    gate: 'roles',
    takes: 'ManageRoles',
  },
  roleRemove: {
    input: { userId: BOB, roleId: '4001', reason: 'r' },
    asks: `DELETE ${guild}/members/${BOB}/roles/4001`,
    gate: 'roles',
    takes: 'ManageRoles',
  },
  channelInfo: { input: {}, asks: `GET ${channel}`, gate: 'channelInfo', takes: 'ViewChannel' },
  channelList: { input: {}, asks: `GET ${guild}/channels`, gate: 'channelInfo' },
  channelCreate: {
    input: { name: 'x', reason: 'r' },
    asks: `POST ${guild}/channels`,
    gate: 'channels',
    takes: 'ManageChannels',
  },
  channelEdit: {
    input: { channelId: CHANNEL, name: 'x', reason: 'r' },
    asks: `PATCH ${channel}`,
    gate: 'channels',
    takes: 'ManageChannels',
  },
  channelDelete: {
    input: { channelId: CHANNEL, reason: 'r' },
    asks: `DELETE ${channel}`,
    gate: 'channels',
    takes: 'ManageChannels',
  },
  channelMove: {
    input: { channelId: CHANNEL, position: 2, reason: 'r' },
    asks: `PATCH ${guild}/channels`,
    gate: 'channels',
    takes: 'ManageChannels',
  },
  categoryCreate: {
    input: { name: 'x', reason: 'r' },
    asks: `POST ${guild}/channels`,
    gate: 'channels',
    takes: 'ManageChannels',
  },
  categoryEdit: {
    input: { categoryId: CHANNEL, name: 'x', reason: 'r' },
    asks: `PATCH ${channel}`,
    gate: 'channels',
    takes: 'ManageChannels',
  },
  categoryDelete: {
    input: { categoryId: CHANNEL, reason: 'r' },
    asks: `DELETE ${channel}`,
    gate: 'channels',
    takes: 'ManageChannels',
  },
  channelPermissionSet: {
    input: { channelId: CHANNEL, targetId: '4001', deny: ['SendMessages'], reason: 'r' },
    asks: `PUT ${channel}/permissions/4001`,
    gate: 'channels',
    takes: 'ManageRoles',
  },
  channelPermissionRemove: {
    input: { channelId: CHANNEL, targetId: '4001', reason: 'r' },
    asks: `DELETE ${channel}/permissions/4001`,
    gate: 'channels',
    takes: 'ManageRoles',
  },
  voiceStatus: { input: { userId: BOB }, asks: `GET ${guild}/voice-states/${BOB}`, gate: 'voiceStatus' },
  eventList: { input: {}, asks: `GET ${guild}/scheduled-events`, gate: 'events' },
  eventCreate: {
    input: { name: 'x', startTime: '2030-01-01T00:00:00Z', channelId: CHANNEL, reason: 'r' },
    asks: `POST ${guild}/scheduled-events`,
    gate: 'events',
    takes: 'ManageEvents',
  },
  timeout: {
    input: { userId: BOB, durationMinutes: 1, reason: 'r' },
    asks: `PATCH ${guild}/members/${BOB}`,
    gate: 'moderation',
    takes: 'ModerateMembers',
  },
  kick: {
    input: { userId: BOB, reason: 'r' },
    asks: `DELETE ${guild}/members/${BOB}`,
    gate: 'moderation',
    takes: 'KickMembers',
  },
  ban: {
    input: { userId: BOB, reason: 'r' },
    asks: `PUT ${guild}/bans/${BOB}`,
    gate: 'moderation',
    takes: 'BanMembers',
  },
};

const GATES = [...new Set(Object.values(ROWS).map(({ gate }) => gate))];
const gates = (on: boolean): Readonly<Record<string, boolean>> => Object.fromEntries(GATES.map((gate) => [gate, on]));
const open = ['conversations'] as const;
/** It moderates the server: for the owner alone, unless somebody has it done in a conversation of their own. */
const goesFar = (action: string): boolean => {
  const known = discordActions.find(({ name }) => name === DISCORD_CALLS[action]!.does);
  return known?.moderates !== undefined && known.reach === 'place';
};
const put = (id: string, value: object): any => JSON.parse(JSON.stringify(value).replaceAll(M, id));
const spelled = ({ method, path }: OpenTool['fake']['calls'][number]): string => `${method} ${path}`;
const reads = (asks: string): boolean => asks.startsWith('GET ');

describe('every action of the discord tool', () => {
  it('has its row, with the gate and the permission of its channel action', () => {
    assert.deepEqual(Object.keys(ROWS).toSorted(), Object.keys(DISCORD_CALLS).toSorted());
    for (const [action, { gate, takes }] of Object.entries(ROWS)) {
      const known = discordActions.find(({ name }) => name === DISCORD_CALLS[action]!.does);
      if (!known) continue; // what every channel can do, like editing
      assert.equal(known.gate, gate, action);
      const needed = [known.moderates ?? known.needs ?? []].flat();
      if (takes !== undefined && action !== 'deleteMessage') assert.ok(needed.includes(takes), `${action}: ${needed}`);
    }
  });

  for (const [action, row] of Object.entries(ROWS))
    it(`${action} asks Discord for what its row says, and says who wanted it`, async () => {
      await using s = await openTool({ actions: gates(true), by: ANN, member: true, owner: goesFar(action), open });
      const id = await s.write('of Ann');
      const given = row.own ? (await answer(s.run('sticker', { stickerIds: ['1'] }))).messageId : id;
      s.server.voice.set(BOB, CHANNEL);
      const since = s.fake.calls.length;
      const said = await answer(s.run(action, put(given, row.input)));
      assert.equal(typeof said, 'object', 'an answer');
      const asked = s.fake.calls.slice(since);
      if (row.asks === undefined) {
        const sent = row.own ? asked.some(({ method }) => method === 'PATCH') : s.sent().length === 1;
        return assert.ok(sent, 'it goes the way of answers');
      }
      const call = asked.find((one) => spelled(one) === put(given, { asks: row.asks }).asks);
      assert.ok(call, asked.map(spelled).join('\n'));
      if ('reason' in row.input) assert.equal(call.reason, `r (asked by ${ANN})`);
    });

  describe('is refused', () => {
    let [off, on, bob, weak]: (OpenTool | undefined)[] = [];
    let id = '';
    before(async () => {
      [off, on, bob, weak] = await Promise.all([
        openTool({ actions: gates(false), owner: true }),
        openTool({ actions: gates(true), owner: true }),
        openTool({ actions: gates(true), by: BOB, member: true, open }),
        openTool({ actions: gates(true), owner: true }),
      ]);
      weak!.server.botMay('ViewChannel');
      weak!.server.everybodyMay();
      bob!.server.everybodyMay('ViewChannel');
      bob!.server.botMay('ViewChannel', 'ReadMessageHistory', 'ManageMessages'); // what is denied is denied to Bob
      [id = ''] = await Promise.all([bob!, weak!, on!].map((one) => one.write('of Ann')));
    });
    after(async () => {
      for (const one of [off, on, bob, weak]) await one?.[Symbol.asyncDispose]();
    });
    /** Nothing changed on Discord. */
    const unchanged = async (s: OpenTool, run: () => Promise<string>): Promise<string> => {
      const since = s.fake.calls.length;
      const said = await run();
      const changes = s.fake.calls
        .slice(since)
        .map(spelled)
        .filter((one) => !reads(one));
      assert.deepEqual([changes, s.sent().length], [[], 0]);
      return said;
    };

    for (const [action, { input, gate, takes, asks }] of Object.entries(ROWS)) {
      it(`${action} where its gate ${gate} is off, and without what it needs`, async () => {
        assert.match(
          await unchanged(off!, () => failed(off!.run(action, put('1', input)))),
          new RegExp(`turned off.*actions\\.${gate}`),
        );
        for (const name of DISCORD_CALLS[action]!.required) {
          const without = Object.fromEntries(Object.entries(put('1', input)).filter(([key]) => key !== name));
          assert.match(
            await unchanged(on!, () => failed(on!.run(action, without))),
            new RegExp(`${action} needs ${name}\\.`),
          );
        }
      });

      if (takes === undefined || asks === undefined) continue;
      if (takes !== 'ViewChannel')
        it(`${action} to people who lack ${takes} there`, async () => {
          assert.match(
            await unchanged(bob!, () => failed(bob!.run(action, put(id, input)))),
            goesFar(action)
              ? /only within their own conversation/
              : new RegExp(`${BOB} does not have the permission (?:\\w+, )*${takes}`),
          );
        });
      if (!reads(asks) && action !== 'poll')
        it(`${action} to a bot that lacks ${takes}, with its name`, async () => {
          assert.match(await failed(weak!.run(action, put(id, input))), new RegExp(`lacks [\\w, ]*${takes}`));
        });
    }
  });
});
