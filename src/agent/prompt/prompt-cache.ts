/** Caches the last system prompt for each agent, channel and mode. */
import { buildSystemPrompt } from './build-prompt.ts';
import type { PromptInput } from './prompt-input.ts';

export interface PromptCache {
  build(input: PromptInput): string;
}

export function createPromptCache(): PromptCache {
  const known = new Map<string, { readonly input: PromptInput; readonly prompt: string }>();
  return {
    build(input) {
      const key = `${input.agent.id}\n${input.runtime.channel}\n${input.mode}`;
      const before = known.get(key);
      if (before && sameValue(before.input, input)) return before.prompt;
      const prompt = buildSystemPrompt(input);
      known.set(key, { input, prompt });
      return prompt;
    },
  };
}

/** Loaded files and skills stay the same object while nothing changed, so the comparison rarely looks inside them. */
function sameValue(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  const left = a as Record<string, unknown>;
  const right = b as Record<string, unknown>;
  const keys = new Set([...Object.keys(left), ...Object.keys(right)]);
  return [...keys].every((key) => sameValue(left[key], right[key]));
}
