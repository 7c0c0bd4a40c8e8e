// Names decide nothing where ids are configured: an id matches only the id, whatever a server, chat, thread, role or
// person is called.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { listing } from '../../../src/pipeline/access/sender-list.ts';
import { lintNames } from '../../../src/config/lint-names.ts';
import type { Sender } from '../../../src/core/message.ts';
import { bindingsConfigSchema } from '../../../src/pipeline/routing/config.ts';
import { lintBindings } from '../../../src/pipeline/routing/lint-bindings.ts';
import {
  agentFor,
  broadcasts,
  CHANNELS,
  denied,
  gate,
  elevates,
  sessionOf,
  reportedOf,
  type At,
  type ChannelId,
} from './harness.ts';

const GUILD = '812345678901234567';
const EVIL = '899999999999999999';
const ROOM = '712345678901234567';
const OTHER = '799999999999999999';
const ANN = '512345678901234567';
const SLACK_ROOM = 'C0123456789';
const SLACK_OTHER = 'C0999999999';
const GROUP = '-1001234567890';
const OTHER_GROUP = '-1009999999999';

/** Ways to be called like an id. */
const fullwidth = (id: string): string =>
  id.replace(/[!-~]/g, (letter) => String.fromCodePoint(letter.codePointAt(0)! + 0xfee0));
const likeId = (id: string): readonly string[] => [
  id,
  ` ${id} `,
  `#${id}`,
  `${id}!`,
  `_${id}_`,
  `<${id}>`,
  `discord:${id}`,
  `channel:${id}`,
  `<#${id}>`,
  `🔥${id}`,
  `${id.slice(0, 4)}\u200b${id.slice(4)}`,
  fullwidth(id),
];

/** True: the attack went through. */
type Attack = readonly [name: string, through: () => boolean | Promise<boolean>];
const evilGuild = (name: string, at: Partial<At> = {}): At => ({
  id: OTHER,
  spaceId: EVIL,
  names: { space: name, chat: 'general' },
  ...at,
});
const evilRoom = (name: string, at: Partial<At> = {}): At => ({
  id: OTHER,
  spaceId: GUILD,
  names: { space: 'Home', chat: name },
  ...at,
});
const slackRoom = (name: string | undefined, at: Partial<At> = {}): At => ({
  id: SLACK_OTHER,
  spaceId: 'T0123456789',
  ...(name === undefined ? {} : { names: { chat: name } }),
  ...at,
});
const deny = (...tools: string[]): object => ({ tools: { deny: tools } });
const named = (id: string): Sender => ({ id: '1', name: id, handle: id });

