/** The gateway is killed around the end of a turn that sends a file: the next instance's history has the file once. */
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import { startFakeModels } from '../../src/testing/fake-models/fake-model-server.ts';
import { connect, start, stop } from './scenario.ts';
import { createFixture } from './fixture.ts';

for (const checkpoint of ['tool.finished', 'end.before', 'transcript.before', 'send.before'])
  it(`a file the message tool and an answer gave survives kill -9 at ${checkpoint}`, async () => {
    const home = await mkdtemp(join(tmpdir(), 'clawdbot-files-'));
    const [fixture, models] = [await createFixture(), await startFakeModels()];
    try {
      await mkdir(join(home, 'clawd'));
      await writeFile(join(home, 'clawd', 'plan.txt'), 'the plan');
      await writeFile(join(home, 'clawd', 'notes.txt'), 'the notes');
      const vendor = { baseUrl: `${models.url}/v1`, apiKey: 'k', api: 'openai-completions', models: [{ id: 'm' }] };
      const config = { models: { providers: { fake: vendor } }, agents: { defaults: { model: 'fake/m' } } };
      await writeFile(join(home, 'clawdbot.json'), JSON.stringify(config));
      const answer = { text: ['And the notes.\nMEDIA:notes.txt'] };
      models.reply(
        { calls: [{ id: 'a', name: 'message', args: { message: 'The plan:', mediaUrl: 'plan.txt' } }] },
        answer,
      );
      const first = await start(home, fixture, checkpoint);
      const client = await connect(first);
      const request = { sessionKey: 'main', message: 'both, please', idempotencyKey: 'one' };
      await client.call('chat.send', request).catch(() => undefined);
      await first.gone;
      models.reply(answer); // asked again where the answer was not on disk
      const second = await start(home, fixture, '-');
      const later = await connect(second);
      await later.call('agent.wait', { runId: 'one', timeoutMs: 60_000 });
      const { messages } = await later.call<any>('chat.history', { sessionKey: 'main' });
      const sent = messages.flatMap(({ details }: any) => details?.sent ?? []);
      const given = [...sent, ...messages.filter(({ files }: any) => files)].flatMap(({ files }: any) => files);
      assert.deepEqual(
        given.map(({ name }: any) => name),
        ['plan.txt', 'notes.txt'],
      );
      assert.deepEqual(messages.at(-1).content, [{ type: 'text', text: 'And the notes.' }]);
      const bytes = given.map(async ({ id }: any) => {
        const { content } = await later.call<any>('chat.file', { sessionKey: 'main', id });
        return String(Buffer.from(content, 'base64'));
      });
      assert.deepEqual(await Promise.all(bytes), ['the plan', 'the notes']);
      later.close();
      await stop(second);
    } finally {
      await fixture.close();
      await models[Symbol.asyncDispose]();
      await rm(home, { recursive: true, force: true });
    }
  });
