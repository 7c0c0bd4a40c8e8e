/** Ollama on this machine, found by itself; Chat Completions on its `/v1`. */
import {
  boundedFetch,
  type ChatProvider,
  type ModelInfo,
  pictureInChat,
  withManners,
  present,
} from '../../sdk/index.ts';

const HOME = 'http://127.0.0.1:11434';

/** Builds the provider for one address, so that a test can point it elsewhere. */
export function createOllama(home: string = HOME): ChatProvider {
  const ollama: ChatProvider = {
    id: 'ollama',
    label: 'Ollama',
    apis: ['openai-completions'],
    media: {
      image: pictureInChat({ baseUrl: (settings) => versioned(settings.baseUrl ?? home), owner: () => undefined }),
    },
    async chat(modelId, settings) {
      const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
      const sdk = createOpenAICompatible({
        name: settings.id,
        baseURL: versioned(settings.baseUrl ?? home),
        ...present({ apiKey: settings.apiKey || undefined }),
        headers: { ...settings.headers },
        includeUsage: true,
        fetch: boundedFetch,
      });
      return withManners(sdk(modelId), { settings, vendor: ollama });
    },
    discover: (signal) => discover(home, signal),
  };
  return ollama;
}

export default createOllama();

const versioned = (url: string): string =>
  /\/v1\/?$/.test(url) ? url.replace(/\/$/, '') : `${url.replace(/(?<!\/)\/+$/, '')}/v1`;

/** The models of a server that answers in time; undefined when there is none or it has no models. */
async function discover(home: string, signal: AbortSignal): Promise<readonly ModelInfo[] | undefined> {
  const answer = await fetch(`${home}/api/tags`, { signal, redirect: 'error' }).then(
    (response) => (response.ok ? response.json() : undefined),
    noServer,
  );
  const found = Array.isArray((answer as { models?: unknown } | undefined)?.models)
    ? (answer as { models: unknown[] }).models
    : [];
  const models = found.flatMap((model) => {
    const id = (model as { name?: unknown } | null)?.name;
    return typeof id === 'string' && !isEmbedder(id) ? [{ id, name: id }] : [];
  });
  return models.length > 0 ? models : undefined;
}

/** Nothing listens there, or it took too long: the ordinary case on most machines. */
const noServer = (): undefined => undefined;

const isEmbedder = (id: string): boolean => /embed|bge-|minilm/i.test(id);
