/** The settings of a model vendor, and the facts of its models. */

/** The wire format a provider speaks. */
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

/** What is known of a model beforehand: its limits in tokens, its price per million tokens. */
export interface ModelInfo {
  readonly id: string;
  readonly name?: string;
  readonly reasoning?: boolean;
  readonly input?: readonly ('text' | 'image')[];
  /** Tokens. */
  readonly contextWindow?: number;
  readonly maxTokens?: number;
  /** US dollars per million tokens. */
  readonly cost?: {
    readonly input?: number;
    readonly output?: number;
    readonly cacheRead?: number;
    readonly cacheWrite?: number;
  };
}
