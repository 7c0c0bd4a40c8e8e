/** A model vendor: one folder each, imported only when configuration names it. */
import type { LanguageModelV4 } from '@ai-sdk/provider';
import type { ThinkingLevel } from './turn.ts';

/** The interface every chat model implements: the AI SDK provider specification, v4. */
export type ChatModel = LanguageModelV4;

export type ProviderApi = 'openai-completions' | 'openai-responses' | 'anthropic-messages' | 'google-generative-ai';

/** `models.providers.<id>` after defaults and `${ENV}`. */
export interface ProviderSettings {
  readonly id: string;
  readonly baseUrl?: string;
  readonly apiKey?: string;
  readonly api?: ProviderApi;
  readonly headers?: Readonly<Record<string, string>>;
  /** Send the key as `Authorization: Bearer` where the vendor's own API has another header. */
  readonly authHeader?: boolean;
  readonly models: readonly ModelInfo[];
}

export interface ModelInfo {
  readonly id: string;
  readonly name?: string;
  readonly reasoning?: boolean;
  readonly input?: readonly ('text' | 'image')[];
  /** Tokens. */
  readonly contextWindow?: number;
  readonly maxTokens?: number;
  /** US dollars per million tokens. */
  readonly cost?: { readonly input?: number; readonly output?: number; readonly cacheRead?: number; readonly cacheWrite?: number };
}

export interface Provider {
  /** The folder's name; `models.providers.<id>` of the same name uses it without `api`. */
  readonly id: string;
  readonly label: string;
  /** The `api` values this folder speaks, so that any compatible endpoint can name one. */
  readonly apis: readonly ProviderApi[];
  /** Environment variables that carry a key, first match wins: model choice without configuration. */
  readonly envKeys?: readonly string[];
  /** Used when only a key is known. */
  readonly defaultModel?: string;
  /** Context windows, prices and abilities of models we know; an id ending in `*` speaks for a family. Configuration wins. */
  readonly catalogue?: readonly ModelInfo[];
  /** Other vendors that speak this folder's API; each works as `<vendor id>/<model>`. */
  readonly vendors?: readonly VendorPreset[];
  /** Builds the model; no network traffic here. */
  chat(modelId: string, settings: ProviderSettings): Promise<ChatModel> | ChatModel;
  /** Vendor options for a thinking level, under the AI SDK provider key. */
  thinking?(level: ThinkingLevel, modelId: string): Readonly<Record<string, Record<string, unknown>>> | undefined;
  /** Looks whether a keyless local server answers; its models when it does. */
  discover?(signal: AbortSignal): Promise<readonly ModelInfo[] | undefined>;
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
