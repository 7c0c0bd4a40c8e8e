/** What the media step asks of the model vendors; the composition root answers from the provider registry. */
import type { MediaProvider } from '../../../core/media-provider.ts';
import type { ProviderSettings } from '../../../core/provider-settings.ts';
import type { Route } from '../../../core/route.ts';

export interface MediaModels {
  /** By id or alias, in any case; undefined when there is no such vendor or it has no media abilities. */
  find(providerId: string): Promise<FoundProvider | undefined>;
  /** The model that will answer this message; undefined when there is none. */
  active(at: Conversation): Promise<ActiveModel | undefined>;
  /** Vendors the automatic choice looks at: all whose folder has media abilities. */
  ids(): Promise<readonly string[]>;
  /**
   * `agents.defaults.imageModel`: `provider/model`, the preferred one first; without those that are known to take no
   * pictures.
   */
  imageModels(): Promise<readonly string[]>;
}

/** Where a message goes. */
export interface Conversation {
  readonly route: Pick<Route, 'agentId' | 'sessionKey'>;
}

export interface FoundProvider {
  /** The canonical id. */
  readonly id: string;
  readonly media: MediaProvider;
  /** `models.providers.<id>` with the key from wherever it was found. */
  readonly settings: ProviderSettings;
  /** A key is there, or none is needed. */
  readonly hasKey: boolean;
}

export interface ActiveModel {
  readonly provider: string;
  readonly model: string;
  /** Takes pictures in its messages. */
  readonly seesImages: boolean;
}
