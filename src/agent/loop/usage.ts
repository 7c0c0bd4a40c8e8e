/** Converts a vendor's token counts to ours and calculates the cost from the model's prices. */
import type { LanguageModelV4Usage } from '@ai-sdk/provider';
import type { ModelInfo } from '../../core/provider.ts';
import { noUsage, type Usage } from '../../core/transcript.ts';

/** Missing counts are zero; a price that is not known for cached tokens is the input price. */
export function usageOf(counts: LanguageModelV4Usage | undefined, info: ModelInfo): Usage {
  if (!counts) return noUsage;
  const cacheRead = counts.inputTokens.cacheRead ?? 0;
  const cacheWrite = counts.inputTokens.cacheWrite ?? 0;
  const input = counts.inputTokens.noCache ?? Math.max(0, (counts.inputTokens.total ?? 0) - cacheRead - cacheWrite);
  const output = counts.outputTokens.total ?? (counts.outputTokens.text ?? 0) + (counts.outputTokens.reasoning ?? 0);
  const tokens = { input, output, cacheRead, cacheWrite, total: input + output + cacheRead + cacheWrite };
  const { cost } = info;
  if (!cost) return tokens;
  const perInput = cost.input ?? 0;
  const dollars =
    input * perInput +
    output * (cost.output ?? 0) +
    cacheRead * (cost.cacheRead ?? perInput) +
    cacheWrite * (cost.cacheWrite ?? perInput);
  return { ...tokens, cost: dollars / 1_000_000 };
}
