/** Any server that speaks OpenAI's Chat Completions: LM Studio, vLLM, llama.cpp, and the vendors listed beside this file. */
import { apiKeyFor, AppError, type ChatProvider, type ProviderSettings, type VendorPreset, withManners } from '../../sdk/index.ts';
import { vendors } from './vendors.ts';

const compatible: ChatProvider = {
  id: 'openai-compatible',
  label: 'OpenAI-compatible',
  apis: ['openai-completions'],
  vendors,
  async chat(modelId, settings) {
    const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
    const preset = vendors.find((vendor) => vendor.id === settings.id);
    const sdk = createOpenAICompatible({
      name: settings.id,
      baseURL: baseUrlOf(settings, preset),
      ...(settings.apiKey && { apiKey: settings.apiKey }),
      headers: { ...settings.headers },
      includeUsage: true,
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

function baseUrlOf(settings: ProviderSettings, preset: VendorPreset | undefined): string {
  if (preset) apiKeyFor(settings, preset);
  const url = settings.baseUrl ?? preset?.baseUrl;
  if (url) return url.replace(/\/+$/, '');
  throw new AppError('invalid', `models.providers.${settings.id} has no baseUrl. Name the server, for instance "http://127.0.0.1:1234/v1".`);
}
