// IRC lines, text split into lines, mentions, and prefixes, without a server.
import assert from 'node:assert/strict';
import { Duplex } from 'node:stream';
import { connect } from 'node:net';
import { describe, it } from 'node:test';
import { createFakeClock } from '../../testing/fake-clock.ts';
import { testAccount } from '../../testing/channel-account.ts';
import { until } from '../../testing/until.ts';
import { startFakeIrc } from './fake.ts';
import { normalise, type ProcessScanner } from './inbound.ts';
import irc from './index.ts';
import { register } from './register.ts';
import { ircConfig } from './config.ts';
import { readLine, writeLine } from './message.ts';
import { parseTarget, senderEntry } from './names.ts';
import { createPace } from './pace.ts';
import { review } from './review.ts';
import { splitText } from './split.ts';
import { createWire } from './wire.ts';

const where: ProcessScanner = {
  accountId: 'default',
  self: 'Clawd',
  person: 'ann',
  isOurs: (id) => id === 'mine',
  isThere: (nick) => nick === 'bob',
  statusMarks: '@+',
  now: 1000,
};
const said = (target: string, text: string, tags = '') =>
  normalise(readLine(`${tags}:ann!a@h PRIVMSG ${target} :${text}`)!, where);

describe('a line of IRC', () => {
  it('is read with tags, source and parameters, and nothing else passes for one', () => {
    const read = readLine('@a=1\\:2\\s;b;c=\\\\ :n!u@h PRIVMSG  #r   :hello  you\r')!;
    assert.deepEqual(
      [...read.tags],
      [
        ['a', '1;2 '],
        ['b', ''],
        ['c', '\\'],
      ],
    );
    assert.deepEqual(
      [read.nick, read.source, read.command, read.params],
      ['n', 'n!u@h', 'PRIVMSG', ['#r', 'hello  you']],
    );
    assert.deepEqual(readLine('ping')!.command, 'PING');
    for (const none of ['', ' ', ':only', '@tags', '12', '!!! x']) assert.equal(readLine(none), undefined, none);
  });

  it('is written so that no text begins another one', () => {
    assert.equal(writeLine('PRIVMSG', ['#r', 'a\r\nQUIT :b\0']), 'PRIVMSG #r :a QUIT :b ');
    assert.equal(writeLine('PRIVMSG', ['#r x\r\nJOIN', 'y'], { k: 'a;b c' }), '@k=a\\:b\\sc PRIVMSG #rxJOIN y');
    assert.equal(writeLine('X', ['']), 'X :');
  });

  it('fits: cut where a word ends, never inside a character, with nothing lost', () => {
    const text = 'wörd 👩‍👩‍👧‍👦 '.repeat(40) + 'x'.repeat(300) + '🦞'.repeat(80);
    for (const bytes of [20, 50, 400]) {
      const parts = splitText(text, bytes);
      assert.equal(parts.join(''), text);
      assert.ok(
        parts.every((part) => Buffer.byteLength(part) <= Math.max(bytes, 25) && !/\uFFFD/.test(part)),
        `${bytes}`,
      );
    }
    assert.deepEqual(splitText('a\r\n\nb', 100), ['a', 'b']);
    assert.deepEqual(splitText('👩‍👩‍👧‍👦', 4).join(''), '👩‍👩‍👧‍👦');
  });
});

