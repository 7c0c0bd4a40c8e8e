/** Anthropic's Messages API, and every server that speaks it. */
import { apiKeyFor, boundedFetch, type ChatProvider, withManners } from '../../sdk/index.ts';
import { catalogue } from './catalogue.ts';
import { anthropicMedia, versioned } from './media.ts';

const owner = { id: 'anthropic', envKeys: ['ANTHROPIC_API_KEY'] } as const;

const anthropic: ChatProvider = {
  ...owner,
  label: 'Anthropic',
  apis: ['anthropic-messages'],
  defaultModel: 'claude-opus-4-6',
  catalogue,
  media: anthropicMedia(owner),
  async chat(modelId, settings) {
    const { createAnthropic } = await import('@ai-sdk/anthropic');
    const key = apiKeyFor(settings, anthropic);
    const sdk = createAnthropic({
      baseURL: versioned(settings.baseUrl),
      ...(settings.authHeader ? { authToken: key } : { apiKey: key }),
      headers: { ...settings.headers },
      fetch: boundedFetch,
    });
    return withManners(sdk(modelId), { settings, vendor: anthropic });
  },
};

export default anthropic;
