// IRC against real servers: InspIRCd and ngIRCd as packaged by Debian, plain and with TLS.
import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { inspect } from 'node:util';
import type { ChatAddress, InboundMessage } from '../../core/message.ts';
import type { OutboundMessage } from '../../core/reply.ts';
import { testAccount, type TestAccount } from '../../testing/channel-account.ts';
import { until } from '../../testing/until.ts';
import { lacks, startInspircd, startNgircd, type RealServer } from './harness.ts';
import irc from './index.ts';

const room: ChatAddress = { channel: 'irc', accountId: 'default', chat: { kind: 'group', id: '#lobby' } };
const outbound = (text: string, token = text.slice(0, 20)): OutboundMessage => ({
  token,
  runId: token,
  sessionKey: 'agent:main:main',
  payload: { kind: 'final', text },
});

const account = (server: RealServer, config: object = {}, credentials: Record<string, string> = {}) =>
  testAccount(irc, {
    config: {
      host: '127.0.0.1',
      port: server.port,
      tls: false,
      nick: 'Clawd',
      join: ['#lobby'],
      linePauseMs: 0,
      ...config,
    },
    credentials,
  });
const heard = ({ received }: TestAccount, text: string): Promise<InboundMessage> =>
  until(() => received.find((message) => message.text === text), `the message "${text}"`);
const problem = (fixture: TestAccount, fits: RegExp): Promise<unknown> =>
  until(
    () => fixture.facts.problems?.some(({ message }) => fits.test(message)),
    `a problem like ${fits}, out of ${JSON.stringify(fixture.facts.problems)}`,
  );

