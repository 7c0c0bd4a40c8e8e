/**
 * Any server that speaks OpenAI's Chat Completions: LM Studio, vLLM, llama.cpp, and the vendors listed beside this
 * file.
 */
import { apiKeyFor, boundedFetch, type ChatProvider, withManners, present } from '../../sdk/index.ts';
import { media } from './media.ts';
import { addressOf, presetOf, vendors } from './vendors.ts';

const compatible: ChatProvider = {
  id: 'openai-compatible',
  label: 'OpenAI-compatible',
  apis: ['openai-completions'],
  vendors,
  media,
  async chat(modelId, settings) {
    const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
    const preset = presetOf(settings);
    if (preset) apiKeyFor(settings, preset);
    const sdk = createOpenAICompatible({
      name: settings.id,
      baseURL: addressOf(settings),
      ...present({ apiKey: settings.apiKey || undefined }),
      headers: { ...settings.headers },
      includeUsage: true,
      fetch: boundedFetch,
      transformRequestBody: portableEffort,
    });
    return withManners(sdk(modelId), { settings, vendor: preset ?? compatible });
  },
};

export default compatible;

/** The three levels every such server knows; the others are 400s at one or the other. */
function portableEffort(body: Record<string, unknown>): Record<string, unknown> {
  const { reasoning_effort: effort, ...rest } = body;
  if (effort === undefined || effort === 'none') return rest;
  return { ...rest, reasoning_effort: effort === 'minimal' ? 'low' : effort === 'xhigh' ? 'high' : effort };
}
