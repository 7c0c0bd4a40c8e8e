/** Finds the gateway and connects to it, or says in one line why that cannot be. */
import { readGatewayAddress, type GatewayAddress } from '../config/gateway-address.ts';
import { readGatewayToken } from '../config/gateway-token.ts';
import type { Env } from '../platform/env.ts';
import type { ConnectOptions } from './command.ts';
import type { GatewayLink } from './gateway-link.ts';

export interface Target {
  readonly url: string;
  readonly token?: string;
  readonly password?: string;
  readonly address: GatewayAddress;
}

/** What `--url` and `--token` say, else environment and configuration, else the token kept in the state directory. */
export async function findGateway({ env, url, token }: Pick<ConnectOptions, 'url' | 'token'> & { readonly env: Env }): Promise<Target> {
  const address = await readGatewayAddress(env);
  const secret = token ?? address.token;
  // A secret of ours is for our gateway: an address given by hand gets only what was given with it.
  const kept = secret === undefined && url === undefined && address.mode === 'local' ? await readGatewayToken(env) : undefined;
  const known = url === undefined ? (secret ?? kept) : token;
  return {
    url: url ?? address.remoteUrl ?? `ws://127.0.0.1:${address.port}`,
    address,
    ...(known !== undefined && { token: known }),
    ...(url === undefined && address.password !== undefined && { password: address.password }),
  };
}
