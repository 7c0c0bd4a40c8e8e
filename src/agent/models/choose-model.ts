/**
 * Chooses the default model: from the configuration, else from API keys in the environment, else Ollama, else the
 * offline model.
 */
import type { ModelInfo, Provider, VendorPreset } from '../../core/provider.ts';
import type { ModelSource } from './candidate.ts';
import { keyFromEnv, type ProviderFinder } from './find-provider.ts';
import type { ModelRef } from './model-ref.ts';

/** The order in which vendors' keys are checked; then the vendors of `openai-compatible` in their order. */
export const ENVIRONMENT_ORDER = ['anthropic', 'openai', 'google'] as const;

export const OFFLINE: ModelRef = { provider: 'offline', modelId: 'concierge' };

export interface ChosenRef extends ModelRef {
  readonly source: ModelSource;
}

/** Only asked when `agents.defaults.model` and the agent's own `model` are absent. Always answers. */
export async function chooseUnconfigured(
  finder: ProviderFinder,
  ollamaModels: () => Promise<readonly ModelInfo[] | undefined>,
): Promise<ChosenRef> {
  const vendors = await knownVendors(finder);
  const configured = fromProviders(finder, vendors);
  if (configured) return { ...configured, source: 'config' };
  const withKey = vendors.find((vendor) => vendor.defaultModel && keyFromEnv(vendor, finder.env));
  if (withKey?.defaultModel) return { provider: withKey.id, modelId: withKey.defaultModel, source: 'environment' };
  const [local] = (await ollamaModels()) ?? [];
  return local ? { provider: 'ollama', modelId: local.id, source: 'ollama' } : { ...OFFLINE, source: 'offline' };
}

type Vendor = Pick<Provider | VendorPreset, 'id' | 'label' | 'envKeys' | 'defaultModel' | 'catalogue'>;

/** Everything that can be reached with a key alone, in the documented order. */
export async function knownVendors(finder: Pick<ProviderFinder, 'loadProvider'>): Promise<readonly Vendor[]> {
  const loaded = await Promise.all([...ENVIRONMENT_ORDER, 'openai-compatible'].map((id) => finder.loadProvider(id)));
  return loaded.flatMap((provider) => (provider ? [provider, ...(provider.vendors ?? [])] : []));
}

/** The first configured provider that says which models it has, or that we know and that has a key. */
function fromProviders({ models }: ProviderFinder, vendors: readonly Vendor[]): ModelRef | undefined {
  for (const [id, provider] of Object.entries(models.providers)) {
    const modelId =
      provider.models[0]?.id ??
      (provider.apiKey ? vendors.find((vendor) => vendor.id === id)?.defaultModel : undefined);
    if (modelId) return { provider: id, modelId };
  }
  return undefined;
}

/** Ollama's models, asked for at most every few seconds; a server that is not there costs one refused connection. */
export function createOllamaProbe({
  loadProvider,
  now,
}: Pick<ProviderFinder, 'loadProvider'> & { now(): number }): () => Promise<readonly ModelInfo[] | undefined> {
  let last: { readonly until: number; readonly models: Promise<readonly ModelInfo[] | undefined> } | undefined;
  return () => {
    if (last && now() < last.until) return last.models;
    const models = loadProvider('ollama').then((ollama) => ollama?.discover?.(AbortSignal.timeout(PROBE_TIMEOUT_MS)));
    last = { until: now() + PROBE_AGE_MS, models };
    return models;
  };
}

const PROBE_TIMEOUT_MS = 300;
const PROBE_AGE_MS = 15_000;
