/** Anthropic's Messages API, and every server that speaks it. */
import { apiKeyFor, type ChatProvider, withManners } from '../../sdk/index.ts';
import { catalogue } from './catalogue.ts';

const HOME = 'https://api.anthropic.com/v1';

const anthropic: ChatProvider = {
  id: 'anthropic',
  label: 'Anthropic',
  apis: ['anthropic-messages'],
  envKeys: ['ANTHROPIC_API_KEY'],
  defaultModel: 'claude-opus-4-6',
  catalogue,
  async chat(modelId, settings) {
    const { createAnthropic } = await import('@ai-sdk/anthropic');
    const key = apiKeyFor(settings, anthropic);
    const sdk = createAnthropic({ baseURL: versioned(settings.baseUrl), ...(settings.authHeader ? { authToken: key } : { apiKey: key }), headers: { ...settings.headers } });
    return withManners(sdk(modelId), { settings, vendor: anthropic });
  },
};

export default anthropic;

/** Configurations name the host, as Anthropic's own libraries do; the version is ours to add. */
function versioned(baseUrl: string | undefined): string {
  if (!baseUrl) return HOME;
  const clean = baseUrl.replace(/\/+$/, '');
  return clean.endsWith('/v1') ? clean : `${clean}/v1`;
}
