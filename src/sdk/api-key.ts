/** Gets the API key for a vendor's library, or throws an error that says where to set one. */
import { AppError } from '../core/errors.ts';
import type { Provider, ProviderSettings, VendorPreset } from '../core/provider.ts';

/** Whose key it is, and which environment variables may carry it. */
export type KeyOwner = Pick<Provider | VendorPreset, 'id' | 'envKeys'>;

/** A server named by `baseUrl` may need no key, the vendor itself does: without one it is `AppError('auth')`. */
export function apiKeyFor({ id, apiKey, baseUrl }: ProviderSettings, vendor: KeyOwner): string {
  if (apiKey) return apiKey;
  if (baseUrl) return 'none';
  const variable = id === vendor.id ? vendor.envKeys?.[0] : undefined;
  throw new AppError(
    'auth',
    `${id} has no API key. Set ${variable ? `${variable}, or ` : ''}models.providers.${id}.apiKey in the ` +
      'configuration.',
  );
}
