// A whole turn over each vendor's protocol: loop, providers and tool schemas together.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import type { ChatProvider, ProviderApi } from '../../core/provider.ts';
import { textResult, type Tool } from '../../core/tool.ts';
import anthropic from '../../providers/anthropic/index.ts';
import google from '../../providers/google/index.ts';
import openai from '../../providers/openai/index.ts';
import compatible from '../../providers/openai-compatible/index.ts';
import { startFakeModels } from '../../testing/fake-models/fake-model-server.ts';
import { candidate, play, toolCall, assistant, toolResult, user } from '../../testing/loop-fixture.ts';
import type { LoopModel } from './loop-input.ts';

const vendors: readonly { api: ProviderApi; provider: ChatProvider; path: string; modelId: string }[] = [
  { api: 'openai-completions', provider: compatible, path: '/v1', modelId: 'some-model' },
  { api: 'openai-responses', provider: openai, path: '/v1', modelId: 'gpt-5' },
  { api: 'anthropic-messages', provider: anthropic, path: '/v1', modelId: 'claude-sonnet-4-5' },
  { api: 'google-generative-ai', provider: google, path: '/v1beta', modelId: 'gemini-2.5-pro' },
];

const inspect: Tool = {
  name: 'look',
  summary: 'look',
  description: 'looks',
  readOnly: true,
  input: z.object({ at: z.string().describe('what'), depth: z.number().optional().describe('how far') }),
  run: async ({ at }) => ({
    ...textResult(`saw ${at}`),
    content: [
      { type: 'text', text: `saw ${at}` },
      { type: 'image', data: 'iVBORw0KGgo=', mimeType: 'image/png' },
    ],
  }),
};

for (const { api, provider, path, modelId } of vendors) {
  const modelAt = async (url: string): Promise<LoopModel> => {
    const chat = await provider.chat(modelId, { id: 'vendor', api, baseUrl: url + path, apiKey: 'key', models: [] });
    return candidate(chat, { provider: 'vendor', modelId, api, info: { id: modelId, input: ['text', 'image'] } });
  };

  test(`${api}: text, two calls, results with pictures, answer`, async () => {
    await using server = await startFakeModels();
    server.reply(
      {
        text: ['Let me ', 'look.'],
        calls: [
          { id: 'call_1', name: 'look', args: { at: 'a' } },
          { id: 'call_2', name: 'look', args: { at: 'b', depth: '3' } },
        ],
      },
      { text: ['Both seen.'] },
    );
    const { outcome, results } = await play([], {
      candidates: [await modelAt(server.url)],
      tools: [inspect],
      system: 'Be brief.',
    });
    assert.equal(outcome.kind === 'done' && outcome.text, 'Let me look.\n\nBoth seen.', JSON.stringify(outcome));
    assert.equal(results.length, 2);
    const [first, second] = server.requests;
    assert.equal(first!.tools[0]?.name, 'look');
    assert.match(first!.system, /Be brief/);
    assert.deepEqual(
      second!.toolResults.map((result) => /saw [ab]/.exec(result.text)?.[0]),
      ['saw a', 'saw b'],
    );
    assert.deepEqual(second!.images, ['iVBORw0KGgo=', 'iVBORw0KGgo=']);
    assert.deepEqual(
      second!.calls.map((one) => one.name),
      ['look', 'look'],
    );
    assert.deepEqual(
      second!.calls.map((one) => one.id),
      second!.toolResults.map((one) => one.id),
    );
  });

  test(`${api}: a history of another vendor, with foreign ids and an orphan, is accepted`, async () => {
    await using server = await startFakeModels();
    const history = [
      user('q'),
      assistant([
        { type: 'thinking', thinking: 'hm' },
        toolCall('toolu|01 strange/id', 'look', { at: 'x' }),
        toolCall('orphan', 'look', { at: 'y' }),
      ]),
      toolResult('toolu|01 strange/id', 'old'),
    ];
    const { outcome } = await play([], { candidates: [await modelAt(server.url)], tools: [inspect], history });
    assert.equal(outcome.kind, 'done', JSON.stringify(outcome));
    assert.deepEqual(
      server.requests[0]!.toolResults.map((result) => /old|No result provided/.exec(result.text)?.[0]),
      ['old', 'No result provided'],
    );
    for (const { id } of server.requests[0]!.calls) assert.match(id ?? 'none', /^[A-Za-z0-9_-]{1,40}$/);
  });

  test(`${api}: a busy server is asked again, a broken answer is kept and told, an overflow is named`, async () => {
    await using server = await startFakeModels();
    server.reply({ error: 'rate', headers: { 'retry-after-ms': '1' } }, { error: 'overloaded' }, { text: ['third'] });
    const model = await modelAt(server.url);
    const patient = await play([], { candidates: [model] });
    assert.deepEqual([patient.outcome.kind, server.requests.length], ['done', 3], JSON.stringify(patient.outcome));
    server.reply({ cut: 'clean', text: ['The answer'] });
    const broken = await play([], { candidates: [model] });
    assert.deepEqual(
      [broken.outcome.kind, broken.messages[0]?.content, server.requests.length],
      ['failed', [{ type: 'text', text: 'The answer' }], 4],
    );
    server.reply({ error: 'overflow' });
    const full = await play([], { candidates: [model] });
    assert.equal(full.outcome.kind === 'failed' && full.outcome.code, 'context_overflow');
    server.reply({ garbage: 'data: {"lol"\n\n' }, { silent: true }, { text: ['at last'] });
    const lied = await play([], { candidates: [model] });
    assert.equal(lied.outcome.kind, 'done', JSON.stringify(lied.outcome));
  });
}
