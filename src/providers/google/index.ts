/** Google's Gemini API. */
import { apiKeyFor, type ChatProvider, withManners } from '../../sdk/index.ts';
import { catalogue } from './catalogue.ts';

const HOME = 'https://generativelanguage.googleapis.com/v1beta';

const google: ChatProvider = {
  id: 'google',
  label: 'Google Gemini',
  apis: ['google-generative-ai'],
  envKeys: ['GEMINI_API_KEY', 'GOOGLE_API_KEY', 'GOOGLE_GENERATIVE_AI_API_KEY'],
  defaultModel: 'gemini-flash-latest',
  catalogue,
  async chat(modelId, settings) {
    const { createGoogle } = await import('@ai-sdk/google');
    const key = apiKeyFor(settings, google);
    const sdk = createGoogle({
      baseURL: (settings.baseUrl ?? HOME).replace(/\/+$/, ''),
      apiKey: key,
      headers: { ...(settings.authHeader && { authorization: `Bearer ${key}` }), ...settings.headers },
    });
    return withManners(sdk(modelId), { settings, vendor: google });
  },
  thinking: (level) => (level === 'off' ? undefined : { google: { thinkingConfig: { includeThoughts: true } } }),
};

export default google;