// biome-ignore format: a table reads as a table
const ATTACKS: readonly Attack[] = [
  ...likeId(GUILD).map((name): Attack => [`a Discord server called ${name}`, () => gate('discord', { guilds: { [GUILD]: {} } }, evilGuild(name)).lets]),
  ...[`discord:${GUILD}`, `guild:${GUILD}`, `#${GUILD}`].map((key): Attack => [`a Discord server called like the prefixed key ${key}`, () => gate('discord', { guilds: { [key]: {} } }, evilGuild(key)).lets]),
  ...likeId(ROOM).map((name): Attack => [`a Discord channel called ${name}`, () => gate('discord', { guilds: { [GUILD]: { channels: { [ROOM]: {} } } } }, evilRoom(name)).lets]),
  ...[`channel:${ROOM}`, `<#${ROOM}>`, `discord:channel:${ROOM}`].map((key): Attack => [`a Discord channel called like the prefixed key ${key}`, () => gate('discord', { guilds: { [GUILD]: { channels: { [key]: {} } } } }, evilRoom(key)).lets]),
  ...[ROOM, `#${ROOM}`, `${ROOM}?`].map((name): Attack => [`a Discord group chat called ${name}`, () => gate('discord', { allowFrom: ['*'], dm: { groupEnabled: true, groupChannels: [ROOM] } }, { kind: 'group', id: OTHER, names: { chat: name } }).lets]),
  ['a Discord server called like an id has the looser limits of that server', () => !denied('discord', { guilds: { [GUILD]: deny('cron'), '*': deny('exec') } }, evilGuild(GUILD)).includes('exec')],
  ['a Discord channel called like an id has the looser limits of that channel', () => !denied('discord', { guilds: { [GUILD]: { channels: { [ROOM]: deny('cron'), '*': deny('exec') } } } }, evilRoom(`${ROOM}!`)).includes('exec')],
  ['a Discord server called like an id loses the need of a mention', () => !gate('discord', { guilds: { [GUILD]: { requireMention: false }, '*': {} } }, evilGuild(GUILD)).rules.group.requireMention.value],
  ['a Discord channel called like an id has the instructions of that channel', () => gate('discord', { guilds: { [GUILD]: { channels: { [ROOM]: { systemPrompt: 'the code is 42' }, '*': {} } } } }, evilRoom(ROOM)).rules.systemPrompt !== undefined],
  ['a Discord channel called like an id has the people of that channel', () => gate('discord', { guilds: { [GUILD]: { channels: { [ROOM]: {}, '*': { users: [ANN] } } } } }, evilRoom(ROOM)).lets],
  ['a Discord thread called like an id', () => gate('discord', { guilds: { [GUILD]: { channels: { [ROOM]: {} } } } }, evilRoom('elsewhere', { threadId: '788', names: { chat: 'elsewhere', thread: ROOM } })).lets],
  ['a Discord thread called like a listed name', () => gate('discord', { guilds: { [GUILD]: { channels: { general: {} } } } }, evilRoom('elsewhere', { threadId: '788', names: { chat: 'elsewhere', thread: 'general' } })).lets],
  ['a Discord channel with an underscore for the dash of a listed one', () => gate('discord', { guilds: { [GUILD]: { channels: { 'ops-team': {} } } } }, evilRoom('ops_team')).lets],
  ['two keys that one name fits: the looser', () => gate('discord', { guilds: { [GUILD]: { channels: { 'Ops Team': {}, 'ops  team': { users: [ANN] } } } } }, evilRoom('ops-team')).lets],
  ['a second Discord server with a listed name', async () => gate('discord', { guilds: { home: {} } }, evilGuild('', { names: await reportedOf([{ id: GUILD, name: 'Home', channels: [] }, { id: EVIL, name: 'Home', channels: [{ id: OTHER, name: 'general' }] }], OTHER, EVIL) ?? {} })).lets],
  ['a second Discord server whose name has the same slug', async () => gate('discord', { guilds: { 'ops-team': {} } }, evilGuild('', { names: await reportedOf([{ id: GUILD, name: 'Ops Team', channels: [] }, { id: EVIL, name: 'ops-team!', channels: [{ id: OTHER, name: 'x' }] }], OTHER, EVIL) ?? {} })).lets],
  ['a second Discord channel with a listed name', async () => gate('discord', { guilds: { [GUILD]: { channels: { general: {} } } } }, evilRoom('', { names: await reportedOf([{ id: GUILD, name: 'Home', channels: [{ id: ROOM, name: 'general' }, { id: OTHER, name: 'general' }] }], OTHER, GUILD) ?? {} })).lets],
  ['a second Discord server takes the first out of its limits', async () => !denied('discord', { guilds: { home: deny('exec'), '*': {} } }, { id: ROOM, spaceId: GUILD, names: await reportedOf([{ id: GUILD, name: 'Home', channels: [{ id: ROOM, name: 'x' }] }, { id: EVIL, name: 'Home', channels: [] }], ROOM, GUILD) ?? {} }).includes('exec')],
  ['a second Discord server opens the first to all where * is open', async () => gate('discord', { guilds: { home: { users: [ANN] }, '*': {} } }, { id: ROOM, spaceId: GUILD, names: await reportedOf([{ id: GUILD, name: 'Home', channels: [{ id: ROOM, name: 'x' }] }, { id: EVIL, name: 'Home', channels: [] }], ROOM, GUILD) ?? {} }).lets],

  ...[SLACK_ROOM, `#${SLACK_ROOM}`, `channel:${SLACK_ROOM}`, `slack:channel:${SLACK_ROOM}`, `<#${SLACK_ROOM}>`, `<#${SLACK_ROOM}|general>`, SLACK_ROOM.toLowerCase()].flatMap((key): readonly Attack[] => [
    [`a Slack channel renamed to the id of the key ${key}`, () => gate('slack', { channels: { [key]: {} } }, slackRoom(SLACK_ROOM.toLowerCase())).lets],
    [`a Slack channel renamed to the key ${key}`, () => gate('slack', { channels: { [key]: {} } }, slackRoom(key.toLowerCase())).lets],
  ]),
  ['a Slack channel called like an id has the looser limits of that channel', () => !denied('slack', { channels: { [SLACK_ROOM]: deny('cron'), '*': deny('exec') } }, slackRoom(SLACK_ROOM.toLowerCase())).includes('exec')],
  ['a Slack channel called like an id has the people of that channel', () => gate('slack', { channels: { [SLACK_ROOM]: { requireMention: false }, '*': { users: ['U0123456789'] } } }, slackRoom(SLACK_ROOM.toLowerCase())).rules.group.requireMention.value === false],
  ['a Slack channel with an underscore for the dash has the looser limits', () => !denied('slack', { channels: { 'ops-team': deny('cron'), '*': deny('exec') } }, slackRoom('ops_team')).includes('exec')],
  ['a refused Slack channel whose name was not told in time, where all others are open', () => gate('slack', { groupPolicy: 'open', channels: { '#secret': { allow: false } } }, slackRoom(undefined)).lets],
  ['a Slack channel with few people whose name was not told in time', () => gate('slack', { channels: { '#secret': { users: ['U0123456789'] }, '*': {} } }, slackRoom(undefined)).lets],
  ['a Slack group chat called like an id', () => gate('slack', { allowFrom: ['*'], dm: { groupChannels: ['G0123456789'] } }, { kind: 'group', id: 'G0999999999', names: { chat: 'G0123456789' } }).lets],

  ...[GROUP, `tg:${GROUP}`, `telegram:group:${GROUP}`].map((key): Attack => [`a Telegram group titled ${key}`, () => gate('telegram', { groups: { [key]: {} }, groupAllowFrom: ['*'] }, { kind: 'group', id: OTHER_GROUP, names: { chat: key } }).lets]),
  ['a Telegram group titled like a key that is a name', () => gate('telegram', { groups: { Family: {} }, groupAllowFrom: ['*'] }, { kind: 'group', id: OTHER_GROUP, names: { chat: 'Family' } }).lets],
  ['a Telegram group that is shut under a prefixed key', () => gate('telegram', { groups: { [`tg:${GROUP}`]: { enabled: false }, '*': {} }, groupAllowFrom: ['*'] }, { kind: 'group', id: GROUP }).lets],
  ['a Telegram topic called like the number of another', () => denied('telegram', { groups: { [GROUP]: { ...deny('exec'), topics: { 42: deny('cron') } } } }, { kind: 'group', id: GROUP, threadId: '7', names: { thread: '42' } }).join() !== 'exec'],
  ['a Telegram group whose id is a word of the language', () => gate('telegram', { groups: { [GROUP]: {} }, groupAllowFrom: ['*'] }, { kind: 'group', id: 'constructor' }).lets],
  ['a topic whose id is a word of the language', () => gate('telegram', { groups: { [GROUP]: { topics: {} } }, groupAllowFrom: [] }, { kind: 'group', id: GROUP, threadId: 'constructor' }).rules.systemPrompt !== undefined],

  ...([['discord', ANN], ['slack', 'U0123456789'], ['telegram', '7550356539']] as const).flatMap(([channel, id]): readonly Attack[] => [
    [`${channel}: a person called like a listed id`, () => gate(channel, { dmPolicy: 'allowlist', allowFrom: [id] }, { kind: 'direct', id: '1', sender: named(id) }).lets],
    [`${channel}: a person called like a listed name`, () => gate(channel, { dmPolicy: 'allowlist', allowFrom: ['@ann', 'ann', 'Ann'] }, { kind: 'direct', id: '1', sender: { id: '1', name: 'Ann', handle: 'ann' } }).lets],
    [`${channel}: a person called like a listed id may command in a group`, () => gate(channel, { groupPolicy: 'open', allowFrom: [id] }, { kind: 'channel', id: '1', sender: named(id) }).commands],
    [`${channel}: an id in other digits`, () => listing([fullwidth(id)], id, CHANNELS[channel]) !== 'absent' || listing([id], fullwidth(id), CHANNELS[channel]) !== 'absent'],
    [`${channel}: an empty entry and nobody`, () => listing(['', ' ', `${channel}:`], '', CHANNELS[channel]) !== 'absent'],
    [`${channel}: a limit for one person under a prefixed id`, () => !denied(channel, { groups: { x: { toolsBySender: { [`${channel}:${id}`]: { deny: ['exec'] } } } } }, { kind: 'group', id: 'x', sender: { id } }).includes('exec')],
    [`${channel}: a limit for one person under user:<id>`, () => !denied(channel, { groups: { x: { toolsBySender: { [`user:${id}`]: { deny: ['exec'] } } } } }, { kind: 'group', id: 'x', sender: { id } }).includes('exec')],
    [`${channel}: a limit for one person under a name`, () => !denied(channel, { groups: { x: { toolsBySender: { '@mallory': { deny: ['exec'] } } } } }, { kind: 'group', id: 'x' }).includes('exec')],
    [`${channel}: a person called like the id of a looser limit`, () => !denied(channel, { groups: { x: { toolsBySender: { [id]: { deny: ['cron'] }, '*': { deny: ['exec'] } } } } }, { kind: 'group', id: 'x', sender: named(id) }).includes('exec')],
    [`${channel}: who may elevate, by a name that a sender has for an id`, () => elevates(channel, 'mallory', 'mallory') || elevates(channel, '@mallory', '@mallory') || elevates(channel, fullwidth(id), id)],
    [`${channel}: a bound chat by its name`, () => agentFor({ peer: { kind: 'channel', id: 'general' } }, channel, { id: '1', names: { chat: 'general' } }) === 'bound'],
    [`${channel}: a broadcast by a name`, () => broadcasts('general', channel, { id: '1', names: { chat: 'general' } })],
    [`${channel}: a target by a name`, () => CHANNELS[channel].parseTarget!('channel:general') !== undefined || CHANNELS[channel].parseTarget!('Ann') !== undefined],
  ]),
  ...(['discord', 'slack', 'telegram'] as const).map((channel): Attack => [`${channel}: a limit for one person under a bare name`, () => !denied(channel, { groups: { x: { toolsBySender: { mallory: { deny: ['exec'] } } } } }, { kind: 'group', id: 'x' }).includes('exec')]),
  ['a bound server by its name', () => agentFor({ guildId: GUILD }, 'discord', evilGuild(GUILD)) === 'bound'],
  ['a bound role by its name', () => agentFor({ guildId: GUILD, roles: ['412345678901234567'] }, 'discord', { id: ROOM, spaceId: GUILD, roles: ['499999999999999999', '@412345678901234567'] }) === 'bound'],
  ['a bound team by its name', () => agentFor({ teamId: 'T0123456789' }, 'slack', slackRoom('x', { spaceId: 'T0999999999', names: { space: 'T0123456789' } })) === 'bound'],
  ['a person whose id is the name of linked ids', () => sessionOf('irc', 'ann', { ann: ['telegram:7550356539'] }) === sessionOf('telegram', '7550356539', { ann: ['telegram:7550356539'] })],
];

