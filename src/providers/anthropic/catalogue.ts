/**
 * What we know of Anthropic's models: tokens, abilities, US dollars per million tokens (docs.anthropic.com, models
 * overview).
 */
import type { ModelInfo } from '../../sdk/index.ts';

const common = { reasoning: true, input: ['text', 'image'], contextWindow: 200_000 } as const;
const opus = { input: 5, output: 25, cacheRead: 0.5, cacheWrite: 6.25 };
const sonnet = { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 };

export const catalogue: readonly ModelInfo[] = [
  { id: 'claude-opus-4-6', name: 'Claude Opus 4.6', ...common, maxTokens: 128_000, cost: opus },
  { id: 'claude-sonnet-4-6', name: 'Claude Sonnet 4.6', ...common, maxTokens: 64_000, cost: sonnet },
  { id: 'claude-opus-4-5', name: 'Claude Opus 4.5', ...common, maxTokens: 64_000, cost: opus },
  { id: 'claude-sonnet-4-5', name: 'Claude Sonnet 4.5', ...common, maxTokens: 64_000, cost: sonnet },
  {
    id: 'claude-haiku-4-5',
    name: 'Claude Haiku 4.5',
    ...common,
    maxTokens: 64_000,
    cost: { input: 1, output: 5, cacheRead: 0.1, cacheWrite: 1.25 },
  },
  { id: 'claude-*', ...common, maxTokens: 32_000 },
];
