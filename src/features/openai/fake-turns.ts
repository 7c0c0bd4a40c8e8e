/** Turns and requests that the tests of chat completions share. */
import { createOpenAI } from '@ai-sdk/openai';
import type { LanguageModelV4, LanguageModelV4Prompt, LanguageModelV4StreamPart } from '@ai-sdk/provider';
import type { FakeTurn } from '../../testing/fake-chat.ts';
import { TEST_TOKEN, type HttpGateway } from '../../testing/http-gateway.ts';

export const usage = { input: 5, output: 7, cacheRead: 3, cacheWrite: 0, total: 15 };

export const WEATHER = {
  type: 'function',
  name: 'weather',
  description: 'Tells the weather',
  inputSchema: { type: 'object', properties: { city: { type: 'string' } } },
} as const;

export const CHAT_WEATHER = { type: 'function', function: { name: 'weather', parameters: { type: 'object' } } };

export const ask = (text: string): LanguageModelV4Prompt => [{ role: 'user', content: [{ type: 'text', text }] }];

export const callWeather: FakeTurn = ({ request }) =>
  request.options?.toolResults
    ? {
        kind: 'done',
        text:
          'It is ' +
          `${request.options.toolResults[0]!.content.map((block) => (block.type === 'text' ? block.text : '')).join('')}.`,
        usage,
      }
    : { kind: 'done', text: '', usage, toolCalls: [{ id: 'call_1', name: 'weather', arguments: { city: 'Bern' } }] };

export function client(gateway: HttpGateway, api: 'chat' | 'responses'): LanguageModelV4 {
  const openai = createOpenAI({ baseURL: `${gateway.url}/v1`, apiKey: TEST_TOKEN });
  return (api === 'chat' ? openai.chat('clawdbot') : openai.responses('clawdbot')) as LanguageModelV4;
}

export async function parts(
  model: LanguageModelV4,
  options: Parameters<LanguageModelV4['doStream']>[0],
): Promise<LanguageModelV4StreamPart[]> {
  const { stream } = await model.doStream(options);
  const seen: LanguageModelV4StreamPart[] = [];
  for await (const part of stream) seen.push(part);
  return seen;
}

export const chunks = (sse: string): any[] =>
  sse.split('\n\n').flatMap((frame) => (frame.startsWith('data: {') ? [JSON.parse(frame.slice(6))] : []));