/** True: it works as it should. */
// biome-ignore format: a table reads as a table
const NEIGHBOURS: readonly Attack[] = [
  ['a Discord server by its id', () => gate('discord', { guilds: { [GUILD]: {} } }, { id: ROOM, spaceId: GUILD }).lets],
  ...[`discord:${GUILD}`, `guild:${GUILD}`].map((key): Attack => [`a Discord server by ${key}`, () => gate('discord', { guilds: { [key]: {} } }, { id: ROOM, spaceId: GUILD }).lets]),
  ...[`channel:${ROOM}`, `<#${ROOM}>`, `discord:channel:${ROOM}`, `#${ROOM}`].map((key): Attack => [`a Discord channel by ${key}`, () => gate('discord', { guilds: { [GUILD]: { channels: { [key]: {} } } } }, { id: ROOM, spaceId: GUILD }).lets]),
  ...['home-base', 'Home Base', 'discord:home-base'].map((key): Attack => [`a Discord server by its name, as ${key}`, () => gate('discord', { guilds: { [key]: {} } }, { id: ROOM, spaceId: GUILD, names: { space: 'Home Base' } }).lets]),
  ...['general', '#general', 'General', 'channel:general'].map((key): Attack => [`a Discord channel by its name, as ${key}`, () => gate('discord', { guilds: { [GUILD]: { channels: { [key]: {} } } } }, evilRoom('general')).lets]),
  ['a Discord channel by its name among others', async () => gate('discord', { guilds: { home: { channels: { general: {} } } } }, { id: ROOM, spaceId: GUILD, names: await reportedOf([{ id: GUILD, name: 'Home', channels: [{ id: ROOM, name: 'general' }, { id: OTHER, name: 'random' }] }, { id: EVIL, name: 'Elsewhere', channels: [{ id: '5', name: 'general' }] }], ROOM, GUILD) ?? {} }).lets],
  ['a Discord thread of a listed channel, whatever it is called', () => gate('discord', { guilds: { [GUILD]: { channels: { [ROOM]: {} } } } }, { id: ROOM, threadId: '788', spaceId: GUILD, names: { chat: 'general', thread: OTHER } }).lets],
  ['a Discord server that is not listed, under *', () => gate('discord', { guilds: { [GUILD]: {}, '*': {} } }, evilGuild(GUILD)).lets],
  ['a Discord group chat by its id and by its name', () => ['55', 'us-three', 'Us Three'].every((entry) => gate('discord', { allowFrom: ['*'], dm: { groupEnabled: true, groupChannels: [entry] } }, { kind: 'group', id: '55', names: { chat: 'Us Three' } }).lets)],
  ['limits of a Discord server by its name', () => denied('discord', { guilds: { 'home-base': deny('exec'), '*': deny('cron') } }, { id: ROOM, spaceId: GUILD, names: { space: 'Home Base', chat: 'x' } }).join() === 'exec'],
  ...[SLACK_ROOM, `#${SLACK_ROOM}`, `channel:${SLACK_ROOM}`, `slack:channel:${SLACK_ROOM}`, `<#${SLACK_ROOM}|general>`, SLACK_ROOM.toLowerCase()].map((key): Attack => [`a Slack channel by ${key}`, () => gate('slack', { channels: { [key]: {} } }, { id: SLACK_ROOM, names: { chat: 'x' } }).lets]),
  ...['general', '#general', 'channel:general', 'slack:#general'].map((key): Attack => [`a Slack channel by its name, as ${key}`, () => gate('slack', { channels: { [key]: {} } }, slackRoom('general')).lets]),
  ['a Slack channel whose name has a year in it', () => gate('slack', { channels: { '#customers2026': {} } }, slackRoom('customers2026')).lets],
  ['a Slack channel whose name was not told, where names open and do not shut', () => gate('slack', { channels: { '#general': { requireMention: false }, '*': {} } }, slackRoom(undefined)).lets],
  ['limits of a Slack channel by its id, in the letters of a session', () => denied('slack', { channels: { [SLACK_ROOM]: deny('exec'), '*': deny('cron') } }, { id: SLACK_ROOM.toLowerCase() }).join() === 'exec'],
  ...[GROUP, `tg:${GROUP}`, `telegram:${GROUP}`, `telegram:group:${GROUP}`].map((key): Attack => [`a Telegram group by ${key}`, () => gate('telegram', { groups: { [key]: {} }, groupAllowFrom: ['*'] }, { kind: 'group', id: GROUP }).lets]),
  ['a Telegram topic by its number', () => !gate('telegram', { groups: { [GROUP]: { topics: { 42: { requireMention: false } } } }, groupAllowFrom: ['*'] }, { kind: 'group', id: GROUP, threadId: '42' }).rules.group.requireMention.value],
  ...([['discord', ANN, `<@${ANN}>`], ['slack', 'U0123456789', '<@U0123456789>'], ['telegram', '7550356539', 'tg:7550356539']] as const).flatMap(([channel, id, also]): readonly Attack[] => [
    [`${channel}: a person by the id, prefixed or not`, () => [id, `${channel}:${id}`, also].every((entry) => gate(channel, { dmPolicy: 'allowlist', allowFrom: [entry] }, { kind: 'direct', id, sender: { id } }).lets)],
    [`${channel}: limits for one person, by the id alone`, () => denied(channel, { groups: { x: { toolsBySender: { [id]: { deny: ['exec'] }, '*': { deny: ['cron'] } } } } }, { kind: 'group', id: 'x', sender: { id } }).join() === 'exec'],
    [`${channel}: who may elevate, prefixed or not`, () => [id, `${channel}:${id}`, also].every((entry) => elevates(channel, entry, id))],
    [`${channel}: a bound chat by its id`, () => agentFor({ peer: { kind: 'channel', id: '77' } }, channel, { id: '77' }) === 'bound'],
  ]),
  ['a bound role by its id', () => agentFor({ guildId: GUILD, roles: ['412345678901234567'] }, 'discord', { id: ROOM, spaceId: GUILD, roles: ['412345678901234567'] }) === 'bound'],
  ['linked ids share a session', () => sessionOf('discord', ANN, { ann: ['telegram:7550356539', `discord:${ANN}`] }) === sessionOf('telegram', '7550356539', { ann: ['telegram:7550356539'] })],
];

