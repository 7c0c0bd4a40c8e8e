/**
 * What we know of OpenAI's models: tokens, abilities, US dollars per million tokens (platform.openai.com/docs/models).
 */
import type { ModelInfo } from '../../sdk/index.ts';

const sees = ['text', 'image'] as const;

export const catalogue: readonly ModelInfo[] = [
  {
    id: 'gpt-5.2',
    name: 'GPT-5.2',
    reasoning: true,
    input: sees,
    contextWindow: 400_000,
    maxTokens: 128_000,
    cost: { input: 1.75, output: 14, cacheRead: 0.175 },
  },
  {
    id: 'gpt-5.1',
    name: 'GPT-5.1',
    reasoning: true,
    input: sees,
    contextWindow: 400_000,
    maxTokens: 128_000,
    cost: { input: 1.25, output: 10, cacheRead: 0.125 },
  },
  {
    id: 'gpt-5',
    name: 'GPT-5',
    reasoning: true,
    input: sees,
    contextWindow: 400_000,
    maxTokens: 128_000,
    cost: { input: 1.25, output: 10, cacheRead: 0.125 },
  },
  {
    id: 'gpt-5-mini',
    name: 'GPT-5 mini',
    reasoning: true,
    input: sees,
    contextWindow: 400_000,
    maxTokens: 128_000,
    cost: { input: 0.25, output: 2, cacheRead: 0.025 },
  },
  {
    id: 'gpt-5-nano',
    name: 'GPT-5 nano',
    reasoning: true,
    input: sees,
    contextWindow: 400_000,
    maxTokens: 128_000,
    cost: { input: 0.05, output: 0.4, cacheRead: 0.005 },
  },
  {
    id: 'gpt-4.1',
    name: 'GPT-4.1',
    reasoning: false,
    input: sees,
    contextWindow: 1_047_576,
    maxTokens: 32_768,
    cost: { input: 2, output: 8, cacheRead: 0.5 },
  },
  {
    id: 'gpt-4.1-mini',
    name: 'GPT-4.1 mini',
    reasoning: false,
    input: sees,
    contextWindow: 1_047_576,
    maxTokens: 32_768,
    cost: { input: 0.4, output: 1.6, cacheRead: 0.1 },
  },
  {
    id: 'gpt-4o',
    name: 'GPT-4o',
    reasoning: false,
    input: sees,
    contextWindow: 128_000,
    maxTokens: 16_384,
    cost: { input: 2.5, output: 10, cacheRead: 1.25 },
  },
  { id: 'gpt-5*', reasoning: true, input: sees, contextWindow: 400_000, maxTokens: 128_000 },
  { id: 'gpt-6*', reasoning: true, input: sees },
  { id: 'gpt-4.1*', reasoning: false, input: sees, contextWindow: 1_047_576, maxTokens: 32_768 },
  { id: 'gpt-4o*', reasoning: false, input: sees, contextWindow: 128_000, maxTokens: 16_384 },
  { id: 'o3*', reasoning: true, input: sees, contextWindow: 200_000, maxTokens: 100_000 },
  { id: 'o4-mini*', reasoning: true, input: sees, contextWindow: 200_000, maxTokens: 100_000 },
];
