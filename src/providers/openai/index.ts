/** OpenAI: the Responses API, and Chat Completions where `api` asks for it. */
import {
  apiKeyFor,
  boundedFetch,
  type ChatProvider,
  type ThinkingLevel,
  withManners,
  present,
} from '../../sdk/index.ts';
import { catalogue } from './catalogue.ts';
import { HOME, openaiMedia } from './media.ts';

const owner = { id: 'openai', envKeys: ['OPENAI_API_KEY'] } as const;

const openai: ChatProvider = {
  ...owner,
  label: 'OpenAI',
  apis: ['openai-responses', 'openai-completions'],
  defaultModel: 'gpt-5.2',
  catalogue,
  media: openaiMedia(owner),
  async chat(modelId, settings) {
    const { createOpenAI } = await import('@ai-sdk/openai');
    const sdk = createOpenAI({
      baseURL: settings.baseUrl ?? HOME,
      apiKey: apiKeyFor(settings, openai),
      headers: { ...settings.headers },
      fetch: boundedFetch,
    });
    if (settings.api === 'openai-completions') return withManners(sdk.chat(modelId), { settings, vendor: openai });
    // Conversations live here, not at the vendor: nothing is stored there, and thinking comes back encrypted with each
    // request.
    return withManners(sdk.responses(modelId), { settings, vendor: openai, options: { openai: { store: false } } });
  },
  thinking: (level, modelId) => ({
    openai: { ...present({ reasoningSummary: level !== 'off' ? 'auto' : undefined }), ...threeLevels(level, modelId) },
  }),
};

export default openai;

/** The o models always think, and refuse every level but these three. */
function threeLevels(level: ThinkingLevel, modelId: string): { reasoningEffort?: 'low' | 'medium' | 'high' } {
  if (!/^o\d/.test(modelId)) return {};
  if (level === 'medium') return { reasoningEffort: 'medium' };
  return { reasoningEffort: level === 'high' || level === 'xhigh' ? 'high' : 'low' };
}
