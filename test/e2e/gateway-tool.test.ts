/** The gateway tool: settings within limits, restarts with notices, other gateways only where allowed. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { until } from '../../src/testing/until.ts';
import { openTime } from './time-harness.ts';

const say = (text: string) => ({ text: [text] });
const call = (name: string, args: object) => ({
  calls: [{ id: `c${Math.random().toString(36).slice(2, 8)}`, name, args }],
});
type Harness = Awaited<ReturnType<typeof openTime>>;
const lastResult = (harness: Harness): string => harness.gateway.models.requests.at(-1)!.toolResults.at(-1)!.text;
const hashOf = async (harness: Harness): Promise<string> => (await harness.chat.call('config.get')).hash;

describe('settings', () => {
  it('(T180) are changed with the caller’s hash, keeping the rest; without it, or with an old one, not', async () => {
    await using harness = await openTime('settings');
    const patch = (baseHash?: string) =>
      call('gateway', {
        action: 'config.patch',
        raw: '{ agents: { defaults: { timeoutSeconds: 77 } } }',
        ...(baseHash ? { baseHash } : {}),
      });
    harness.gateway.models.reply(patch(), patch('0000'), say('no'));
    await harness.chat.say('try');
    for (const { text } of harness.gateway.models.requests.at(-1)!.toolResults) assert.match(text, /config\.get/);
    harness.gateway.models.reply(patch(await hashOf(harness)), say('done'));
    assert.equal(await harness.chat.say('now'), 'done');
    const written = await readFile(join(harness.gateway.stateDir, 'clawdbot.json'), 'utf8');
    assert.match(written, /77/);
    assert.match(written, /desk/);
  });

  it('that limit the turn itself are never changed by it', async () => {
    await using harness = await openTime('guards');
    const hash = await hashOf(harness);
    const before = await readFile(join(harness.gateway.stateDir, 'clawdbot.json'), 'utf8');
    for (const raw of [
      '{ tools: { allow: ["*"] } }',
      '{ channels: { desk: { allowFrom: ["*"] } } }',
      '{ gateway: { auth: { token: "mine-mine-mine-mine" } } }',
      '{ "agent": { "tools": { "deny": null } } }',
    ]) {
      harness.gateway.models.reply(call('gateway', { action: 'config.patch', raw, baseHash: hash }), say('no'));
      await harness.chat.say('try');
      assert.match(lastResult(harness), /may not|refus|owner/i, raw);
    }
    assert.equal(await readFile(join(harness.gateway.stateDir, 'clawdbot.json'), 'utf8'), before);
  });

  it('are not for people who may not configure', async () => {
    await using harness = await openTime('guests', { channel: { groups: { '*': { requireMention: false } } } });
    harness.gateway.models.reply(call('gateway', { action: 'config.get' }), say('no'));
    await harness.desk.write({ text: 'show me', group: 'room', sender: { id: 'bob', name: 'Bob' } });
    await until(() => harness.said().includes('no'), 'the answer');
    assert.doesNotMatch(lastResult(harness), /"raw"|"hash"/);
  });
});

describe('a restart', () => {
  it('(T183 T185) asked for twice is one, after the answer, and told where it was asked for', async () => {
    await using harness = await openTime('restart');
    harness.gateway.models.reply(
      call('gateway', { action: 'restart', delayMs: 0, note: 'Back again.' }),
      call('gateway', { action: 'restart', delayMs: 60_000, reason: 'twice' }),
      say('See you.'),
    );
    await harness.desk.write({ text: 'restart yourself' });
    const request = await harness.gateway.instance.stopRequest;
    assert.equal(request.restart, true);
    const { desk } = harness;
    await harness.gateway.restart({ graceMs: 5000 });
    assert.deepEqual(
      desk.sent.map(({ text }) => text),
      ['See you.'],
      'the turn was let end',
    );
    await until(() => harness.said().length > 0, 'the word afterwards');
    assert.match(harness.said().join('\n'), /Back again\./);
    await harness.gateway.restart();
    await until(() => harness.gateway.instance.port > 0 && harness.desk !== desk, 'the third run');
    assert.deepEqual(harness.said(), [], 'it is told once');
  });
});

describe('another gateway', () => {
  it('is reached on loopback by its token, and nowhere else', async () => {
    await using there = await openTime('there');
    await using here = await openTime('here');
    const url = `ws://127.0.0.1:${there.gateway.instance.port}`;
    here.gateway.models.reply(
      call('cron', {
        action: 'add',
        gatewayUrl: url,
        gatewayToken: 'test-token-of-sufficient-length',
        job: {
          name: 'Far',
          schedule: { kind: 'every', everyMs: 3_600_000 },
          payload: { kind: 'agentTurn', message: 'x' },
        },
      }),
      call('cron', { action: 'list', gatewayUrl: 'ws://192.0.2.1:18789', gatewayToken: 'x' }),
      call('cron', { action: 'list', gatewayUrl: 'ws://127.0.0.1.evil.example' }),
      say('done'),
    );
    await here.chat.say('do it there');
    const results = here.gateway.models.requests.at(-1)!.toolResults.map(({ text }) => text);
    assert.equal((await there.chat.call('cron.list')).jobs[0].name, 'Far');
    assert.equal((await here.chat.call('cron.list')).jobs.length, 0);
    for (const text of results.slice(1)) assert.match(text, /loopback|gateway\.remote/i);
  });
});
