/** Vendors that need nothing but an address and the name of their key. */
import { AppError, type ProviderSettings, type VendorPreset } from '../../sdk/index.ts';

/** In the order in which their keys are looked for in the environment. */
export const vendors: readonly VendorPreset[] = [
  {
    id: 'openrouter',
    label: 'OpenRouter',
    baseUrl: 'https://openrouter.ai/api/v1',
    envKeys: ['OPENROUTER_API_KEY'],
    defaultModel: 'openrouter/auto',
  },
  {
    id: 'groq',
    label: 'Groq',
    baseUrl: 'https://api.groq.com/openai/v1',
    envKeys: ['GROQ_API_KEY'],
    defaultModel: 'openai/gpt-oss-120b',
    catalogue: [
      {
        id: 'openai/gpt-oss-120b',
        name: 'GPT-OSS 120B',
        reasoning: true,
        input: ['text'],
        contextWindow: 131_072,
        maxTokens: 65_536,
        cost: { input: 0.15, output: 0.6 },
      },
      {
        id: 'openai/gpt-oss-20b',
        name: 'GPT-OSS 20B',
        reasoning: true,
        input: ['text'],
        contextWindow: 131_072,
        maxTokens: 65_536,
        cost: { input: 0.075, output: 0.3 },
      },
      {
        id: 'llama-3.3-70b-versatile',
        name: 'Llama 3.3 70B',
        reasoning: false,
        input: ['text'],
        contextWindow: 131_072,
        maxTokens: 32_768,
        cost: { input: 0.59, output: 0.79 },
      },
    ],
  },
  {
    id: 'mistral',
    label: 'Mistral',
    baseUrl: 'https://api.mistral.ai/v1',
    envKeys: ['MISTRAL_API_KEY'],
    defaultModel: 'mistral-large-latest',
    catalogue: [
      {
        id: 'mistral-large-latest',
        name: 'Mistral Large',
        reasoning: false,
        input: ['text', 'image'],
        contextWindow: 128_000,
      },
    ],
  },
  {
    id: 'deepseek',
    label: 'DeepSeek',
    baseUrl: 'https://api.deepseek.com/v1',
    envKeys: ['DEEPSEEK_API_KEY'],
    defaultModel: 'deepseek-chat',
    catalogue: [
      { id: 'deepseek-chat', name: 'DeepSeek Chat', reasoning: false, input: ['text'], contextWindow: 128_000 },
    ],
  },
  {
    id: 'xai',
    label: 'xAI',
    baseUrl: 'https://api.x.ai/v1',
    envKeys: ['XAI_API_KEY'],
    defaultModel: 'grok-4',
    catalogue: [
      {
        id: 'grok-4',
        name: 'Grok 4',
        input: ['text', 'image'],
        contextWindow: 256_000,
        cost: { input: 3, output: 15, cacheRead: 0.75 },
      },
    ],
  },
  {
    id: 'cerebras',
    label: 'Cerebras',
    baseUrl: 'https://api.cerebras.ai/v1',
    envKeys: ['CEREBRAS_API_KEY'],
    defaultModel: 'gpt-oss-120b',
  },
  { id: 'together', label: 'Together', baseUrl: 'https://api.together.xyz/v1', envKeys: ['TOGETHER_API_KEY'] },
];

/** Undefined for a server of the user's own. */
export const presetOf = ({ id }: ProviderSettings): VendorPreset | undefined =>
  vendors.find((vendor) => vendor.id === id);

/** Where the server is; one that nobody listed has to be named. */
export function addressOf(settings: ProviderSettings): string {
  const url = settings.baseUrl ?? presetOf(settings)?.baseUrl;
  if (url) return url.replace(/(?<!\/)\/+$/, '');
  throw new AppError(
    'invalid',
    `models.providers.${settings.id} has no baseUrl. Set the address of the server, for example ` +
      '"http://127.0.0.1:1234/v1".',
  );
}
