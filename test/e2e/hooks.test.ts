/** HTTP hooks: a turn or a system event for the agent, once, with the answer delivered to its target. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { until } from '../../src/testing/until.ts';
import { openTime } from './time-harness.ts';

const TOKEN = 'a-hook-token-of-some-length';
const say = (text: string) => ({ text: [text] });

async function open(table: string, hooks: object = {}) {
  const harness = await openTime(table, { config: { hooks: { enabled: true, token: TOKEN, ...hooks } } });
  const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
    harness.gateway.fetch(`/hooks${path}`, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { authorization: `Bearer ${TOKEN}`, ...headers },
    });
  return { harness, post };
}

describe('hooks', () => {
  it('run the agent once a key, mark what came from outside, and answer in the chat', async () => {
    const { harness, post } = await open('hook');
    await using _ = harness;
    harness.model([
      [/Build 7 failed/, say('The build failed.')],
      [/./, say('hello')],
    ]);
    await harness.desk.write({ text: 'hi' });
    await until(() => harness.said().length === 1, 'the chat');
    const answers = await Promise.all(
      [1, 2].map(
        async () =>
          (
            await post('/agent', { message: 'Build 7 failed', name: 'CI' }, { 'idempotency-key': 'k1' })
          ).json() as Promise<any>,
      ),
    );
    assert.equal(answers[0].runId, answers[1].runId);
    await until(() => harness.said().length === 2, 'the answer');
    assert.deepEqual(harness.said(), ['hello', 'The build failed.']);
    assert.equal(harness.asked(/Build 7 failed/).length, 1);
    assert.match(harness.asked(/Build 7 failed/)[0]!, /^\[hook CI\]/);
    assert.notEqual(harness.asked(/Build 7 failed/)[0], '[hook CI] Build 7 failed', 'it is marked as untrusted');
    await until(
      async () => (await harness.chat.history()).some(({ text }) => text.startsWith('System event: Hook CI: ')),
      'the main session to hear of it',
    );
  });

  it('(190) take mapped paths, and name the channels there are, those of plugins too (201)', async () => {
    const { harness, post } = await open('hookmap', {
      presets: ['gmail'],
      mappings: [
        {
          match: { path: 'ci' },
          name: 'CI {{payload.repo}}',
          sessionKey: 'hook:ci:{{payload.repo}}',
          messageTemplate: 'Say in a word how it went.\n{{payload.result}}',
          channel: 'desk',
          to: 'bob',
        },
      ],
    });
    await using _ = harness;
    harness.model([[/^\[hook CI website\] Say in a word how it went\.[\s\S]*green/, say('Green.')]]);
    assert.equal((await post('/ci', { repo: 'website', result: 'green' })).status, 202);
    await until(() => harness.said().includes('Green.'), 'the answer');
    assert.deepEqual(
      harness.desk.sent.map(({ to }) => to.chat),
      [{ kind: 'direct', id: 'bob' }],
    );
    assert.equal((await harness.chat.history('agent:main:hook:ci:website')).at(-1)!.text, 'Green.');
    const refused = await post('/agent', { message: 'x', channel: 'pigeon' });
    assert.equal(refused.status, 400);
    assert.match(((await refused.json()) as any).error, /last, desk/);
    assert.equal((await post('', {})).status, 404);
    assert.equal((await post('/agent', { message: 'x'.repeat(300_000) })).status, 413);
  });

  it('wake the main session', async () => {
    const { harness, post } = await open('hookwake');
    await using _ = harness;
    harness.model([
      [/System event: .*door/, say('Somebody is at the door.')],
      [/./, say('hello')],
    ]);
    await harness.desk.write({ text: 'hi' });
    await until(() => harness.said().length === 1, 'the chat');
    assert.equal((await post('/wake', { text: 'the door bell', mode: 'now' })).status, 200);
    await until(() => harness.said().length === 2, 'the word');
    assert.equal(harness.said()[1], 'Somebody is at the door.');
  });

  it('are shut without their own token, and off by default', async () => {
    const { harness, post } = await open('hookshut');
    await using _ = harness;
    assert.equal(
      (await post('/wake', { text: 'x' }, { authorization: 'Bearer test-token-of-sufficient-length' })).status,
      401,
      'the gateway’s token is another one',
    );
    assert.equal((await harness.gateway.fetch('/hooks/wake')).status, 405);
    await using plain = await openTime('hookoff');
    assert.notEqual((await plain.gateway.fetch('/hooks/wake', { method: 'POST', body: '{"text":"x"}' })).status, 200);
    assert.equal(harness.gateway.models.requests.length + plain.gateway.models.requests.length, 0);
  });

  it('a hook’s turn has nobody’s rights', async () => {
    const { harness, post } = await open('hookrights', {});
    await using _ = harness;
    harness.gateway.models.reply(
      {
        calls: [
          {
            id: 'c1',
            name: 'gateway',
            args: { action: 'config.patch', raw: '{ agents: { defaults: { timeoutSeconds: 5 } } }', baseHash: 'x' },
          },
        ],
      },
      say('refused'),
    );
    await post('/agent', { message: 'change something', deliver: false });
    await until(() => harness.gateway.models.requests.length >= 2, 'the refusal');
    assert.match(harness.gateway.models.requests[1]!.toolResults[0]!.text, /owner|may not|right/i);
  });
});