test("no name gets what belongs to an id, and ids and names that are nobody else's work", async (t) => {
  const results = async (cases: readonly Attack[], good: boolean): Promise<readonly string[]> =>
    (await Promise.all(cases.map(async ([name, run]) => ((await run()) === good ? [] : [name])))).flat();
  const through = await results(ATTACKS, false);
  const broken = await results(NEIGHBOURS, true);
  t.diagnostic(
    `names: ${ATTACKS.length - through.length}/${ATTACKS.length} attacks refused, ${NEIGHBOURS.length - broken.length}/${NEIGHBOURS.length} neighbours work`,
  );
  assert.deepEqual({ through, broken }, { through: [], broken: [] });
});

/** A configuration that goes by names in each place where one can, and the settings named in warnings. */
const NAMING: Readonly<Record<ChannelId, readonly [settings: object, warned: readonly string[]]>> = {
  discord: [
    {
      allowFrom: ['@ann'],
      guilds: { home: { users: ['Bob'], channels: { general: { toolsBySender: { bob: { deny: ['exec'] } } } } } },
      dm: { groupChannels: ['us-three'] },
    },
    [
      'allowFrom',
      'dm.groupChannels',
      'guilds.home',
      'guilds.home.channels.general',
      'guilds.home.channels.general.toolsBySender.bob',
      'guilds.home.users',
    ],
  ],
  slack: [
    {
      allowFrom: ['@ann'],
      channels: { '#general': { users: ['bob'], tools: { deny: ['exec'] } } },
      dm: { allowFrom: ['carol'], groupChannels: ['us'] },
    },
    ['allowFrom', 'channels.#general', 'channels.#general.users', 'dm.allowFrom', 'dm.groupChannels'],
  ],
  telegram: [
    {
      allowFrom: ['@ann'],
      groups: { Family: {}, [GROUP]: { allowFrom: ['bob'], topics: { 42: { allowFrom: ['@carol'] } } } },
    },
    ['allowFrom', `groups.${GROUP}.allowFrom`, `groups.${GROUP}.topics[42].allowFrom`, 'groups.Family'],
  ],
};

