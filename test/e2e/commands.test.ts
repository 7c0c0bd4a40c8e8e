// Slash commands: alone, inside a sentence, over several lines, after a restart.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { startGateway, type RunningGateway } from '../../src/testing/running-gateway.ts';
import { until } from '../../src/testing/until.ts';

const MODELS = (url: string) => ({
  providers: {
    fake: {
      baseUrl: `${url}/v1`,
      apiKey: 'k',
      api: 'openai-completions',
      models: [
        { id: 'model', contextWindow: 200_000 },
        { id: 'other-large', contextWindow: 100_000 },
      ],
    },
  },
});
const asked = (gateway: RunningGateway): string => JSON.stringify(gateway.models.requests.at(-1)?.body ?? {});
const configFile = (gateway: RunningGateway): Promise<string> =>
  readFile(join(gateway.stateDir, 'clawdbot.json'), 'utf8');

async function harness(config: object = {}) {
  const gateway = await startGateway({ config });
  await gateway.writeConfig({
    models: MODELS(gateway.models.url),
    agents: { defaults: { model: 'fake/model', models: { 'fake/other-large': { alias: 'big' } } } },
    ...config,
  });
  await gateway.instance.config.reload();
  const chat = await gateway.connect();
  return {
    gateway,
    chat,
    entry: async (): Promise<any> =>
      (await chat.call('sessions.list', {})).sessions.find((row: any) => row.key === 'agent:main:main'),
    async [Symbol.asyncDispose]() {
      await chat[Symbol.asyncDispose]();
      await gateway[Symbol.asyncDispose]();
    },
  };
}

