/** The connection answers go out over: opened while one is written, used again, replaced where the server ended it. */
import assert from 'node:assert/strict';
import { setImmediate as settled } from 'node:timers/promises';
import { describe, it } from 'node:test';
import { testAccount } from '../../testing/channel-account.ts';
import { outbound } from '../../testing/channel-contract/harness.ts';
import type { ChatAddress } from '../../core/message.ts';
import { until } from '../../testing/until.ts';
import { startFakeMail, type FakeMail } from './fake.ts';
import email from './index.ts';

const ANN = 'ann@example.org';
const to: ChatAddress = { channel: 'email', accountId: 'default', chat: { kind: 'direct', id: ANN } };

async function connected(server: FakeMail) {
  const fixture = await testAccount(email, { config: server.config, credentials: server.credentials });
  const connection = await fixture.connect();
  let count = 0;
  const say = (text: string) => connection.send(to, outbound({ text }, `token-${++count}`));
  return { fixture, connection, say, [Symbol.asyncDispose]: () => fixture[Symbol.asyncDispose]() };
}

describe('the connection to the SMTP server', () => {
  it('is opened once a mail is taken, and used for every answer', async () => {
    await using server = await startFakeMail();
    await using at = await connected(server);
    await until(() => server.talks.now === 0, 'the check of the login to be over');
    server.deliver({ chat: { kind: 'direct', id: ANN }, by: ANN, text: 'hello' });
    await until(() => at.fixture.received.length === 1 && server.talks.now === 1, 'a connection');
    const before = server.talks.begun;
    for (const text of ['one', 'two', 'three']) await at.say(text);
    assert.deepEqual([server.talks.begun, server.talks.now], [before, 1]);
    assert.deepEqual(
      server.sent.map(({ text }) => text),
      ['one', 'two', 'three'],
    );
    await at.connection[Symbol.asyncDispose]();
    await until(() => server.talks.now === 0, 'the end of the connection');
  });

  it('has as many listeners after many answers as after the first', async () => {
    await using server = await startFakeMail();
    await using at = await connected(server);
    const warnings: string[] = [];
    const warned = ({ name }: Error): void => void warnings.push(name);
    process.on('warning', warned);
    for (let nth = 0; nth < 12; nth++) await at.say(`answer ${nth}`);
    await settled();
    process.off('warning', warned);
    assert.deepEqual(
      warnings.filter((name) => name === 'MaxListenersExceededWarning'),
      [],
    );
  });

  it('that the server ended is replaced, and each mail leaves once', async () => {
    await using server = await startFakeMail();
    await using at = await connected(server);
    await at.say('one');
    server.cut();
    await at.say('two');
    // 421 in its greeting's place: the server is about to end what was kept.
    server.failSends('server-error', 1);
    await at.say('three');
    assert.deepEqual(
      server.sent.map(({ text }) => text),
      ['one', 'two', 'three'],
    );
  });

  it('is not used again for a mail whose end nobody knows', async () => {
    await using server = await startFakeMail();
    await using at = await connected(server);
    await at.say('one');
    server.failSends('accepted-timeout', 1);
    await assert.rejects(at.say('two'), { code: 'timeout' });
    server.failSends('dropped', 1);
    await at.say('three').then(
      () => assert.fail('dropped'),
      ({ code }) => assert.equal(code, 'timeout'),
    );
    assert.deepEqual(
      server.sent.map(({ text }) => text),
      ['one', 'two'],
    );
  });

  it('carries several answers at once, each on one of its own', async () => {
    await using server = await startFakeMail();
    await using at = await connected(server);
    await Promise.all(['a', 'b', 'c', 'd'].map(at.say));
    assert.deepEqual(server.sent.map(({ text }) => text).toSorted(), ['a', 'b', 'c', 'd']);
    await until(() => server.talks.now === 1, 'one is kept');
  });
});
