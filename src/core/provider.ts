/** The contract of a model provider: one folder each, imported only when the configuration names it. */
import type { LanguageModelV4 } from '@ai-sdk/provider';
import type { MediaProvider } from './media-provider.ts';
import type { ModelInfo, ProviderApi, ProviderSettings } from './provider-settings.ts';
import type { ThinkingLevel } from './turn.ts';

export type { ModelInfo, ProviderApi, ProviderSettings } from './provider-settings.ts';

/** The interface every chat model implements: the AI SDK provider specification, v4. */
export type ChatModel = LanguageModelV4;

/** A vendor of models: what it can do, and how one of its models is opened. */
export interface Provider {
  /** The folder's name; `models.providers.<id>` of the same name uses it without `api`. */
  readonly id: string;
  readonly label: string;
  /** Other names people use for it. */
  readonly aliases?: readonly string[];
  /** The environment variable that names its server, where no address is configured. */
  readonly hostEnv?: string;
  /** The `api` values this folder speaks, so that any compatible endpoint can name one. */
  readonly apis: readonly ProviderApi[];
  /** Environment variables that carry a key, first match wins: model choice without configuration. */
  readonly envKeys?: readonly string[];
  /** Used when only a key is known. */
  readonly defaultModel?: string;
  /**
   * Context windows, prices and abilities of models we know; an id ending in `*` speaks for a family. Configuration
   * wins.
   */
  readonly catalogue?: readonly ModelInfo[];
  /** Other vendors that speak this folder's API; each works as `<vendor id>/<model>`. */
  readonly vendors?: readonly VendorPreset[];
  /** What it makes of pictures, recordings and films outside the conversation. */
  readonly media?: MediaProvider;
  /** Builds the model; no network traffic here. Absent: a vendor of media only. */
  chat?(modelId: string, settings: ProviderSettings): Promise<ChatModel> | ChatModel;
  /** Vendor options for a thinking level, under the AI SDK provider key. */
  thinking?(level: ThinkingLevel, modelId: string): Readonly<Record<string, Record<string, unknown>>> | undefined;
  /** Looks whether a keyless local server answers; its models when it does. */
  discover?(signal: AbortSignal): Promise<readonly ModelInfo[] | undefined>;
}

/** A provider that answers conversations. */
export interface ChatProvider extends Provider {
  readonly chat: NonNullable<Provider['chat']>;
}

/** A vendor that needs no code of its own: data over a compatible folder. */
export interface VendorPreset {
  readonly id: string;
  readonly label: string;
  readonly baseUrl: string;
  readonly envKeys: readonly string[];
  readonly defaultModel?: string;
  readonly catalogue?: readonly ModelInfo[];
}