describe('on InspIRCd', { skip: lacks('inspircd', 'openssl') }, () => {
  it('hears a room and single people, and knows when it is meant', async () => {
    await using server = await startInspircd();
    const ann = await server.person('ann');
    ann.say('JOIN #lobby');
    await using fixture = await account(server);
    const connection = await fixture.connect();
    await ann.receives(/:Clawd!\S+ JOIN/);
    ann.say('PRIVMSG #lobby :among ourselves');
    ann.say('PRIVMSG #lobby :Clawd: /status');
    ann.say('PRIVMSG #lobby :\u0001ACTION waves at Clawd\u0001');
    ann.say('PRIVMSG #lobby :\u0002bold\u0002 and \u000304red\u0003');
    ann.say('PRIVMSG Clawd :only you');
    ann.say('PRIVMSG Clawd :\u0001VERSION\u0001');
    const direct = await heard(fixture, 'only you');
    assert.match(direct.sender.id, /^ann!ann@/);
    assert.deepEqual(direct.address.chat, { kind: 'direct', id: direct.sender.id });
    await heard(fixture, 'bold and red');
    const facts = (text: string) =>
      fixture.received.flatMap((one) => (one.text === text ? [one.said, one.addressesBot] : []));
    assert.deepEqual(facts('among ourselves'), ['among ourselves', false]);
    assert.deepEqual(facts('/status'), ['/status', true]);
    assert.deepEqual(facts('* ann waves at Clawd'), ['', true]);
    assert.deepEqual(facts('bold and red'), ['bold and red', false]);
    assert.deepEqual(facts('only you'), ['only you', true]);
    assert.equal(new Set(fixture.received.map(({ id }) => id)).size, 5);
    await ann.receives(/NOTICE ann :\u0001VERSION Clawdbot/);
    await connection.send(direct.address, outbound('and only **you**'));
    await ann.receives(/PRIVMSG ann :and only \u0002you\u0002/);
    ann.say('NICK anna');
    ann.say('PRIVMSG Clawd :it is me');
    const renamed = await heard(fixture, 'it is me');
    await connection.send(renamed.address, outbound('I see'));
    await ann.receives(/PRIVMSG anna :I see/);
    assert.deepEqual((await connection.probe(AbortSignal.timeout(60_000))).ok, true);
  });

  it('says nothing to who took the nick of somebody', async () => {
    await using server = await startInspircd();
    await using fixture = await account(server);
    const connection = await fixture.connect();
    const ann: ChatAddress = { ...room, chat: { kind: 'direct', id: 'ann!ann@elsewhere' } };
    const mallory = await server.person('ann');
    await assert.rejects(connection.send(ann, outbound('a secret')), {
      code: 'unavailable',
      message: /not on the network/,
    });
    mallory.say('PING end');
    await mallory.receives(/PONG \S+ :?end/);
    assert.deepEqual(mallory.words('ann'), []);
  });

  it('cuts long text between words and characters into lines that arrive whole', async () => {
    await using server = await startInspircd();
    const ann = await server.person('ann');
    ann.say('JOIN #lobby');
    await using fixture = await account(server);
    const connection = await fixture.connect();
    await ann.receives(/:Clawd!\S+ JOIN/);
    const long = 'Ünïcödé 🦞 wörds '.repeat(90).trim();
    const { messageIds } = await connection.send(room, {
      ...outbound(long),
      payload: { kind: 'final', text: long, plain: true },
    });
    assert.ok(messageIds.length > 3);
    assert.equal(new Set(messageIds).size, messageIds.length);
    await until(() => ann.words('#lobby').join('') === long, 'the whole text');
    assert.ok(ann.raw.every((line) => Buffer.byteLength(line) <= 510));
    await connection.send(room, outbound('one\ntwo\n\nthree'));
    await until(() => ann.words('#lobby').slice(-3).join() === 'one,two,three', 'three lines');
  });

  it('says it plainly where a room takes no formatting, and tells what else is in the way', async () => {
    await using server = await startInspircd();
    const ann = await server.person('ann');
    ann.say('JOIN #lobby');
    await using fixture = await account(server);
    const connection = await fixture.connect();
    await ann.receives(/:Clawd!\S+ JOIN/);
    ann.say('MODE #lobby +c');
    await ann.receives(/MODE #lobby :?\+c/);
    await connection.send(room, outbound('still **said**'));
    await ann.receives(/PRIVMSG #lobby :still said/);
    ann.say('MODE #lobby +m');
    await ann.receives(/MODE #lobby :?\+m/);
    await assert.rejects(connection.send(room, outbound('muted')), { code: 'denied', message: /moderated, \+m/ });
    await assert.rejects(
      connection.send({ ...room, chat: { kind: 'group', id: '#nowhere' } }, outbound('hello')),
      (error: { code: string }) => error.code === 'denied' || error.code === 'not_found',
    );
    ann.say('KICK #lobby Clawd :enough');
    await problem(fixture, /not in #lobby: ann kicked it \(enough\)/);
  });

  it('tells why it may not be in a room, and is called otherwise where its nick is taken', async () => {
    await using server = await startInspircd();
    const ann = await server.person('Clawd');
    for (const line of [
      'JOIN #inv',
      'MODE #inv +i',
      'JOIN #key',
      'MODE #key +k secret',
      'JOIN #ban',
      'MODE #ban +b *!*@*',
    ])
      ann.say(line);
    await ann.receives(/MODE #ban :?\+b/);
    await using fixture = await account(server, { join: ['#inv', '#key', '#ban', '#open'] });
    await fixture.connect();
    await problem(fixture, /#inv: it takes an invitation/);
    await problem(fixture, /#key: its key is wrong/);
    await problem(fixture, /#ban: the bot is banned/);
    await problem(fixture, /nick Clawd is in use: the bot is called Clawd_/);
    assert.equal(fixture.facts.self?.handle, 'Clawd_');
    ann.say('INVITE Clawd_ #inv');
    await ann.receives(/:Clawd_!\S+ JOIN :?#inv/);
    ann.say('NICK somebody');
    await ann.receives(/:Clawd_!\S+ NICK :?Clawd/);
    await until(() => !fixture.facts.problems?.some(({ message }) => /in use/.test(message)), 'its own nick');
    await using keyed = await account(server, { nick: 'Keyed', join: ['#key secret'] });
    await keyed.connect();
    await ann.receives(/:Keyed!\S+ JOIN :?#key/);
  });

  it('speaks TLS to a certificate that is trusted, and to no other', async () => {
    await using server = await startInspircd();
    const secure = { tls: true, port: server.tlsPort, host: '127.0.0.1' };
    await using stranger = await account(server, secure);
    await assert.rejects(stranger.connect(), { code: 'unavailable', message: /not trusted .*tlsCaFile/ });
    const ann = await server.person('ann');
    ann.say('JOIN #lobby');
    await using fixture = await account(server, { ...secure, tlsCaFile: server.certificate });
    const connection = await fixture.connect();
    await ann.receives(/:Clawd!\S+ JOIN/);
    await connection.send(room, outbound('in private'));
    await ann.receives(/PRIVMSG #lobby :in private/);
    assert.equal(fixture.facts.mode, 'tls');
  });

  it('shows its client certificate to the server, and says when that is none', async () => {
    await using server = await startInspircd();
    const secure = { tls: true, port: server.tlsPort, tlsCaFile: server.certificate };
    const key = await readFile(server.certificate.replace('cert.pem', 'key.pem'), 'utf8');
    const certificate = `${await readFile(server.certificate, 'utf8')}\n${key}`;
    await using fixture = await account(server, secure, { certificate });
    await fixture.connect();
    const ann = await server.person('ann');
    ann.say('SSLINFO Clawd');
    const digest = new X509Certificate(certificate).fingerprint256.replaceAll(':', '').toLowerCase();
    assert.match(await ann.receives(/fingerprint|certificate/i), new RegExp(digest));
    await using broken = await account(server, secure, { certificate: key });
    await assert.rejects(broken.connect(), (error: Error) => {
      assert.match(error.message, /client certificate cannot be used/);
      return !inspect(error).includes(key.slice(40, 80));
    });
  });

  it('comes back when the server does, into its rooms, and sends what waited', async () => {
    await using server = await startInspircd();
    await using fixture = await account(server);
    const connection = await fixture.connect();
    await until(() => fixture.facts.connected);
    await server.kill();
    await until(() => fixture.facts.connected === false);
    await server.start();
    const ann = await server.person('ann');
    await until(() => fixture.facts.connected === true, 'the connection');
    ann.say('JOIN #lobby');
    await ann.receives(/:ann!\S+ JOIN :?#lobby/);
    await connection.send(room, outbound('I am back'));
    await ann.receives(/PRIVMSG #lobby :I am back/);
    ann.say('PRIVMSG #lobby :welcome');
    await heard(fixture, 'welcome');
  });

  it('gives its password to NickServ, and is over when that refuses it', async () => {
    await using server = await startInspircd();
    const services = await server.person('NickServ');
    await using fixture = await account(server, { account: 'clawdbot' }, { password: 'pw-1' });
    const connection = await fixture.connect();
    await services.receives(/PRIVMSG NickServ :IDENTIFY clawdbot pw-1/);
    services.say('NOTICE Clawd :You are now identified for clawdbot.');
    services.say('PRIVMSG Clawd :still here');
    await heard(fixture, 'still here');
    await server.kill();
    await server.start();
    const again = await server.person('NickServ');
    await again.receives(/IDENTIFY/);
    again.say('NOTICE Clawd :Invalid password for clawdbot.');
    await assert.rejects(connection.ended!, { code: 'auth', message: /NickServ refused/ });
  });

  it('is let in with the password of the server alone', async () => {
    await using server = await startInspircd({ password: 'open-sesame' });
    await using wrong = await account(server, {}, { serverPassword: 'wrong' });
    await assert.rejects(wrong.connect(), { code: 'auth', message: /serverPassword/ });
    await using right = await account(server, {}, { serverPassword: 'open-sesame' });
    assert.ok(await right.connect());
  });

  it('has several accounts side by side', async () => {
    await using server = await startInspircd();
    await using one = await account(server, { nick: 'One' });
    await using two = await account(server, { nick: 'Two' });
    const [first] = [await one.connect(), await two.connect()];
    await first!.send(room, outbound('Two: hello'));
    const said = await heard(two, 'hello');
    assert.deepEqual([said.addressesBot, said.sender.name], [true, 'One']);
    assert.deepEqual(one.received, []);
  });
});

describe('on ngIRCd', { skip: lacks('ngircd') }, () => {
  it('does without IRCv3: messages both ways, what is refused, a nick that is taken', async () => {
    await using server = await startNgircd();
    const ann = await server.person('ann');
    ann.say('JOIN #lobby');
    const other = await server.person('Clawd');
    await using fixture = await account(server);
    const connection = await fixture.connect();
    await ann.receives(/:Clawd_!\S+ JOIN/);
    ann.say('PRIVMSG #lobby :Clawd_, hello');
    assert.equal((await heard(fixture, 'hello')).addressesBot, true);
    await connection.send(room, outbound('hello **Ann**'));
    await ann.receives(/PRIVMSG #lobby :hello \u0002Ann/);
    ann.say('PRIVMSG Clawd_ :psst');
    const direct = await heard(fixture, 'psst');
    await connection.send(direct.address, outbound('yes?'));
    await ann.receives(/PRIVMSG ann :yes\?/);
    assert.equal(await connection.readBack!(room, 'x', { payload: { kind: 'final' }, since: 0 }), undefined);
    ann.say('MODE #lobby +m');
    await ann.receives(/MODE #lobby :?\+m/);
    await assert.rejects(connection.send(room, outbound('muted')), { code: 'denied' });
    other[Symbol.dispose]();
  });

  it('is let in with the password of the server alone', async () => {
    await using server = await startNgircd({ password: 'open-sesame' });
    await using wrong = await account(server, {}, { serverPassword: 'wrong' });
    await assert.rejects(wrong.connect(), { code: 'auth' });
    await using right = await account(server, {}, { serverPassword: 'open-sesame' });
    assert.ok(await right.connect());
  });
});
