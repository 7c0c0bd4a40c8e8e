/** Finds what a vendor can do with images, audio and video, and the settings in force. */
import type { MediaProvider } from '../../core/media-provider.ts';
import type { Provider, ProviderSettings } from '../../core/provider.ts';
import { describeVendor, type ProviderFinder } from './find-provider.ts';

export interface FoundMedia {
  readonly id: string;
  readonly media: MediaProvider;
  readonly settings: ProviderSettings;
  /** A key is there, or none is needed: a server of the user's own, a vendor without keys. */
  readonly hasKey: boolean;
}

/**
 * Undefined when nobody knows the name, or the vendor has no such abilities. Loads one folder, never a vendor's
 * library.
 */
export async function findMedia(name: string, finder: ProviderFinder): Promise<FoundMedia | undefined> {
  const written = name.trim().toLowerCase();
  const direct = await describeVendor(written, finder, hasMedia);
  const id = direct ? written : ((await ownerOf(written, finder)) ?? written);
  const vendor = direct ?? (id === written ? undefined : await describeVendor(id, finder, hasMedia));
  const media = vendor?.provider.media;
  if (!vendor || !media) return undefined;
  const host = vendor.provider.hostEnv && finder.env[vendor.provider.hostEnv]?.trim();
  const settings =
    vendor.settings.baseUrl === undefined && host ? { ...vendor.settings, baseUrl: host } : vendor.settings;
  const isOwn = id === vendor.provider.id;
  return {
    id,
    settings,
    media: isOwn ? media : withoutChoice(media),
    hasKey:
      settings.apiKey !== undefined ||
      vendor.settings.baseUrl !== undefined ||
      (isOwn && vendor.provider.envKeys === undefined),
  };
}

const hasMedia = ({ media }: Provider): boolean => media !== undefined;

/** The folder that goes by this name too. */
async function ownerOf(alias: string, finder: ProviderFinder): Promise<string | undefined> {
  const known = await Promise.all((await finder.providerIds()).map((id) => finder.loadProvider(id)));
  return known.find((provider) => provider?.aliases?.includes(alias))?.id;
}

/** A server that merely speaks a vendor's language has neither its models nor its place among the vendors. */
const withoutChoice = (media: MediaProvider): MediaProvider =>
  Object.fromEntries(
    Object.entries(media).map(([capability, ability]) => {
      const { defaultModel: _model, rank: _rank, ...rest } = ability;
      return [capability, rest];
    }),
  );
