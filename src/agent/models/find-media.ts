/** From the name of a vendor to what it can do with pictures, recordings and films, and the settings in force. */
import type { MediaProvider } from '../../core/media-provider.ts';
import type { ProviderSettings } from '../../core/provider.ts';
import { describeVendor, type ProviderFinder } from './find-provider.ts';

export interface FoundMedia {
  readonly id: string;
  readonly media: MediaProvider;
  readonly settings: ProviderSettings;
  /** A key is there, or the server is one of the user's own that may need none. */
  readonly hasKey: boolean;
}

/** Other names people use for a vendor. */
const ALIASES: Readonly<Record<string, string>> = { gemini: 'google' };

/** Undefined when nobody knows the name, or the vendor has no such abilities. Loads one folder, never a vendor's library. */
export async function findMedia(name: string, finder: ProviderFinder): Promise<FoundMedia | undefined> {
  const id = ALIASES[name.trim().toLowerCase()] ?? name.trim().toLowerCase();
  const vendor = await describeVendor(id, finder, (provider) => provider.media !== undefined);
  const media = vendor?.provider.media;
  return vendor && media && { id, media, settings: vendor.settings, hasKey: vendor.settings.apiKey !== undefined || vendor.settings.baseUrl !== undefined };
}
