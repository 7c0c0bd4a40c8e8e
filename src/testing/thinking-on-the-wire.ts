/** What a vendor's fake server receives for each thinking level. */
import type { LanguageModelV4CallOptions } from '@ai-sdk/provider';
import { present } from '../core/present.ts';
import type { ChatProvider, ProviderApi } from '../core/provider.ts';
import { THINKING_LEVELS } from '../core/turn.ts';
import { startFakeModels } from './fake-models/fake-model-server.ts';
import { asks, readStream } from './read-stream.ts';

export async function thinkingOnTheWire(
  provider: ChatProvider,
  { modelId, basePath, api }: { modelId: string; basePath: string; api?: ProviderApi },
): Promise<unknown[]> {
  await using server = await startFakeModels();
  const model = await provider.chat(modelId, {
    id: provider.id,
    baseUrl: `${server.url}${basePath}`,
    apiKey: 'k',
    models: [],
    ...present({ api }),
  });
  for (const level of THINKING_LEVELS) {
    const providerOptions = { ...provider.thinking?.(level, modelId), thinking: { level } } as NonNullable<
      LanguageModelV4CallOptions['providerOptions']
    >;
    await readStream(model, { ...asks(level), providerOptions });
  }
  return server.requests.map(({ thinking }) => thinking);
}
