/** Usage as the transcripts say it: counted once, whatever was read before, and never from what is no answer. */
import assert from 'node:assert/strict';
import { appendFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { startGateway, type Chat } from '../../testing/running-gateway.ts';
import { until } from '../../testing/until.ts';
import type { UsageReport } from './answers.ts';
import { readUsage } from './usage-line.ts';

const total = ({ rows }: UsageReport, field: 'turns' | 'calls' | 'input' | 'output' | 'failed' | 'cost'): number =>
  rows.reduce((sum, row) => sum + row[field], 0);

async function whole(chat: Chat, turns: number): Promise<UsageReport> {
  const state: { report?: UsageReport } = {};
  await until(async () => {
    state.report = await chat.call('usage.report', { days: 366 });
    return state.report!.reading === undefined && total(state.report!, 'turns') >= turns;
  }, `${turns} turns to be counted`);
  return state.report!;
}

const answer = (n: number, more: object = {}): string =>
  `${JSON.stringify({
    type: 'message',
    id: `a${n}`,
    timestamp: new Date().toISOString(),
    turnId: `old-${n}`,
    message: {
      role: 'assistant',
      content: [{ type: 'text', text: 'x' }],
      timestamp: Date.now() - 1000,
      provider: 'acme',
      model: 'one',
      usage: { input: 10, output: 5, cacheRead: 0, cacheWrite: 0, total: 15, cost: 0.25 },
      stopReason: 'stop',
      ...more,
    },
  })}\n`;

describe('usage.report', () => {
  it('counts what turns used, once, also after a restart, and by the channel of the message', async () => {
    const folder = (stateDir: string): string => join(stateDir, 'agents/main/sessions');
    const header = { type: 'session', version: 3, id: 'old', timestamp: '', cwd: '/' };
    const old = `${JSON.stringify({ ...header, sessionKey: 'agent:main:telegram:dm:7' })}\n`;
    await using gateway = await startGateway({
      config: { usage: { dailyBudgetUsd: 2 } },
      before: async (stateDir) => {
        await mkdir(folder(stateDir), { recursive: true });
        const half = answer(3);
        await writeFile(join(folder(stateDir), 'old.jsonl'), old + answer(1) + answer(2) + half.slice(0, 40));
      },
    });
    await using chat = await gateway.connect();
    await chat.say('hello');
    const first = await whole(chat, 3);
    assert.deepEqual([total(first, 'turns'), total(first, 'calls'), total(first, 'cost')], [3, 3, 0.5]);
    assert.deepEqual(first.rows.map(({ channel, agent, turns }) => [channel, agent, turns]).sort(), [
      ['telegram', 'main', 2],
      ['webchat', 'main', 1],
    ]);
    assert.deepEqual(first.budget, { dailyUsd: 2 });
    const counted = first.rows.find(({ channel }) => channel === 'webchat')!.latency.reduce((a, b) => a + b, 0);
    assert.equal(counted, 1, 'the latency of the one turn with a message');
    await appendFile(join(folder(gateway.stateDir), 'old.jsonl'), answer(3).slice(40));
    await gateway.restart();
    await using again = await gateway.connect();
    await again.say('hello again', { session: 'agent:main:web:two' });
    const after = await whole(again, 5);
    assert.deepEqual([total(after, 'turns'), total(after, 'cost')], [5, 0.75]);
    assert.equal(total(await whole(again, 5), 'turns'), 5, 'asked again it is the same');
  });

  it('tells those who watch of a turn that ended', async () => {
    await using gateway = await startGateway();
    await using chat = await gateway.connect();
    await whole(chat, 0);
    await chat.say('hello');
    await chat.event(({ event }) => event === 'usage.changed');
    const report = await whole(chat, 1);
    assert.equal(report.rows[0]!.day, report.today);
  });
});

describe('a line of a transcript', () => {
  const used = (text: string) => readUsage(text, undefined).used;

  it('counts for nothing when it is no answer of a model', () => {
    for (const line of ['', '{', '"role":"assistant"', '{"type":"message","message":{"role":"assistant"', 'null'])
      assert.equal(used(line), undefined, line);
    assert.equal(used(answer(1, { stopReason: 'injected' })), undefined);
    assert.equal(used(answer(1, { role: 'user', content: [{ type: 'text', text: '"role":"assistant"' }] })), undefined);
    assert.equal(
      used(answer(1).replace('{', `{"pad":"${'x'.repeat(1024 * 1024)}",`)),
      undefined,
      'too long to be parsed',
    );
  });

  it('takes numbers only as they can be', () => {
    const odd = used(answer(1, { usage: { input: -5, output: 'many', cacheRead: null, cost: -1 }, timestamp: 'x' }))!;
    assert.deepEqual([odd.input, odd.output, odd.cacheRead, odd.cost, odd.at], [0, 0, 0, undefined, 0]);
    assert.equal(used(answer(1, { usage: undefined }))!.input, 0);
    assert.deepEqual(
      [used(answer(1, { stopReason: 'error' }))!.failed, used(answer(1, { stopReason: 'toolUse' }))!.turns],
      [1, 0],
    );
  });

  it('measures from the message to the answer that ends the turn', () => {
    const person = answer(1, { role: 'user', timestamp: Date.now() - 7000 });
    const open = readUsage(person, undefined).open;
    const call = readUsage(answer(1, { stopReason: 'toolUse' }), open);
    assert.equal(call.used!.latency, undefined);
    const { used: last, open: left } = readUsage(answer(1), call.open);
    assert.equal(
      last!.latency!.findIndex((count) => count === 1),
      5,
      'about six seconds',
    );
    assert.equal(left, undefined);
  });
});