describe('commands in a conversation', () => {
  it('G131 G133 G150 a command inside a message is answered, and the rest goes to the agent without it', async () => {
    await using s = await harness();
    assert.match(await s.chat.say('/status'), /^⚙️/);
    assert.equal(s.gateway.models.requests.length, 0, 'alone: no model');
    for (const [text, left] of [
      ['hello /status you', 'hello you'],
      ['/whoami\nhello below', 'hello below'],
    ] as const) {
      const { runId, ended } = await s.chat.send(text);
      await ended;
      assert.match(asked(s.gateway), new RegExp(`"${left}"|text":"${left}|${left}"`));
      assert.doesNotMatch(asked(s.gateway), /\/status|\/whoami/);
      await until(
        () =>
          s.chat
            .history()
            .then((lines) => lines.some((line) => line.role === 'assistant' && line.text.startsWith('⚙️ '))),
        `the answer beside ${runId}`,
      );
    }
    assert.equal(s.gateway.models.requests.length, 2);
  });

  it('G135 an inline request holds for its message, alone it holds for the conversation', async () => {
    await using s = await harness();
    await s.chat.say('/model big write something');
    assert.match(asked(s.gateway), /"model":"other-large"/);
    assert.doesNotMatch(asked(s.gateway), /\/model big/);
    await s.chat.say('and again');
    assert.match(asked(s.gateway), /"model":"model"/);
    assert.equal(await s.chat.say('/model big'), '⚙️ Model: fake/other-large for this conversation.');
    assert.match(await s.chat.say('/status'), /Model: fake\/other-large \(session\)/, 'where it comes from');
    await s.chat.say('once more');
    assert.match(asked(s.gateway), /"model":"other-large"/);
    assert.equal(await s.chat.say('/think high /verbose on'), '⚙️ Thinking: high.\n⚙️ Tool notes: on.');
    const kept = await s.entry();
    assert.deepEqual([kept.thinkingLevel, kept.verboseLevel], ['high', 'on']);
    await s.gateway.restart();
    await using again = await s.gateway.connect();
    assert.match(await again.say('/think'), /high/);
  });

  it('/bash runs a command as the agent would: by the tool policy, and a person is asked where one has to be', async () => {
    await using s = await harness({ commands: { bash: true } });
    assert.equal(await s.chat.say('/bash echo "one two"'), '⚙️ Code 0\n```\none two\n```');
    const asking = s.chat.send('/bash touch made.txt');
    const { id } = (await s.chat.event((frame: any) => frame.event === 'exec.approval.requested')).payload as {
      id: string;
    };
    await s.chat.call('exec.approval.resolve', { id, decision: 'deny' });
    assert.match((await (await asking).ended).text, /^⚠️ Exec denied \(gateway id=\w{8}, user-denied/);
    assert.equal(await s.chat.say('/bash poll'), '⚙️ No command runs in the background.');
    assert.equal(s.gateway.models.requests.length, 0, 'no model was asked');
    await s.gateway.writeConfig({
      models: MODELS(s.gateway.models.url),
      commands: { bash: true },
      tools: { deny: ['bash'] },
    });
    await s.gateway.instance.config.reload();
    assert.match(await s.chat.say('/bash ls'), /the tool policy does not allow `bash` here/);
  });

  it('a slip is asked about, and /skill goes to the agent as a request', async () => {
    await using s = await harness();
    assert.match(await s.chat.say('/stauts'), /Did you mean `\/status`\?/);
    assert.equal(s.gateway.models.requests.length, 0);
    await s.chat.say('/skill maps to Rome');
    assert.match(asked(s.gateway), /Use the skill \\"maps\\"[\s\S]*to Rome/);
    assert.match(await s.chat.say('/subagents'), /no running sub-agents/);
  });

  it('G140 /send off takes messages and answers none, until /send on', async () => {
    await using s = await harness();
    assert.match(await s.chat.say('/send off'), /off/);
    await assert.rejects(s.chat.say('anybody?'), /send blocked by session policy/);
    assert.equal(s.gateway.models.requests.length, 0);
    assert.match(await s.chat.say('/send on'), /on/);
    await s.chat.say('anybody?');
    assert.equal(s.gateway.models.requests.length, 1);
  });

  it('/context counts what the next turn would be told', async () => {
    await using s = await harness();
    const reported = await s.chat.say('/context');
    assert.match(reported, /^⚙️ Context: about \d+ of 200000 tokens \(\d+ %\)\n/);
    assert.match(reported, /Tools \(\d+\): \d+/);
    assert.match(reported, /Conversation \(\d+ messages\): \d+/);
  });
});

describe("the owner's commands", () => {
  it('G137 /config changes the file, keeps what is around, and refuses what is not valid', async () => {
    await using s = await harness({ commands: { config: true } });
    assert.equal(await s.chat.say('/config set messages.queue.cap=7'), '⚙️ messages.queue.cap is set.');
    assert.match(await configFile(s.gateway), /"cap": ?7/);
    assert.match(await s.chat.say('/config get messages.queue.cap'), /```json\n7\n```/);
    assert.doesNotMatch(await s.chat.say('/config show models.providers.fake'), /"k"/, 'no secret');
    const before = await configFile(s.gateway);
    assert.match(await s.chat.say('/config set messages.queue.mode=sometimes'), /^⚠️ /);
    assert.equal(await configFile(s.gateway), before);
    assert.match(await s.chat.say('/config unset messages.queue.cap'), /removed/);
    assert.doesNotMatch(await configFile(s.gateway), /"cap"/);
  });

  it('G139 /debug changes what is in force and not the file', async () => {
    await using s = await harness({ commands: { debug: true } });
    const before = await configFile(s.gateway);
    assert.match(await s.chat.say('/debug set messages.queue.cap=3'), /overridden/);
    assert.match(await s.chat.say('/queue'), /cap 3/);
    assert.match(await s.chat.say('/debug set gateway.port=1'), /^⚠️ .*restart/);
    assert.match(await s.chat.say('/debug reset'), /overrides are removed/);
    assert.match(await s.chat.say('/queue'), /cap 20/);
    assert.equal(await configFile(s.gateway), before);
  });

  it('/restart answers first; the chat is told when it is back', async () => {
    await using s = await harness({ commands: { restart: true } });
    assert.match(await s.chat.say('/restart'), /^⚙️ Restarting/);
    await s.gateway.instance.stopRequest;
    await s.gateway.restart();
    await using again = await s.gateway.connect();
    await until(
      () => again.history().then((lines) => lines.some(({ text }) => text === '⚙️ The gateway is back.')),
      'the word that it is back',
    );
  });
});
