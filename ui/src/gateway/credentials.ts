/** Stores secrets in the browser: the gateway token for this tab only, the device token across visits. */

export interface Credentials {
  /** The gateway's shared token or password; never written to lasting storage. */
  sharedToken(): string | undefined;
  setSharedToken(token: string): void;
  /** Issued to this browser's device key, useless to any other. */
  deviceToken(): string | undefined;
  setDeviceToken(token: string | undefined): void;
}

/**
 * Reads `#token=…`; `rest` is the fragment without it. Tokens in the query are ignored on purpose: they end up in logs.
 */
export function takeTokenFromFragment(hash: string): { readonly token?: string; readonly rest: string } {
  const fields = new URLSearchParams(hash.replace(/^#/, ''));
  const token = fields.get('token')?.trim();
  fields.delete('token');
  const rest = fields.size > 0 ? `#${fields}` : '';
  return token ? { token, rest } : { rest };
}

/** Accepts a token, or the whole address that `dashboard` prints. */
export const tokenIn = (pasted: string): string =>
  (pasted.includes('#token=') ? takeTokenFromFragment(pasted.slice(pasted.indexOf('#'))).token : undefined) ??
  pasted.trim();

/** Secrets are stored by the address of the gateway, so that no gateway receives the secret of another. */
export function createCredentials(
  gatewayUrl: string,
  stores: { readonly tab: Storage; readonly lasting: Storage },
): Credentials {
  const tabKey = `clawdbot.token:${gatewayUrl}`;
  const deviceKey = `clawdbot.device-token:${gatewayUrl}`;
  return {
    sharedToken: () => stores.tab.getItem(tabKey) ?? undefined,
    setSharedToken: (token) => stores.tab.setItem(tabKey, token),
    deviceToken: () => stores.lasting.getItem(deviceKey) ?? undefined,
    setDeviceToken: (token) =>
      token === undefined ? stores.lasting.removeItem(deviceKey) : stores.lasting.setItem(deviceKey, token),
  };
}
