/** Restarts lose nothing: history, sessions, running turns and queued messages survive (P4–P6). */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { GatewayClient } from '@openclaw/gateway-client';
import { createJournal } from '../../src/journal/create-journal.ts';
import { accepted } from '../../src/testing/sample-inbound.ts';
import { startGateway } from '../../src/testing/running-gateway.ts';
import { until } from '../../src/testing/until.ts';

describe('a restart', () => {
  it('keeps the conversation and goes on with it', async () => {
    await using gateway = await startGateway();
    {
      await using chat = await gateway.connect();
      gateway.models.reply({ text: ['noted'] });
      await chat.say('the number is 42', { runId: 'r1' });
    }
    await gateway.restart();
    await using chat = await gateway.connect();
    gateway.models.reply({ text: ['42'] });
    assert.equal(await chat.say('which number?'), '42');
    assert.ok(gateway.models.requests.at(-1)!.texts.includes('the number is 42'));
    assert.equal(
      (await chat.call('chat.send', { sessionKey: 'main', message: 'the number is 42', idempotencyKey: 'r1' })).status,
      'ok',
      'an old id is still known',
    );
    assert.deepEqual(
      (await chat.history()).map(({ text }) => text),
      ['the number is 42', 'noted', 'which number?', '42'],
    );
  });

  it('in the middle of a turn finishes it afterwards, with what waited behind it', async () => {
    await using gateway = await startGateway({ config: { messages: { queue: { mode: 'followup' } } } });
    {
      await using chat = await gateway.connect();
      gateway.models.reply({ hang: true, text: ['half an ans'] });
      await chat.send('first', { runId: 'r1' });
      await chat.send('second', { runId: 'r2' });
      await until(() => gateway.models.requests.length === 1, 'the model call');
    }
    await gateway.restart({
      while: () => gateway.models.reply({ text: ['whole answer'] }, { text: ['second answer'] }),
    });
    await using chat = await gateway.connect();
    await chat.call('agent.wait', { runId: 'r2', timeoutMs: 60_000 });
    assert.deepEqual(
      (await chat.history()).map(({ text }) => text),
      ['first', 'whole answer', 'second', 'second answer'],
    );
  });

  it('gives a running turn time to end when it is allowed to', async () => {
    await using gateway = await startGateway();
    await using chat = await gateway.connect();
    const sent = await chat.send('quick');
    await Promise.all([gateway.restart({ graceMs: 5000 }), sent.ended]);
    assert.equal(gateway.models.requests.length, 1);
  });

  it('during /compact does not wait for the summary, and makes it afterwards', async () => {
    await using gateway = await startGateway();
    {
      await using chat = await gateway.connect();
      for (let n = 0; n < 4; n++) await chat.say('long '.repeat(2000));
      gateway.models.reply({ hang: true, text: ['Summary of'] });
      await chat.client.call('chat.send', { sessionKey: 'main', message: '/compact', idempotencyKey: 'c1' });
      await until(() => gateway.models.requests.length === 5, 'the summary');
    }
    await gateway.restart({ while: () => gateway.models.reply({ text: ['the whole summary'] }) });
    await using chat = await gateway.connect();
    await chat.call('agent.wait', { runId: 'c1', timeoutMs: 60_000 });
    assert.match((await chat.history()).at(-1)!.text, /Compacted/);
    assert.equal(await chat.say('and now?'), 'ok');
    assert.match(gateway.models.requests.at(-1)!.texts.join(), /the whole summary/);
  });

  it('answers a message that joined a turn whose opening has its end already', async () => {
    await using gateway = await startGateway({
      async before(stateDir) {
        const journal = createJournal({ path: join(stateDir, 'journal.sqlite') });
        const { row: opening } = await journal.inbound.accept(accepted({ id: 'm1', text: 'first' }), 'r1');
        const { row: joined } = await journal.inbound.accept(accepted({ id: 'm2', text: 'left over' }), 'r2');
        await journal.turns.begin({
          id: 'r1',
          sessionKey: opening.route.sessionKey,
          agentId: 'main',
          sessionId: 's',
          seqs: [opening.seq],
        });
        await journal.turns.steered('r1', 0, [], [joined.seq]);
        await journal.inbound.end([opening.seq], { state: 'declined', reason: 'stopped' });
        await journal.close();
      },
    });
    await using chat = await gateway.connect();
    assert.equal((await chat.call('agent.wait', { runId: 'r2', timeoutMs: 60_000 })).status, 'ok');
    assert.ok(gateway.models.requests.at(-1)!.texts.includes('left over'));
  });

  it('does not run an effect twice, and tells the model when it cannot know', async () => {
    await using gateway = await startGateway({
      config: { plugins: { load: { paths: [join(import.meta.dirname, '..', 'fixtures', 'slow-tool')] } } },
    });
    {
      await using chat = await gateway.connect();
      gateway.models.reply({ calls: [{ id: 'x', name: 'slow', args: { file: join(gateway.stateDir, 'effects') } }] });
      await chat.send('do it', { runId: 'r1' });
      await until(() => effects(gateway.stateDir) === 1, 'the effect');
    }
    await gateway.restart({ while: () => gateway.models.reply({ text: ['I am not sure it happened.'] }) });
    await using chat = await gateway.connect();
    await chat.call('agent.wait', { runId: 'r1', timeoutMs: 60_000 });
    assert.equal(effects(gateway.stateDir), 1);
    assert.match(gateway.models.requests.at(-1)!.toolResults.at(-1)!.text, /unknown/i);
  });
});

