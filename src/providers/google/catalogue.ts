/**
 * What we know of Gemini models: tokens, abilities, US dollars per million tokens
 * (ai.google.dev/gemini-api/docs/models).
 */
import type { ModelInfo } from '../../sdk/index.ts';

const common = { reasoning: true, input: ['text', 'image'], contextWindow: 1_048_576, maxTokens: 65_536 } as const;

export const catalogue: readonly ModelInfo[] = [
  { id: 'gemini-flash-latest', name: 'Gemini Flash (latest)', ...common },
  { id: 'gemini-pro-latest', name: 'Gemini Pro (latest)', ...common },
  { id: 'gemini-3-pro-preview', name: 'Gemini 3 Pro', ...common, cost: { input: 2, output: 12, cacheRead: 0.2 } },
  { id: 'gemini-2.5-pro', name: 'Gemini 2.5 Pro', ...common, cost: { input: 1.25, output: 10, cacheRead: 0.125 } },
  { id: 'gemini-2.5-flash', name: 'Gemini 2.5 Flash', ...common, cost: { input: 0.3, output: 2.5, cacheRead: 0.03 } },
  {
    id: 'gemini-2.5-flash-lite',
    name: 'Gemini 2.5 Flash-Lite',
    ...common,
    cost: { input: 0.1, output: 0.4, cacheRead: 0.01 },
  },
  { id: 'gemini-*', ...common },
];
