/** The spellings of people and chats. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { present } from '../../sdk/index.ts';
import telegram from './index.ts';

test('G207 the spellings of a user id are one; names and handles never are', () => {
  for (const entry of ['telegram:1', 'tg:1', 'TG:1', ' 1 ', '1'])
    assert.equal(telegram.senderEntry!(entry), '1', entry);
  for (const entry of ['@Name', 'name', '', '1a', 'tg:@name', '１'])
    assert.equal(telegram.senderEntry!(entry), undefined, entry);
});

test('targets are numbers, names, links and topics', () => {
  const cases = {
    '501': ['direct', '501'],
    'telegram:501': ['direct', '501'],
    'tg:-100123': ['group', '-100123'],
    '-100123:topic:42': ['group', '-100123', '42'],
    '-100123:42': ['group', '-100123', '42'],
    'telegram:group:-100123:topic:7': ['group', '-100123', '7'],
    '@Some_Channel': ['channel', '@some_channel'],
    't.me/Some_Channel': ['channel', '@some_channel'],
    'https://t.me/some_channel/12': ['channel', '@some_channel'],
    'https://t.me/c/123/42': ['group', '-100123', '42'],
    '501:9': ['direct', '501', '9'],
  };
  for (const [target, [kind, id, threadId]] of Object.entries(cases))
    assert.deepEqual(
      telegram.parseTarget!(target),
      { chat: { kind, id }, ...present({ threadId: threadId || undefined }) },
      target,
    );
  for (const target of ['', 'Ann', '@x', 'https://example.com/a', '-', '501:topic:x', '12 34'])
    assert.equal(telegram.parseTarget!(target), undefined, target);
});

test('settings are reviewed before anything connects', () => {
  const of = (config: object): string[] =>
    telegram.review!(telegram.config.parse(config)).map(({ kind, message }) => `${kind}: ${message}`);
  assert.deepEqual(of({}), []);
  assert.match(of({ dmPolicy: 'open', allowFrom: ['*'] })[0]!, /^security: Everybody/);
  assert.match(of({ dmPolicy: 'open' })[0]!, /^config: .*no "\*"/);
  assert.match(of({ groupPolicy: 'open' })[0]!, /^security/);
  assert.match(of({ webhookUrl: 'http://bot.example.org/' }).join('\n'), /not https[\s\S]*no path/);
});
