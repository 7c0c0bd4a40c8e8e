// A message taken apart: commands alone and inside a sentence, inline requests, and what the agent reads.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { commandRow, READ, type Person } from '../../testing/command-harness.ts';
import { readSaid, inlineRequestOf } from './read-said.ts';
import { typed } from '../../core/saying.ts';

const said = (text: string, person: Person = {}, rules = READ) => {
  const { alone, beside, text: rest, reset, ...others } = readSaid(commandRow(text, person), rules);
  const names = (list: typeof alone): string => list.map(({ command, args }) => `${command.name}(${args})`).join(' ');
  return {
    alone: names(alone),
    beside: names(beside),
    text: rest,
    reset: reset?.name,
    request: inlineRequestOf(others),
  };
};

describe('commands inside a sentence', () => {
  const CASES: readonly (readonly [text: string, beside: string, rest: string])[] = [
    ['hey /status', 'status()', 'hey'],
    ['/status please look', 'status()', 'please look'],
    ['hey /help: what now', 'help()', 'what now'.replace(/^/, 'hey ')],
    ['a /whoami b /commands c /whoami', 'whoami() commands()', 'a b c'],
    ['/status\nfoo', 'status()', 'foo'],
    ['/stop\nfoo\n\nbar', 'stop()', 'foo\n\nbar'],
    ['/status\nfoo /help bar', 'status() help()', 'foo bar'],
  ];
  for (const [text, beside, rest] of CASES)
    it(`G131 G133 G150 ${JSON.stringify(text)}`, () =>
      assert.deepEqual([said(text).alone, said(text).beside, said(text).text], ['', beside, rest]));

  for (const text of [
    'see\n```\nGET /status HTTP\n```\nwhy',
    'use `/status`',
    'http://x/status',
    'see a/status',
    '/statusbericht y',
    'do /compact it',
    'plain',
    ' as it\n is ',
  ])
    it(`leaves ${JSON.stringify(text)} as it is`, () =>
      assert.deepEqual([said(text).alone, said(text).beside, said(text).text], ['', '', text]));
});

