/** The few settings a command needs to reach a running gateway, read without loading the schema library. */
import { join } from 'node:path';
import { present } from '../core/present.ts';
import { DEFAULT_PORT } from '../core/product.ts';
import { withVars, type Env } from '../platform/env.ts';
import { readTextIfExists } from '../platform/files.ts';
import { substituteEnv } from './env-substitute.ts';
import { resolveIncludes } from './include.ts';
import { configPath } from './config-path.ts';
import { configVars } from './env-vars.ts';
import { getAt, isPlainObject } from './paths.ts';
import { plainValue } from './sourced.ts';

export interface GatewayAddress {
  readonly mode: 'local' | 'remote';
  readonly port: number;
  /** URL path of the Control UI. */
  readonly basePath: string;
  /** `ws://` or `wss://`; set when `mode` is `remote`. */
  readonly remoteUrl?: string;
  readonly token?: string;
  readonly password?: string;
}

/** Where the gateway keeps the token it generated on its first start. */
export const generatedTokenPath = (stateDir: string): string => join(stateDir, 'gateway.token');

/**
 * The environment wins over the file, the file over the generated token. Whatever is wrong in the file is left out; the
 * gateway itself reports it.
 */
export async function readGatewayAddress(env: Env): Promise<GatewayAddress> {
  const { root } = await resolveIncludes(await configPath(env), { read: readTextIfExists, home: env.home });
  const parsed = plainValue(root);
  const vars = configVars(substituteEnv(getAt(parsed, ['env']), env).value);
  const gateway = substituteEnv(getAt(parsed, ['gateway']), withVars(env, vars)).value;
  const text = (...path: string[]): string | undefined => {
    const value = getAt(isPlainObject(gateway) ? gateway : {}, path);
    return typeof value === 'string' && value !== '' && !value.includes('${') ? value : undefined;
  };
  const port = getAt(gateway, ['port']);
  const mode = text('mode') === 'remote' && text('remote', 'url') !== undefined ? 'remote' : 'local';
  const section = mode === 'remote' ? 'remote' : 'auth';
  const token =
    env.gatewayToken ??
    text(section, 'token') ??
    (mode === 'local' ? (await readTextIfExists(generatedTokenPath(env.stateDir)))?.trim() : undefined);
  const password = env.gatewayPassword ?? text(section, 'password');
  const remoteUrl = mode === 'remote' ? text('remote', 'url') : undefined;
  return present({
    mode,
    port:
      env.gatewayPort ??
      (typeof port === 'number' && Number.isInteger(port) && port >= 0 && port <= 65_535 ? port : DEFAULT_PORT),
    basePath: text('controlUi', 'basePath') ?? '/',
    remoteUrl,
    token,
    password,
  });
}