function effects(stateDir: string): number {
  try {
    return readFileSync(join(stateDir, 'effects'), 'utf8').length;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 0;
    throw error;
  }
}

describe('configuration', () => {
  it('edited while the gateway starts is not missed', async () => {
    const level = 'error';
    await using gateway = await startGateway({
      config: { gateway: { reload: { debounceMs: 0 } }, plugins: { load: { paths: ['plugin'] } } },
      async before(stateDir) {
        const config = JSON.parse(readFileSync(join(stateDir, 'clawdbot.json'), 'utf8'));
        config.plugins.load.paths = [join(stateDir, 'edits')];
        await writeFile(join(stateDir, 'clawdbot.json'), JSON.stringify(config));
        await mkdir(join(stateDir, 'edits'));
        await writeFile(
          join(stateDir, 'edits', 'index.js'),
          editingPlugin(stateDir, { ...config, logging: { level } }),
        );
      },
    });
    assert.match((await gateway.instance.stopRequest).reason, /logging\.level/);
  });
});

/** A plugin that, while it is loaded, edits the configuration and waits until the gateway has read that. */
const editingPlugin = (stateDir: string, config: object): string => `
  import { readFileSync, writeFileSync } from 'node:fs';
  writeFileSync(${JSON.stringify(join(stateDir, 'clawdbot.json'))}, ${JSON.stringify(JSON.stringify(config))});
  const read = () => { try { return readFileSync(${JSON.stringify(join(stateDir, 'config', 'last-good.json'))}, 'utf8'); } catch { return ''; } };
  while (!read().includes('logging')) await new Promise((resolve) => setTimeout(resolve, 5));
  export default [];
`;

describe('the published client, unmodified', () => {
  it('connects, chats, reads history and survives our restart', async () => {
    await using gateway = await startGateway();
    const { port, token } = gateway.instance;
    const finals: any[] = [];
    let hellos = 0;
    const client = new GatewayClient({
      url: `ws://127.0.0.1:${port}`,
      token: token!,
      minProtocol: 4,
      maxProtocol: 4,
      onHelloOk: () => {
        hellos++;
      },
      onEvent: (event: any) => {
        if (event.event === 'chat' && event.payload.state === 'final') finals.push(event.payload);
      },
    } as ConstructorParameters<typeof GatewayClient>[0]);
    client.start();
    try {
      await until(() => hellos === 1, 'hello-ok');
      gateway.models.reply({ text: ['hi from us'] });
      await client.request('chat.send', { sessionKey: 'main', message: 'hi', idempotencyKey: 'c1' });
      await until(() => finals.length === 1, 'the final event');
      assert.equal(finals[0].runId, 'c1');
      const { messages } = (await client.request('chat.history', { sessionKey: 'main', limit: 10 })) as {
        messages: any[];
      };
      assert.deepEqual(
        messages.map((message) => message.role),
        ['user', 'assistant'],
      );
      await gateway.restart({ port });
      await until(() => hellos === 2, 'the second hello-ok');
      await client.request('chat.send', { sessionKey: 'main', message: 'again', idempotencyKey: 'c2' });
      await until(() => finals.length === 2, 'the second final event');
    } finally {
      client.stop();
    }
  });
});
