/** Following by events: asked at the start and after each piece of news, until an end, Ctrl-C or a lost line. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { AppError } from '../core/errors.ts';
import { until } from '../testing/until.ts';
import { logs } from './commands/logs.ts';
import { fakeTerminal, type Answers } from './fake.ts';
import { followNews } from './follow-news.ts';

async function following(answers: Answers = {}) {
  const io = fakeTerminal({ answers: { 'x.subscribe': {}, ...answers } });
  const link = await io.connect({ env: io.env(), timeoutMs: 1 });
  return { io, link, topic: 'x', isNews: (event: string) => event === 'x.news' };
}

describe('what is followed', () => {
  it('is read again after news alone, and no more after Ctrl-C', async () => {
    const emits: ((event: string, payload: unknown) => void)[] = [];
    const followed = await following({ 'x.subscribe': (_: unknown, emit: (typeof emits)[0]) => emits.push(emit) });
    let reads = 0;
    const ended = followNews(followed, async () => ++reads > 0);
    await until(() => reads === 1, 'the first look');
    emits[0]!('other', {});
    emits[0]!('x.news', {});
    await until(() => reads === 2, 'a look after news');
    followed.io.interrupt();
    await ended;
    emits[0]!('x.news', {});
    assert.equal(reads, 2);
  });

  it('says that the gateway is gone', async () => {
    const emits: ((event: string, payload: unknown) => void)[] = [];
    const followed = await following({ 'x.subscribe': (_: unknown, emit: (typeof emits)[0]) => emits.push(emit) });
    let reads = 0;
    const ended = followNews(followed, async () => {
      if (++reads > 1) throw new AppError('network', 'The gateway closed the connection.');
      return true;
    });
    await until(() => reads === 1, 'the first look');
    emits[0]!('disconnected', undefined);
    await assert.rejects(ended, /closed the connection/);
  });
});

it('logs --follow subscribes, and asks for what is new from where it was', async () => {
  const pages = [
    { cursor: 10, lines: ['one'] },
    { cursor: 20, lines: ['two', 'three'] },
  ];
  const io = fakeTerminal({
    answers: {
      'logs.subscribe': { subscribed: true },
      'logs.tail': (_: unknown, emit: (event: string, payload: unknown) => void) => {
        if (pages.length > 1) emit('logs.lines', {});
        else queueMicrotask(() => io.interrupt());
        return pages.shift();
      },
    },
  });
  const link = await io.connect({ env: io.env(), timeoutMs: 1 });
  const flags = { has: (name: string) => name === 'follow', text: () => undefined, number: () => 5, list: () => [] };
  await logs({ args: [], flags, io, gateway: async () => link });
  assert.deepEqual(io.lines, ['one', 'two', 'three']);
  assert.deepEqual(
    io.requests.map(({ method, params }) => [method, params]),
    [
      ['logs.subscribe', undefined],
      ['logs.tail', { limit: 5 }],
      ['logs.tail', { cursor: 10 }],
    ],
  );
});
