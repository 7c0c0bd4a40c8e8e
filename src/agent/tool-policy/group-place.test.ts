/** The groups of a turn. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { groupPlaces } from './group-place.ts';

const direct = { channel: 'webchat', accountId: 'default', chat: { kind: 'direct', id: 'me' } } as const;
const group = {
  channel: 'telegram',
  accountId: 'default',
  chat: { kind: 'group', id: '-100' },
  threadId: '7',
} as const;

it('is where the answer goes, when that is a group', () => {
  assert.deepEqual(groupPlaces({ address: group, sessionKey: 'agent:main:telegram:group:-100' }), [
    { channel: 'telegram', id: '-100', accountId: 'default', threadId: '7' },
  ]);
  assert.deepEqual(groupPlaces({ address: group, sessionKey: '', known: { spaceId: 's', names: { chat: 'n' } } }), [
    { channel: 'telegram', id: '-100', accountId: 'default', threadId: '7', spaceId: 's', names: { chat: 'n' } },
  ]);
});

it('is the place it was asked for in too, wherever it answers', () => {
  const places = groupPlaces({
    address: group,
    sessionKey: 'agent:main:cron:j2',
    origins: ['agent:main:cron:j1', 'agent:main:slack:channel:c1', 'agent:main:telegram:group:-100'],
  });
  assert.deepEqual(
    places.map(({ channel, id }) => [channel, id]),
    [
      ['telegram', '-100'],
      ['slack', 'c1'],
    ],
  );
});

it('is what the session is called, with its thread or topic', () => {
  const of = (sessionKey: string, spawnedBy?: string) =>
    groupPlaces({ address: direct, sessionKey, origins: spawnedBy === undefined ? [] : [spawnedBy] })[0];
  assert.deepEqual(of('agent:main:telegram:group:-100'), { channel: 'telegram', id: '-100' });
  assert.deepEqual(of('agent:main:telegram:group:-100:topic:9'), { channel: 'telegram', id: '-100', threadId: '9' });
  assert.deepEqual(of('agent:main:slack:channel:c1:thread:171.5'), { channel: 'slack', id: 'c1', threadId: '171.5' });
  assert.deepEqual(of('agent:main:matrix:channel:!room:example.org'), { channel: 'matrix', id: '!room:example.org' });
  for (const key of ['agent:main:main', 'agent:main:telegram:dm:5', 'global', 'agent:main:group:x', ''])
    assert.equal(of(key), undefined, key);
});

it('is the group of the sub-agent’s requester', () => {
  const of = (spawnedBy?: string) =>
    groupPlaces({
      address: direct,
      sessionKey: 'agent:main:subagent:0b1',
      origins: spawnedBy === undefined ? [] : [spawnedBy],
    })[0];
  assert.deepEqual(of('agent:main:telegram:group:-100'), { channel: 'telegram', id: '-100' });
  assert.equal(of('agent:main:main'), undefined);
  assert.equal(of(), undefined);
});
