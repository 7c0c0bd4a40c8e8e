/** The token that opens the gateway when nobody configured one: made at the first start, kept in a private file of the state directory. */
import { join } from 'node:path';
import type { Env } from '../platform/env.ts';
import { readTextIfExists, writeFileAtomic } from '../platform/files.ts';
import { randomToken } from '../platform/ids.ts';

export const gatewayTokenPath = (env: Env): string => join(env.stateDir, 'gateway-token');

/** The kept token; undefined before the first start. */
export async function readGatewayToken(env: Env): Promise<string | undefined> {
  return (await readTextIfExists(gatewayTokenPath(env)))?.trim() || undefined;
}

/** The kept token, made now when there is none. Throws `AppError('storage')` when it cannot be kept. */
export async function ensureGatewayToken(env: Env): Promise<string> {
  const kept = await readGatewayToken(env);
  if (kept !== undefined) return kept;
  const token = randomToken();
  await writeFileAtomic(gatewayTokenPath(env), `${token}\n`);
  return token;
}
