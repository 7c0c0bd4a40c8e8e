/**
 * What kills the gateway twice in a row is set aside with a word to its sender, whatever killed it; what only waited
 * behind it is answered.
 */
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { until } from '../../src/testing/until.ts';
import { configText, connect, LINK, linkReader, openRows, start, stop, type Running } from './scenario.ts';
import { createFixture, type Fixture } from './fixture.ts';

const SET_ASIDE = /^⚠️ The gateway died twice while it worked on this message, so it was set aside/;

interface Instances extends AsyncDisposable {
  readonly home: string;
  readonly fixture: Fixture;
  begin(fatal?: string): Promise<Running>;
}

async function instances(): Promise<Instances> {
  const home = await mkdtemp(join(tmpdir(), 'clawdbot-hopeless-'));
  const fixture = await createFixture();
  await writeFile(join(home, 'clawdbot.json'), configText(fixture.url, 'followup', await linkReader(home)));
  return {
    home,
    fixture,
    begin: (fatal = '-') => start(home, fixture, fatal),
    async [Symbol.asyncDispose]() {
      await fixture.close();
      await rm(home, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

const writes = (fixture: Fixture, ...texts: readonly string[]): void =>
  texts.forEach((text, index) => fixture.unacknowledged.set(`u${index}`, { id: `u${index}`, chat: 'ann', text }));
const quiet = (at: Instances): Promise<unknown> =>
  until(() => at.fixture.unacknowledged.size === 0 && openRows(at.home) === 0, 'every end');

for (const [checkpoint, text, asked] of [
  ['model.before', 'one', 1],
  ['model.after', 'one', 3],
  ['understand.before', `one ${LINK}`, 1],
] as const) {
  test(`dead twice at ${checkpoint}: the message is set aside, told once, and the next one is answered`, {
    timeout: 60_000,
  }, async () => {
    await using at = await instances();
    writes(at.fixture, text, 'two');
    for (let instance = 0; instance < 2; instance++) await (await at.begin(`${checkpoint}:1`)).gone;
    const third = await at.begin();
    await quiet(at);
    await stop(third);
    const fourth = await at.begin();
    await stop(fourth);
    const said = at.fixture.sends.map((one) => one.text);
    assert.equal(said.length, 2, said.join('\n'));
    assert.match(said[0]!, SET_ASIDE);
    assert.equal(said[1], 'echo two');
    assert.equal(at.fixture.modelCalls, asked, 'the model was not asked for it again');
  });
}

test('in the web chat it has its end, stands in the history, and can be sent again', { timeout: 60_000 }, async () => {
  await using at = await instances();
  const say = async (running: Running, key: string): Promise<any> => {
    const client = await connect(running);
    await client.call('chat.send', { sessionKey: 'agent:main:web', message: 'first', idempotencyKey: key });
    return client;
  };
  const first = await at.begin('model.before:1');
  await say(first, 'web-0').catch(() => undefined);
  await first.gone;
  await (await at.begin('model.before:1')).gone;
  const third = await at.begin();
  const client: any = await connect(third);
  const ended = await client.call('agent.wait', { runId: 'web-0', timeoutMs: 20_000 });
  assert.equal(ended.status, 'error');
  await assert.rejects(
    client.call('chat.send', { sessionKey: 'agent:main:web', message: 'first', idempotencyKey: 'web-0' }),
    /died twice/,
    'the same one once more is answered the same',
  );
  await client.call('chat.send', { sessionKey: 'agent:main:web', message: 'first', idempotencyKey: 'web-1' });
  assert.equal((await client.call('agent.wait', { runId: 'web-1', timeoutMs: 20_000 })).status, 'ok');
  const { messages } = await client.call('chat.history', { sessionKey: 'agent:main:web', limit: 10 });
  assert.deepEqual(
    messages.map(({ role }: any) => role),
    ['user', 'assistant', 'user', 'assistant'],
    JSON.stringify(messages),
  );
  client.close();
  await stop(third);
});

test('runs that ended in good order do not count, nor does one kill', { timeout: 60_000 }, async () => {
  await using at = await instances();
  writes(at.fixture, 'one');
  await (await at.begin('model.before:1')).gone;
  at.fixture.pause = () => 30_000;
  const second = await at.begin();
  await until(() => at.fixture.modelCalls === 1, 'the turn under way');
  await stop(second);
  await (await at.begin('model.before:1')).gone;
  at.fixture.pause = undefined;
  const fourth = await at.begin();
  await quiet(at);
  await stop(fourth);
  assert.deepEqual(
    at.fixture.sends.map((one) => one.text),
    ['echo one'],
  );
});
