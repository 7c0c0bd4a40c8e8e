/** Requests of the offline model as the gateway makes them. */
import assert from 'node:assert/strict';
import type { LanguageModelV4CallOptions, LanguageModelV4Prompt } from '@ai-sdk/provider';
import { readStream, type Heard } from '../../testing/read-stream.ts';
import offline from './index.ts';

export type Tools = NonNullable<LanguageModelV4CallOptions['tools']>;

export const tools: Tools = ['bash', 'cron', 'sessions_list', 'sessions_send', 'read'].map((name) => ({
  type: 'function',
  name,
  inputSchema: { type: 'object' },
}));

export const system = {
  role: 'system',
  content: 'You are …\n\n## Runtime\nagent=home | model=offline/concierge',
} as const;

export const user = (text: string): LanguageModelV4Prompt[number] => ({
  role: 'user',
  content: [{ type: 'text', text }],
});

export const done = (name: string, input: unknown, value: string, failed = false): LanguageModelV4Prompt => [
  { role: 'assistant', content: [{ type: 'tool-call', toolCallId: 'c', toolName: name, input }] },
  {
    role: 'tool',
    content: [
      { type: 'tool-result', toolCallId: 'c', toolName: name, output: { type: failed ? 'error-text' : 'text', value } },
    ],
  },
];

export async function answerTo(prompt: LanguageModelV4Prompt, given = tools): Promise<Heard> {
  const model = await offline.chat('concierge', { id: 'offline', models: [] });
  return readStream(model, { prompt: [system, ...prompt], tools: given });
}

export const says = async (text: string): Promise<string> => {
  const { text: said, calls } = await answerTo([user(text)]);
  assert.deepEqual(calls, [], text);
  return said;
};

export const calls = async (text: string): Promise<unknown[]> =>
  (await answerTo([user(text)])).calls.map(({ name, input }) => [name, input]);

export const reported = async (
  text: string,
  name: string,
  input: unknown,
  value: unknown,
  failed = false,
): Promise<string> =>
  (
    await answerTo([
      user(text),
      ...done(name, input, typeof value === 'string' ? value : JSON.stringify(value), failed),
    ])
  ).text;

export const LOCAL_TIME = { now: Date.UTC(2026, 10, 24, 8), zone: 'Europe/Berlin' };
