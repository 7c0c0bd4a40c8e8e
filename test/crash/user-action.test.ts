/** The gateway is killed while it takes what a person did on a surface: one message, one answer, and the page hears. */
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { action, form, jsonl } from '../../src/features/a2ui/harness.ts';
import { startFakeModels } from '../../src/testing/fake-models/fake-model-server.ts';
import { withModel } from '../../src/testing/running-gateway.ts';
import { tempDir } from '../../src/testing/temp-dir.ts';
import { until } from '../../src/testing/until.ts';
import { createFixture } from './fixture.ts';
import { connect, start, stop, type Running } from './scenario.ts';

/** As a page does: what is not answered is sent again, under the same id. */
async function send({ port }: Running, path: string): Promise<string | undefined> {
  const body = JSON.stringify(action('click-0001'));
  const answer = await fetch(`http://127.0.0.1:${port}${path}action`, { method: 'POST', body }).catch(() => undefined);
  return answer?.ok ? ((await answer.json()) as { readonly state: string }).state : undefined;
}

describe('kill -9 during a user action', () => {
  for (const checkpoint of ['accept.before', 'accept.after', 'model.after', 'end.before', 'end.after'])
    it(`at ${checkpoint}: the agent has it once, answers once, and the page is told`, async () => {
      await using home = await tempDir('user-action');
      await using models = await startFakeModels();
      const fixture = await createFixture();
      await using cleanup = new AsyncDisposableStack();
      cleanup.defer(() => fixture.close());
      await writeFile(join(home.path, 'clawdbot.json'), JSON.stringify(withModel({}, models.url)));
      const first = await start(home.path, fixture, checkpoint);
      const client = await connect(first);
      await client.call('a2ui.push', { jsonl: jsonl(...form()) });
      const { path } = await client.call<{ readonly path: string }>('a2ui.link', {});
      models.reply({ text: ['It rains.'] }, { text: ['It rains.'] });
      await send(first, path);
      await first.gone;
      const second = await start(home.path, fixture, '-');
      cleanup.defer(() => stop(second));
      const outcome = await until(async () => {
        const state = await send(second, path);
        return state !== undefined && state !== 'accepted' && state;
      }, 'the end of the action');
      assert.equal(outcome, 'answered');
      const later = await connect(second);
      const { messages } = await later.call<any>('chat.history', { sessionKey: 'main' });
      later.close();
      const texts = messages.map(({ content }: any) => content.map(({ text }: any) => text).join(''));
      assert.equal(texts.filter((text: string) => text.includes('CANVAS_A2UI')).length, 1);
      assert.equal(texts.filter((text: string) => text === 'It rains.').length, 1);
    });
});