test('every entry that is a name is warned of, with what to write, and no entry that is an id', () => {
  for (const [channel, [settings, warned]] of Object.entries(NAMING) as [ChannelId, (typeof NAMING)[ChannelId]][]) {
    const found = lintNames(settings as never, CHANNELS[channel], `channels.${channel}`);
    assert.deepEqual(
      found.map(({ path }) => path).sort(),
      warned.map((path) => `channels.${channel}.${path}`),
    );
    assert.ok(found.every(({ fix }) => /\bid\b/.test(fix)));
  }
  const ids = [
    lintNames(
      { allowFrom: [ANN, '*', `user:${ANN}`], guilds: { [GUILD]: { channels: { [ROOM]: {}, '*': {} } }, '*': {} } },
      CHANNELS.discord,
      'x',
    ),
    lintNames({ channels: { [SLACK_ROOM]: { users: ['U0123456789'] }, '*': {} } }, CHANNELS.slack, 'x'),
    lintNames({ groups: { [GROUP]: { toolsBySender: { 'tg:5': {} } }, '*': {} } }, CHANNELS.telegram, 'x'),
  ];
  assert.deepEqual(ids, [[], [], []]);
  const bound = (channel: ChannelId, match: object) =>
    lintBindings(bindingsConfigSchema.parse([{ agentId: 'a', match: { channel, ...match } }]), [CHANNELS[channel]]).map(
      ({ path }) => path,
    );
  assert.deepEqual(
    [
      bound('discord', { peer: { kind: 'channel', id: 'general' } }),
      bound('discord', { guildId: 'home' }),
      bound('slack', { teamId: 'Acme' }),
      bound('telegram', { peer: { kind: 'dm', id: '@ann' } }),
    ].flat(),
    ['bindings[0].match.peer.id', 'bindings[0].match.guildId', 'bindings[0].match.teamId', 'bindings[0].match.peer.id'],
  );
  assert.deepEqual(
    [
      bound('discord', { guildId: GUILD, peer: { kind: 'channel', id: ROOM } }),
      bound('slack', { teamId: 'T0123456789', peer: { kind: 'dm', id: 'U0123456789' } }),
      bound('telegram', { peer: { kind: 'group', id: `${GROUP}:topic:42` } }),
    ].flat(),
    [],
  );
});

