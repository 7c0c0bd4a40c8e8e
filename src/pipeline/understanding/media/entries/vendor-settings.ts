/** Where a request goes and what goes with it: the vendor's settings, under the capability's, under the entry's. */
import type { MediaBlock, MediaEntry } from '../../../../config/understanding-config.ts';
import type { MediaHandler } from '../../../../core/media-provider.ts';
import { present } from '../../../../core/present.ts';
import type { ProviderSettings } from '../../../../core/provider-settings.ts';

type Query = Readonly<Record<string, string | number | boolean>>;

/** Headers are merged by name, whatever their case; of addresses the most particular one counts. */
export function vendorSettings(settings: ProviderSettings, block: MediaBlock, entry: MediaEntry): ProviderSettings {
  const baseUrl = entry.baseUrl ?? block.baseUrl ?? settings.baseUrl;
  return {
    ...settings,
    headers: mergedHeaders([settings.headers, block.headers, entry.headers]),
    ...present({ baseUrl }),
  };
}

function mergedHeaders(layers: readonly (Readonly<Record<string, string>> | undefined)[]): Record<string, string> {
  const merged = new Map<string, readonly [name: string, value: string]>();
  for (const layer of layers)
    for (const [name, value] of Object.entries(layer ?? {})) merged.set(name.toLowerCase(), [name, value]);
  return Object.fromEntries(merged.values());
}

/** Further query parameters as the vendor spells them; undefined when there are none. */
export function vendorQuery(
  { provider, spellings }: { provider: string; spellings: MediaHandler['spellings'] },
  block: MediaBlock,
  entry: MediaEntry,
): Query | undefined {
  const options = [block, entry].flatMap(({ providerOptions }) => Object.entries(providerOptions?.[provider] ?? {}));
  const query = Object.fromEntries(options.map(([key, value]) => [spellings?.[key] ?? key, value]));
  return Object.keys(query).length > 0 ? query : undefined;
}