describe('a huge message', () => {
  it('is read in one go, and only so many of its commands', () => {
    const { beside, text } = said(`hey ${'/status '.repeat(200_000)}`);
    assert.deepEqual([beside, text.split('/status').length - 1], ['status()', 200_000 - 32]);
    assert.equal(said('/think\n'.repeat(200_000)).beside, '');
    assert.equal(said(`${'```\n'.repeat(100_001)}/status`).beside, '');
    assert.equal(said(`${'```\n'.repeat(100_000)}/status`).beside, 'status()');
  });
});

describe('inline requests', () => {
  const CASES: readonly (readonly [text: string, rest: string, request: object])[] = [
    ['/think: high tell me', 'tell me', { options: { thinking: 'high' } }],
    ['tell me /t low now', 'tell me now', { options: { thinking: 'low' } }],
    ['/v full /reasoning on go', 'go', { options: { verbose: 'full', reasoning: 'on' } }],
    ['/model opus write', 'write', { options: { model: 'opus' } }],
    ['write /model openai/gpt-5.2, please', 'write, please', { options: { model: 'openai/gpt-5.2' } }],
    ['go on /queue interrupt cap:3 with it', 'go on with it', { queue: { mode: 'interrupt', cap: 3 } }],
    ['/think high\nhello\nthere', 'hello\nthere', { options: { thinking: 'high' } }],
    ['/verbose on\n/status\nhello', 'hello', { options: { verbose: 'on' } }],
  ];
  for (const [text, rest, request] of CASES)
    it(`G134 G135 ${JSON.stringify(text)}`, () =>
      assert.deepEqual(
        [said(text).alone, said(text).text, said(text).request],
        ['', rest, { options: {}, queue: {}, ...request }],
      ));

  for (const text of [
    '/thinkfoo x',
    'http://x/think high',
    'see path/elevated full',
    'the /elevated command',
    '/think about it',
    'use /model for x',
    '/queue up for me',
  ])
    it(`G134 no inline request in ${JSON.stringify(text)}`, () =>
      assert.deepEqual(said(text), {
        alone: '',
        beside: '',
        text,
        reset: undefined,
        request: { options: {}, queue: {} },
      }));

  it('G135 alone they are for the session, several at once too', () => {
    assert.deepEqual(
      [said('/think high').alone, said('/think high').request],
      ['think(high)', { options: {}, queue: {} }],
    );
    assert.equal(said('/think high /verbose on').alone, 'think(high) verbose(on)');
    assert.equal(
      said('/think high', { over: { attachments: [{ kind: 'image', mime: 'image/png', path: '/x' }] } }).request.options
        ?.thinking,
      'high',
      'a picture is something to think about',
    );
  });

  it('a reset keeps its inline requests for what stands behind it', () => {
    assert.deepEqual(said('/new /think high hello'), {
      alone: '',
      beside: '',
      text: 'hello',
      reset: 'new',
      request: { options: { thinking: 'high' }, queue: {} },
    });
  });
});

describe('who may', () => {
  it('G132 a command of an unauthorized sender is declined; inside a sentence it stays text', () => {
    assert.equal(said('/status', { authorized: false }).alone, 'status()');
    assert.equal(said('/think high', { authorized: false }).alone, 'think(high)', 'it is told why');
    assert.equal(said('/new', { authorized: false }).reset, 'new', 'anybody may begin anew');
    for (const text of ['hey /status', '/status\nfoo', '/think high hi'])
      assert.deepEqual(
        [
          said(text, { authorized: false }).alone,
          said(text, { authorized: false }).text,
          said(text, { authorized: false }).beside,
        ],
        ['', text, ''],
      );
  });
  it('what changes rights is a command alone, and words in any other company', () => {
    assert.equal(said('/exec ask=always').alone, 'exec(ask=always)');
    for (const text of [
      '/exec ask=always go',
      'please /elevated full',
      '/elevated full\nand go on',
      '/elevated full /think high',
      '> /elevated full',
      '`/elevated full`',
      '```\n/elevated full\n```',
      '/approve abc always\nthanks',
    ]) {
      const { alone, beside, request } = said(text);
      const options: object = request.options ?? {};
      assert.deepEqual(
        [alone.replace(/^approve\(abc always\nthanks\)$/, ''), beside, 'elevated' in options || 'exec' in options],
        ['', '', false],
        text,
      );
    }
    assert.equal(
      said('/elevated full', { over: { attachments: [{ kind: 'image', mime: 'image/png', path: '/x' }] } }).alone,
      '',
    );
  });
  it('what is no message of a person is text', () =>
    assert.equal(said('/status', { commands: false }).text, '/status'));
});

describe('where from', () => {
  it('reads the words without the mention, and leaves others as they were', () => {
    assert.equal(said('@bot /status', { over: { said: typed('/status') } }).alone, 'status()');
    assert.deepEqual(
      [
        said('@bot hello', { over: { said: typed('hello') } }).text,
        said('@bot /think high hello', { over: { said: typed('/think high hello') } }).text,
      ],
      ['@bot hello', '@bot hello'],
    );
  });
  const off = { ...READ, text: false };
  it('G107 commands.text false: native ones and stopping still work', () => {
    assert.deepEqual(
      [
        said('/status', {}, off).alone,
        said('/status', { over: { native: true } }, off).alone,
        said('/think high hi', {}, off).text,
      ],
      ['', 'status()', '/think high hi'],
    );
    assert.deepEqual(
      [
        said('stop', {}, off).alone,
        said('/stop', {}, off).alone,
        said('[Dec 4 17:35] stop', {}, off).alone,
        said('please stop', {}, off).alone,
      ],
      ['stop()', 'stop()', 'stop()', ''],
    );
  });
});
