/** Tool limits by place: a limit also applies when the turn cannot rule it out. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { GroupPlace } from './group-place.ts';
import { groupStages } from './group-stages.ts';

const deny = (tool: string) => ({ tools: { deny: [tool] } });
function denied(settings: object, place: Omit<GroupPlace, 'channel'>, sender = 'u1'): readonly string[] {
  return groupStages({ discord: settings as Readonly<Record<string, unknown>> }, { channel: 'discord', ...place }, [
    sender,
  ])
    .flatMap((stage) => stage.deny.flatMap(({ patterns }) => patterns))
    .sort();
}

describe('servers and their channels', () => {
  const guilds = {
    '*': deny('every'),
    1: {
      ...deny('one'),
      channels: {
        11: deny('id'),
        general: deny('named'),
        '*': deny('rest'),
        13: { toolsBySender: { u1: { deny: ['his'] }, '*': { deny: ['theirs'] } } },
      },
    },
    'my-guild': deny('slug'),
    2: { channels: { 21: deny('two') } },
  };

  it('goes by the channel, then its name, `*`, the server, every server', () => {
    assert.deepEqual(denied({ guilds }, { id: '11', spaceId: '1', names: { chat: 'general' } }), ['id']);
    assert.deepEqual(denied({ guilds }, { id: '12', spaceId: '1', names: { chat: 'general' } }), ['named']);
    assert.deepEqual(denied({ guilds }, { id: '12', spaceId: '1', names: { chat: 'other' } }), ['rest']);
    assert.deepEqual(denied({ guilds: { 1: deny('one') } }, { id: '12', spaceId: '1' }), ['one']);
    assert.deepEqual(denied({ guilds }, { id: '99', spaceId: '9', names: { chat: 'x', space: 'My Guild' } }), ['slug']);
    assert.deepEqual(denied({ guilds }, { id: '99', spaceId: '9', names: { chat: 'x', space: 'Another' } }), ['every']);
    assert.deepEqual(
      [
        denied({ guilds }, { id: '13', spaceId: '1', names: { chat: 'x' } }),
        denied({ guilds }, { id: '13', spaceId: '1', names: { chat: 'x' } }, 'u2'),
      ],
      [['his'], ['theirs']],
    );
  });

  it('takes a thread for its channel, unless it is listed itself', () => {
    const names = { chat: 'x' };
    assert.deepEqual(denied({ guilds }, { id: '11', threadId: '77', spaceId: '1', names }), ['id']);
    assert.deepEqual(
      denied(
        { guilds: { 1: { channels: { 77: deny('thread'), 11: deny('id') } } } },
        { id: '11', threadId: '77', spaceId: '1', names },
      ),
      ['thread'],
    );
  });

  it('counts every limit that may be meant, where a turn does not know its server or the name of its channel', () => {
    assert.deepEqual(denied({ guilds }, { id: '21' }), ['every', 'named', 'one', 'rest', 'slug', 'two']);
    assert.deepEqual(denied({ guilds }, { id: '12', spaceId: '1' }), ['named', 'rest']);
    assert.deepEqual(
      denied({ channels: { '#general': deny('named'), C0OTHER001: deny('other') } }, { id: 'c0general1' }),
      ['named'],
    );
  });
});

describe('accounts, topics and defaults', () => {
  it('an account limits its own chats', () => {
    const settings = {
      accounts: { Work: { groups: { g: deny('work') } }, home: { groups: { g: deny('home') } } },
      groups: { g: deny('all') },
    };
    assert.deepEqual(
      [denied(settings, { id: 'g', accountId: 'work' }), denied(settings, { id: 'g', accountId: 'default' })],
      [['work'], ['all']],
    );
    assert.deepEqual(denied(settings, { id: 'g' }), ['all', 'home', 'work']);
  });

  it('a topic comes before its group', () => {
    const settings = {
      groups: { g: { ...deny('group'), topics: { 7: deny('topic') } }, '*': { topics: { 8: deny('anywhere') } } },
    };
    assert.deepEqual(
      ['7', '8', '9'].map((threadId) => denied(settings, { id: 'g', threadId })),
      [['topic'], ['anywhere'], ['group']],
    );
  });

  it('what holds for all channels holds as well', () => {
    const stages = groupStages(
      { defaults: { groups: { '*': deny('exec') } }, discord: {} },
      { channel: 'discord', id: 'g' },
      [],
    );
    assert.deepEqual(
      stages.flatMap((stage) => stage.deny.map(({ setting }) => setting)),
      ['channels.defaults.groups.*.tools.deny'],
    );
  });

  it('an entry that makes no sense allows no tool', () => {
    const [stage] = groupStages(
      { discord: { guilds: { 1: { channels: { 11: { tools: 'exec' } } } } } },
      { channel: 'discord', id: '11', spaceId: '1' },
      [],
    );
    assert.deepEqual(stage!.deny, [{ setting: 'channels.discord.guilds[1].channels[11].tools.deny', patterns: ['*'] }]);
  });
});
