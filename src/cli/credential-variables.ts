/** The environment variables that can replace a secret setting, as declared by its channel or provider. */
import { DEFAULT_ACCOUNT_ID } from '../core/product.ts';
import { parsePath } from '../config/paths.ts';
import type { Env } from '../platform/env.ts';
import { openRegistry } from './channel-registry.ts';

export async function credentialVariables(path: string, env: Env): Promise<readonly string[]> {
  const [section, id, ...rest] = parsePath(path);
  if (section === 'channels' && id !== undefined) return ofChannel(id, rest, env);
  return section === 'models' && id === 'providers' && rest.length === 2 && rest[1] === 'apiKey'
    ? ofProvider(rest[0]!, env)
    : [];
}

/** A variable belongs to the default account, wherever its settings stand. */
async function ofChannel(id: string, rest: readonly string[], env: Env): Promise<readonly string[]> {
  const key =
    rest.length === 1
      ? rest[0]
      : rest.length === 3 && rest[0] === 'accounts' && rest[1] === DEFAULT_ACCOUNT_ID
        ? rest[2]
        : undefined;
  if (key === undefined) return [];
  await using registry = await openRegistry(env);
  const variable = registry.channels
    .find((plugin) => plugin.id === id)
    ?.credentials?.find((credential) => credential.key === key)?.env;
  return variable === undefined ? [] : [variable];
}

async function ofProvider(id: string, env: Env): Promise<readonly string[]> {
  await using registry = await openRegistry(env);
  return [...new Set(await registry.keyVariables(id))];
}
