/** How channels and messages are described in words. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ChannelAccount, SeenMessage } from '../gateway/wire.ts';
import { addLine, credentialWords, gateWords, selfWords, standing, whyOf } from './channel-words.ts';

const account: ChannelAccount = {
  accountId: 'default',
  enabled: true,
  configured: true,
  running: true,
  connected: true,
  problems: [],
};

test('an account stands in one way at a time', () => {
  const words = (over: Partial<ChannelAccount>): string[] => {
    const { tone, words: said } = standing({ ...account, ...over });
    return [tone, said];
  };
  assert.deepEqual(words({}), ['good', 'connected']);
  assert.deepEqual(
    words({ problems: [{ kind: 'security', message: 'open' }] }),
    ['good', 'connected'],
    'an open door is told, and is no trouble of the connection',
  );
  assert.deepEqual(words({ problems: [{ kind: 'intent', message: 'no content' }] }), [
    'warn',
    'connected, with problems',
  ]);
  assert.deepEqual(words({ connected: false }), ['warn', 'connecting']);
  assert.deepEqual(words({ connected: false, reconnectAttempts: 1 }), ['bad', 'not connected, 1 attempt']);
  assert.deepEqual(words({ connected: false, running: false }), ['bad', 'stopped']);
  assert.deepEqual(words({ configured: false, running: false }), ['warn', 'not configured']);
  assert.deepEqual(words({ enabled: false, configured: false }), ['quiet', 'disabled']);
});

test('secrets by where they are, policies by what they mean, the bot by its names', () => {
  const credentialSources = { botToken: 'env', appToken: 'none' } as const;
  assert.equal(
    credentialWords({ configured: false, credentialSources }),
    'bot token in the environment, app token missing',
  );
  assert.equal(
    credentialWords({ configured: true, credentialSources }),
    'bot token in the environment',
    'what an account does without is no trouble',
  );
  assert.equal(
    gateWords({ dmPolicy: 'pairing', groupPolicy: 'disabled' }),
    'direct: pairing required · groups: nobody',
  );
  assert.equal(selfWords({ id: '1', name: 'Clawd', handle: '@clawd' }), 'Clawd · @clawd');
  assert.equal(selfWords({ id: '1' }), '1');
});

test('why a message was not answered, and on which setting that rests', () => {
  const seen = {
    state: 'declined',
    steps: [
      { step: 'a', ok: true, detail: '' },
      { step: 'mention', ok: false, setting: 'channels.x.groups', detail: 'Not mentioned.' },
    ],
  } as unknown as SeenMessage;
  assert.equal(whyOf(seen), 'Not mentioned. (channels.x.groups)');
  assert.equal(whyOf({ ...seen, reason: 'A stranger', steps: [] }), 'A stranger');
  assert.equal(
    whyOf({ ...seen, reason: '7 is not in channels.x.groups' }),
    '7 is not in channels.x.groups',
    'a setting is named once',
  );
  assert.equal(whyOf({ ...seen, state: 'answered' }), '');
});

test('a channel is set up with the secrets it needs', () => {
  assert.equal(addLine({ id: 'slack' }), 'clawdbot channels add --channel slack', 'it asks for its secrets by itself');
  assert.equal(addLine({ id: 'x' }), 'clawdbot channels add --channel x');
});
