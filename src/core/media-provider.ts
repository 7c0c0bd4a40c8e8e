/** What a model vendor can do with images, audio and video; each ability is one function. */
import type { ProviderSettings } from './provider-settings.ts';
import type { MediaCapability } from './understanding.ts';

/** An ability that is absent is one the vendor does not have. */
export type MediaProvider = { readonly [C in MediaCapability]?: MediaHandler };

/** What a provider can do with one kind of media. */
export interface MediaHandler {
  /** Used when configuration names none. Absent: one has to be named. */
  readonly defaultModel?: string;
  /** Place in the automatic choice, lower first; absent: only used when it is named or answers the chat. */
  readonly rank?: number;
  /** Media types it takes, e.g. `image/png`; absent: all. Others are refused before anything is sent. */
  readonly accepts?: readonly string[];
  /** Parameters that configuration spells in another way than the vendor: its name to the vendor's. */
  readonly spellings?: Readonly<Record<string, string>>;
  /**
   * Resolves with text that is not blank. Rejects with `AppError`: `auth`, `denied`, `rate_limited`, `timeout`,
   * `network`,
   * `bad_response` (no text, or nonsense), `unsupported`. Nothing is retried here; errors never show the key.
   */
  run(request: MediaRequest, settings: ProviderSettings): Promise<MediaAnswer>;
}

/** One file for a provider to describe or transcribe. */
export interface MediaRequest {
  readonly data: Uint8Array;
  /** Bare `type/subtype`. */
  readonly mime: string;
  readonly fileName: string;
  readonly model: string;
  /** Absent for audio unless it is configured, because a prompt influences a transcript. */
  readonly prompt?: string;
  /** BCP 47 hint for recordings. */
  readonly language?: string;
  /** Further query parameters, as the vendor spells them. */
  readonly query?: Readonly<Record<string, string | number | boolean>>;
  readonly signal: AbortSignal;
}

/** What a provider made of a file, and the model that did. */
export interface MediaAnswer {
  readonly text: string;
  readonly model: string;
}
