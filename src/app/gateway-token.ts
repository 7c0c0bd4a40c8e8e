/** The gateway's shared token: what the person set, else one generated on the first start and kept privately. */
import { generatedTokenPath } from '../config/gateway-address.ts';
import type { Log } from '../core/log.ts';
import type { GatewayConfig } from '../gateway/config.ts';
import type { Env } from '../platform/env.ts';
import { readTextIfExists, writeFileAtomic } from '../platform/files.ts';
import { randomToken } from '../platform/ids.ts';

export interface Secret { readonly token?: string; readonly password?: string; /** Made by us; may be shown once to the person at the terminal. */ readonly generated: boolean }

export async function gatewaySecret({ env, config, given, log }: { env: Env; config: GatewayConfig; given?: string | undefined; log: Log }): Promise<Secret> {
  const password = [env.gatewayPassword, config.auth.password].find(isSecret);
  const token = [given, env.gatewayToken, config.auth.token].find(isSecret)?.trim();
  const refused = [env.gatewayToken, config.auth.token, env.gatewayPassword, config.auth.password].some((one) => one !== undefined && !isSecret(one));
  if (refused) log.warn('gateway.secret.placeholder', { fix: 'A token or password that is blank or a placeholder (undefined, null, changeme, <…>, your-…) is not used. Set a real one, or remove it.' });
  if (config.auth.mode === 'password') return { ...(password === undefined ? {} : { password }), generated: false };
  return token === undefined ? { token: await keptToken(env.stateDir, log), generated: true } : { token, generated: false };
}

/** Blank would let everybody in, or nobody; the others are what scripts write when a variable was not there, and what examples say. */
const isSecret = (text: string | undefined): boolean => !/^(?:|undefined|null|none|changeme|change-me|<.*>|your[-_].*)$/i.test(text?.trim() ?? '');

/** Read-only state: a token for this start alone is better than an open gateway. */
async function keptToken(stateDir: string, log: Log): Promise<string> {
  const path = generatedTokenPath(stateDir);
  try {
    const known = (await readTextIfExists(path))?.trim();
    if (known) return known;
    const fresh = randomToken();
    await writeFileAtomic(path, `${fresh}\n`);
    return fresh;
  } catch (error) {
    log.error('gateway.token.unkept', { path, error });
    return randomToken();
  }
}