describe('what is said on IRC', () => {
  it('is meant for the bot, for somebody else, or for nobody', () => {
    const facts = (text: string) => [
      said('#r', text)!.said,
      said('#r', text)!.addressesBot,
      said('#r', text)!.mentionsOthers,
    ];
    assert.deepEqual(facts('clawd, hi'), ['hi', true, undefined]);
    assert.deepEqual(facts('@Clawd hi'), ['hi', true, undefined]);
    assert.deepEqual(facts('ask Clawd'), ['ask Clawd', true, undefined]);
    assert.deepEqual(facts('Clawdia: hi'), ['Clawdia: hi', false, undefined]);
    assert.deepEqual(facts('bob: hi'), ['bob: hi', false, true]);
    assert.deepEqual(facts('note: hi'), ['note: hi', false, undefined]);
    assert.equal(said('@#R', 'for operators')!.address.chat.id, '#r');
    assert.equal(said('#r', 'yes', '@+draft/reply=mine ')!.addressesBot, true);
    assert.equal(said('Clawd', '\u0001DCC SEND x\u0001'), undefined);
    assert.deepEqual([said('#r', '<bob> /stop')!.said, said('#r', '<bob> /stop')!.forwarded], ['', { from: 'bob' }]);
  });

  it('has one identity, however often a history tells it', () => {
    const line = '@time=2026-01-01T00:00:00.000Z ';
    assert.equal(said('#r', 'x', line)!.id, said('#r', 'x', line)!.id);
    assert.notEqual(said('#r', 'x')!.id, said('#r', 'x')!.id);
    assert.equal(said('#r', 'x', '@msgid=m1 ')!.id, 'm1');
  });

  it('goes to rooms and to people by account, never to a bare nick', () => {
    assert.deepEqual(parseTarget('irc:#Lobby'), { chat: { kind: 'group', id: '#lobby' } });
    assert.deepEqual(parseTarget('user:Ann'), { chat: { kind: 'direct', id: 'ann' } });
    assert.deepEqual(parseTarget('user:Ann!a@H'), { chat: { kind: 'direct', id: 'ann!a@h' } });
    for (const none of ['ann', 'user:', 'user:a b', '#', '#a,#b', 'user:#x', ''])
      assert.equal(parseTarget(none), undefined, none);
    assert.deepEqual(['irc:Ann', 'user:Ann', '*', '#x', 'a b'].map(senderEntry), [
      'ann',
      'ann',
      '*',
      undefined,
      undefined,
    ]);
  });

  it('is paced: a few lines at once, then one at a time', async () => {
    const state = { now: 0 };
    const pace = createPace({ linesAtOnce: 2, linePauseMs: 1000 }, () => state.now);
    const signal = new AbortController().signal;
    await pace.turn(signal);
    await pace.turn(signal);
    await assert.rejects(pace.turn(AbortSignal.abort()), { code: 'aborted' }, 'the third has to wait');
    state.now = 5000;
    await pace.turn(signal);
  });
});

describe('a connection', () => {
  it('is asked when it is silent, and given up when it does not answer', async () => {
    const clock = createFakeClock();
    const socket = new Duplex({ read: () => undefined, write: (_line, _coding, done) => done() });
    const wire = createWire({ socket, clock, silentMs: 1000, onAlive: () => undefined });
    await clock.advance(2000);
    assert.equal(wire.lost, undefined);
    await clock.advance(1000);
    assert.match((await wire.read()) === undefined ? wire.lost!.message : '', /said nothing/);
  });

  it('is proven by its certificate where the server takes that, and no password leaves then', async () => {
    await using fake = await startFakeIrc();
    const config = ircConfig.parse(fake.config);
    const socket = connect(config.port!, '127.0.0.1');
    await using wire = createWire({ socket, onAlive: () => undefined });
    const { account } = await register(wire, { config, password: 'pw', serverPassword: undefined, certified: true });
    const proofs = fake.lines.filter((line) => line.startsWith('AUTHENTICATE'));
    assert.deepEqual([account, ...proofs], ['clawd', 'AUTHENTICATE EXTERNAL', 'AUTHENTICATE +']);
  });

  it('refuses a secret in other words than the secret, and keeps long ones whole', async () => {
    await using fake = await startFakeIrc();
    await using wrong = await testAccount(irc, { config: fake.config, credentials: { password: 'p'.repeat(295) } });
    await assert.rejects(wrong.connect(), { code: 'auth' });
    const proofs = fake.lines.filter((line) => line.startsWith('AUTHENTICATE') && !line.endsWith('PLAIN'));
    assert.equal(proofs[0]!.length, 'AUTHENTICATE '.length + 400);
  });

  it('that floods or talks nonsense costs nobody else anything', async () => {
    await using fake = await startFakeIrc();
    await using fixture = await testAccount(irc, { config: fake.config, credentials: fake.credentials });
    await fixture.connect();
    for (const line of [
      '',
      ':',
      '@',
      'PRIVMSG',
      ':x PRIVMSG',
      ':x!y@z PRIVMSG Clawd',
      'KICK',
      ':a 477',
      'BATCH',
      '\u0000',
    ])
      fake.tell(line);
    await fake.write({ chat: { kind: 'direct', id: 'ann' }, by: 'ann', text: 'still here' });
    await until(() => fixture.received.some(({ text }) => text === 'still here'));
    fake.tell(`:x!y@z PRIVMSG Clawd :${'y'.repeat(30_000)}`);
    await fake.write({ chat: { kind: 'direct', id: 'ann' }, by: 'ann', text: 'and here' });
    await until(() => fixture.received.some(({ text }) => text === 'and here'));
  });

  it('in the clear, open to all, or by nicks is warned about', () => {
    const settings = irc.config.parse({
      host: 'irc.example',
      nick: 'x',
      tls: false,
      dmPolicy: 'open',
      allowFrom: ['*', 'a!b@c'],
    });
    assert.deepEqual(
      review(settings).map(({ kind }) => kind),
      ['security', 'security', 'security', 'config'],
    );
    assert.deepEqual(review(irc.config.parse({ host: 'irc.example', nick: 'x', join: ['#a'] })), []);
  });
});
