/** Google's Gemini API. */
import { apiKeyFor, boundedFetch, type ChatProvider, withManners, present } from '../../sdk/index.ts';
import { catalogue } from './catalogue.ts';
import { googleMedia, HOME } from './media.ts';

const owner = { id: 'google', envKeys: ['GEMINI_API_KEY', 'GOOGLE_API_KEY', 'GOOGLE_GENERATIVE_AI_API_KEY'] } as const;

const google: ChatProvider = {
  ...owner,
  label: 'Google Gemini',
  aliases: ['gemini'],
  apis: ['google-generative-ai'],
  defaultModel: 'gemini-flash-latest',
  catalogue,
  media: googleMedia(owner),
  async chat(modelId, settings) {
    const { createGoogle } = await import('@ai-sdk/google');
    const key = apiKeyFor(settings, google);
    const sdk = createGoogle({
      baseURL: (settings.baseUrl ?? HOME).replace(/(?<!\/)\/+$/, ''),
      apiKey: key,
      headers: {
        ...present({ authorization: settings.authHeader ? `Bearer ${key}` : undefined }),
        ...settings.headers,
      },
      fetch: boundedFetch,
    });
    return withManners(sdk(modelId), { settings, vendor: google });
  },
  thinking: (level) => (level === 'off' ? undefined : { google: { thinkingConfig: { includeThoughts: true } } }),
};

export default google;
