/** Finds the provider plugin for a name, and the settings in force. */
import { nearest } from '../../config/suggest.ts';
import { AppError } from '../../core/errors.ts';
import { present } from '../../core/present.ts';
import type {
  ChatProvider,
  ModelInfo,
  Provider,
  ProviderApi,
  ProviderSettings,
  VendorPreset,
} from '../../core/provider.ts';
import { SPOKEN_APIS, type ModelsConfig, type ProviderConfig } from '../config.ts';
import type { KnownModels } from './model-info.ts';

/** The folders this product brings along, by what they speak. */
const FOLDER_OF_API: Readonly<Record<ProviderApi, string>> = {
  'openai-completions': 'openai-compatible',
  'openai-responses': 'openai',
  'anthropic-messages': 'anthropic',
  'google-generative-ai': 'google',
};
const COMPATIBLE = 'openai-compatible';

export interface FoundVendor {
  readonly provider: Provider;
  readonly preset: VendorPreset | undefined;
  readonly settings: ProviderSettings;
  readonly api: ProviderApi | undefined;
  readonly known: KnownModels;
}

/** A vendor that answers conversations. */
export interface FoundProvider extends FoundVendor {
  readonly provider: ChatProvider;
}

export interface ProviderFinder {
  readonly models: ModelsConfig;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Undefined: there is no such folder and no such plugin. */
  loadProvider(id: string): Promise<Provider | undefined>;
  /** For the did-you-mean. */
  providerIds(): Promise<readonly string[]>;
}

/** An unknown name is `AppError('not_found')` with advice. Loads one folder, never a vendor's library. */
export async function findProvider(id: string, finder: ProviderFinder): Promise<FoundProvider> {
  const vendor = await describeVendor(id, finder, ({ chat }) => chat !== undefined);
  if (!vendor) throw new AppError('not_found', await unknownProvider(id, await folder(COMPATIBLE, finder), finder));
  return vendor as FoundProvider;
}

/**
 * The folder that does what is `wanted` for a vendor: its own, the one of the protocol it speaks, or the compatible
 * one. Undefined: nobody knows the name.
 */
export async function describeVendor(
  id: string,
  finder: ProviderFinder,
  wanted: (provider: Provider) => boolean,
): Promise<FoundVendor | undefined> {
  const config = readable(id, finder);
  const own = await finder.loadProvider(id);
  // A folder without chat has no protocol to compare: what the setting says concerns conversations.
  const speaks = own && wanted(own) && (!own.chat || !config?.api || own.apis.includes(config.api));
  if (speaks) return found(id, { provider: own, preset: undefined, config, finder });
  if (config?.api)
    return found(id, { provider: await folder(FOLDER_OF_API[config.api], finder), preset: undefined, config, finder });
  const compatible = await folder(COMPATIBLE, finder);
  const preset = compatible.vendors?.find((vendor) => vendor.id === id);
  return preset || config?.baseUrl ? found(id, { provider: compatible, preset, config, finder }) : undefined;
}

/** `models.providers.<id>` in our own words. */
interface ReadableConfig extends Pick<ProviderConfig, 'baseUrl' | 'headers' | 'authHeader'> {
  readonly api: ProviderApi | undefined;
  readonly apiKey: string | undefined;
  readonly models: readonly ModelInfo[];
}

/** Files of the product family name more than we can do: `AppError('unsupported')` says which part. */
function readable(id: string, { models, env }: ProviderFinder): ReadableConfig | undefined {
  const config = models.providers[id];
  if (!config) return undefined;
  const api = config.api === 'ollama' ? 'openai-completions' : SPOKEN_APIS.find((spoken) => spoken === config.api);
  if (config.api && !api)
    throw new AppError(
      'unsupported',
      `models.providers.${id}.api is "${config.api}", which this version does not support. It supports ` +
        `${SPOKEN_APIS.join(', ')}.`,
    );
  return {
    baseUrl: config.baseUrl,
    headers: config.headers,
    authHeader: config.authHeader,
    api,
    apiKey: configuredKey(config.apiKey, id, env),
    models: config.models.map(
      ({ input, ...model }) =>
        ({
          ...model,
          ...present({ input: input?.filter((kind) => kind === 'text' || kind === 'image') }),
        }) as ModelInfo,
    ),
  };
}

function configuredKey(key: ProviderConfig['apiKey'], id: string, env: ProviderFinder['env']): string | undefined {
  if (key === undefined || typeof key === 'string') return key;
  if (key.source !== 'env')
    throw new AppError(
      'unsupported',
      `models.providers.${id}.apiKey uses the source "${key.source}", which this version does not support. Use ` +
        `\${NAME} or { source: "env", id: "NAME" }.`,
    );
  return env[key.id]?.trim();
}

function found(
  id: string,
  parts: {
    provider: Provider;
    preset: VendorPreset | undefined;
    config: ReadableConfig | undefined;
    finder: ProviderFinder;
  },
): FoundVendor {
  const { provider, preset, config, finder } = parts;
  const apiKey = config?.apiKey || keyFromEnv(preset ?? ownOnly(id, provider), finder.env);
  const configured = config?.models ?? [];
  const catalogue =
    finder.models.mode === 'replace' && configured.length > 0
      ? []
      : ((preset ?? ownOnly(id, provider)).catalogue ?? []);
  const api = config?.api ?? provider.apis[0];
  return {
    provider,
    preset,
    api,
    known: { configured, catalogue },
    settings: present({
      id,
      models: configured,
      baseUrl: config?.baseUrl || undefined,
      apiKey: apiKey || undefined,
      api,
      headers: config?.headers,
      authHeader: config?.authHeader,
    }),
  };
}

/**
 * A server that merely speaks a vendor's language has neither the vendor's models and prices, nor any right to the
 * vendor's key.
 */
const ownOnly = (id: string, provider: Provider): Pick<Provider, 'catalogue' | 'envKeys'> =>
  id === provider.id ? provider : {};

/** The value of the first variable that is set. */
export function keyFromEnv(
  { envKeys = [] }: { readonly envKeys?: readonly string[] },
  env: ProviderFinder['env'],
): string | undefined {
  return envKeys.map((name) => env[name]?.trim()).find(Boolean);
}

async function folder(id: string, finder: ProviderFinder): Promise<Provider> {
  const provider = await finder.loadProvider(id);
  if (provider) return provider;
  throw new AppError('internal', `The provider folder ${id} is missing from this installation.`);
}

async function unknownProvider(
  id: string,
  compatible: Pick<Provider, 'vendors'>,
  finder: ProviderFinder,
): Promise<string> {
  const ids = [
    ...new Set([
      ...Object.keys(finder.models.providers),
      ...(await finder.providerIds()),
      ...(compatible.vendors ?? []).map((vendor) => vendor.id),
    ]),
  ];
  const near = nearest(id, ids);
  return (
    `Unknown model provider "${id}".${near ? ` Did you mean "${near}"?` : ''} Providers: ` +
    `${ids.sort().join(', ')}. For a server of your own set models.providers.${id}.baseUrl (and api when it is ` +
    'not openai-completions).'
  );
}