test('the steps of an admission tell the id of a place that was found by its name', () => {
  const { admission } = gate(
    'discord',
    { guilds: { home: {} } },
    { id: ROOM, spaceId: GUILD, names: { space: 'Home' } },
  );
  assert.match(
    admission.steps.find(({ step }) => step === 'group-listed')!.detail,
    new RegExp(`by a name.*${ROOM}, in ${GUILD}`),
  );
});

test('whatever a place and a person are called, settings that go by ids say the same', () => {
  const settings: Readonly<Record<ChannelId, readonly [settings: object, at: At]>> = {
    discord: [
      {
        groupPolicy: 'open',
        guilds: {
          [GUILD]: { users: [ANN], channels: { [ROOM]: { systemPrompt: 'x' } } },
          '*': { channels: { [ROOM]: {}, '*': { users: [ANN] } } },
        },
      },
      { id: OTHER, spaceId: EVIL },
    ],
    slack: [
      { channels: { [SLACK_ROOM]: { requireMention: false }, '*': { users: ['U0123456789'] } } },
      { id: SLACK_OTHER },
    ],
    telegram: [
      { groups: { [GROUP]: { requireMention: false }, '*': { allowFrom: ['7550356539'] } } },
      { kind: 'group', id: OTHER_GROUP },
    ],
  };
  const word = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom(
      GUILD,
      ROOM,
      ANN,
      SLACK_ROOM,
      SLACK_ROOM.toLowerCase(),
      GROUP,
      '*',
      '7550356539',
      'U0123456789',
      '__proto__',
      'constructor',
    ),
  );
  fc.assert(
    fc.property(word, word, word, (chat, space, thread) => {
      for (const [channel, [written, at]] of Object.entries(settings) as [ChannelId, readonly [object, At]][]) {
        const called: At = { ...at, names: { chat, space, thread }, sender: { id: '1', name: chat, handle: space } };
        assert.deepEqual(gate(channel, written, called), gate(channel, written, { ...at, sender: { id: '1' } }));
      }
    }),
    { numRuns: 300 },
  );
});
