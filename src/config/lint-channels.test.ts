import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lintChannels, type NamesPlaces } from './lint-channels.ts';

const lint = (over: Partial<NamesPlaces>) =>
  lintChannels({ bindings: [], channels: {}, session: { dmScope: 'per-peer' }, ...over });
const bound = (...matches: NamesPlaces['bindings'][number]['match'][]) =>
  lint({
    bindings: matches.map((match) => ({ agentId: 'a', match })),
    channels: { pipe: { accounts: { Work: {} } }, tube: {} },
  }).warnings.map(({ path, problem }) => `${path}: ${problem}`);

test('open without "*" is an error, also of one account, under dm, and from the defaults', () => {
  const errors = (channels: NamesPlaces['channels']) => lint({ channels }).errors.map(({ path }) => path);
  assert.deepEqual(errors({ pipe: { dmPolicy: 'open', allowFrom: ['u1'] } }), ['channels.pipe.allowFrom']);
  assert.deepEqual(errors({ pipe: { dm: { policy: 'open' } } }), ['channels.pipe.dm.allowFrom']);
  assert.deepEqual(
    errors({ pipe: { dmPolicy: 'open', allowFrom: ['*'], accounts: { a: {}, b: { allowFrom: [] } } } }),
    ['channels.pipe.accounts.b.allowFrom'],
  );
  assert.deepEqual(errors({ defaults: { dmPolicy: 'open' }, pipe: {} }), ['channels.pipe.allowFrom']);
  assert.deepEqual(errors({ pipe: { dmPolicy: 'open', allowFrom: ['*'] }, tube: {} }), []);
});

test('bindings that can never decide are named', () => {
  const peer = { kind: 'dm', id: 'x' };
  assert.deepEqual(
    bound({ channel: 'tube', peer }, { channel: ' Tube', peer: { kind: 'direct', id: 'x' }, accountId: '*' }),
    ['bindings[1]: can never decide: bindings[0] matches the same and comes first'],
  );
  assert.match(bound({ channel: 'tube', guildId: '1', teamId: '2' })[0]!, /one guild or one team/);
  assert.match(bound({ channel: 'tube', guildId: '1', peer })[0]!, /^bindings\[0\]\.match\.peer: .*no guild/);
  assert.match(
    bound({ channel: 'pipe', accountId: 'home' })[0]!,
    /^bindings\[0\]\.match\.accountId: "home" is no account of pipe/,
  );
  assert.deepEqual(
    bound(
      { channel: 'pipe', accountId: 'work' },
      { channel: 'tube', accountId: 'default' },
      { channel: 'pipe' },
      { channel: 'pipe', roles: ['r'], guildId: '1' },
      { channel: 'unknown', accountId: 'x' },
    ),
    [],
  );
});

test('several people in one main conversation is a warning', () => {
  const warned = (channels: NamesPlaces['channels'], dmScope = 'main') =>
    lint({ channels, session: { dmScope } }).warnings.length;
  assert.deepEqual(
    [
      warned({ pipe: { allowFrom: ['u1', 'u2'] } }),
      warned({ pipe: { allowFrom: ['u1', '*'] } }),
      warned({ pipe: { allowFrom: ['u1'] }, tube: { allowFrom: ['v1'] } }),
      warned({ pipe: { allowFrom: ['u1', 'u2'] } }, 'per-peer'),
      warned({ pipe: { dmPolicy: 'disabled', allowFrom: ['a', 'b'] } }),
    ],
    [1, 1, 0, 0, 0],
  );
});
