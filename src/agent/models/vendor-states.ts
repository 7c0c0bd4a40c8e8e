/** Lists the model providers, whether each has a key, and the models it offers. */
import { present } from '../../core/present.ts';
import type { ModelInfo } from '../../core/provider.ts';
import { knownVendors } from './choose-model.ts';
import { keyFromEnv, type ProviderFinder } from './find-provider.ts';
import { listedModels } from './model-info.ts';

export interface VendorState {
  readonly id: string;
  readonly label: string;
  /** Where its key comes from; a local server needs none. */
  readonly key: 'config' | 'environment' | 'missing' | 'not needed';
  /** The environment variables that may carry its key. */
  readonly envKeys: readonly string[];
  readonly defaultModel?: string;
  readonly models: readonly { readonly id: string; readonly name: string }[];
}

/** The providers that work with a key alone, then Ollama, then servers that only the configuration names. */
export async function vendorStates(
  finder: Pick<ProviderFinder, 'models' | 'env' | 'loadProvider'>,
  ollama: () => Promise<readonly ModelInfo[] | undefined>,
): Promise<readonly VendorState[]> {
  const { providers } = finder.models;
  const known = await knownVendors(finder);
  const keyOf = (id: string, envKeys: readonly string[]): VendorState['key'] =>
    providers[id]?.apiKey ? 'config' : keyFromEnv({ envKeys }, finder.env) ? 'environment' : 'missing';
  const vendors = known
    .filter(({ envKeys }) => envKeys !== undefined && envKeys.length > 0)
    .map(
      ({ id, label, envKeys = [], defaultModel, catalogue = [] }): VendorState => ({
        id,
        label,
        key: keyOf(id, envKeys),
        envKeys,
        models: named([
          ...(providers[id]?.models ?? []),
          ...listedModels({ configured: [], catalogue }).filter(
            (model) => !providers[id]?.models.some((one) => one.id === model.id),
          ),
        ]),
        ...present({ defaultModel }),
      }),
    );
  const [first, ...others] = (await ollama()) ?? [];
  const local: VendorState = {
    id: 'ollama',
    label: 'Ollama',
    key: 'not needed',
    envKeys: [],
    models: named(first ? [first, ...others] : []),
    ...present({ defaultModel: first?.id }),
  };
  const listed = [...vendors, local];
  const own = Object.entries(providers).filter(([id]) => !listed.some((vendor) => vendor.id === id));
  return [
    ...listed,
    ...own.map(
      ([id, { apiKey, models }]): VendorState => ({
        id,
        label: id,
        key: apiKey ? 'config' : 'not needed',
        envKeys: [],
        models: named(models),
        ...present({ defaultModel: models[0]?.id }),
      }),
    ),
  ];
}

const named = (models: readonly { readonly id: string; readonly name?: string | undefined }[]): VendorState['models'] =>
  models.map(({ id, name }) => ({ id, name: name ?? id }));
