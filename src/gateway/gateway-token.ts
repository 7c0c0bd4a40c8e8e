/**
 * Provides the gateway's shared token: the configured one, else one generated on the first start and stored privately.
 */
import type { ZodType } from 'zod';
import { generatedTokenPath } from '../config/gateway-address.ts';
import { isRefusal, isExposedBeyondLoopback, refusalOf, shortSecret } from '../config/secret-length.ts';
import type { ConfigSnapshot } from '../config/store.ts';
import { AppError } from '../core/errors.ts';
import type { Log } from '../core/log.ts';
import { present } from '../core/present.ts';
import type { GatewayConfig } from './config.ts';
import type { Env } from '../platform/env.ts';
import { readTextIfExists, writeFileAtomic } from '../platform/files.ts';
import { randomToken } from '../platform/ids.ts';

export interface Secret {
  readonly token?: string;
  readonly password?: string;
  /** Made by us; may be shown once to the person at the terminal. */
  readonly generated: boolean;
}

export async function gatewaySecret({
  env,
  config,
  option,
  log,
}: {
  env: Env;
  config: GatewayConfig;
  option?: string | undefined;
  log: Log;
}): Promise<Secret> {
  const password = [env.gatewayPassword, config.auth.password].find(isSecret);
  const token = [option, env.gatewayToken, config.auth.token].find(isSecret)?.trim();
  const refused = [env.gatewayToken, config.auth.token, env.gatewayPassword, config.auth.password].some(
    (one) => one !== undefined && !isSecret(one),
  );
  if (refused)
    log.warn('gateway.secret.placeholder', {
      fix:
        'A token or password that is blank or a placeholder (undefined, null, changeme, <…>, your-…) is not ' +
        'used. Set a real one, or remove it.',
    });
  if (config.auth.mode === 'password') return present({ password, generated: false });
  return token === undefined
    ? { token: await keptToken(env.stateDir, log), generated: true }
    : { token, generated: false };
}

/**
 * Throws `AppError('invalid')` for a secret others could guess, wherever it comes from, if others can connect; alone on
 * this machine it is warned about.
 */
export function demandLongSecret({ config, secret, log }: { config: GatewayConfig; secret: Secret; log: Log }): void {
  const short = shortSecret(kindOf(config), config.auth.mode === 'password' ? secret.password : secret.token);
  if (!short) return;
  if (isExposedBeyondLoopback(config)) throw refused(short.path, refusalOf(short));
  log.warn('gateway.secret.short', { problem: short.problem, fix: short.fix });
}

/**
 * The schema with what the command line and the environment make of a file that is right by itself: such a change is
 * not in force, and the gateway stays as it is.
 */
export const demandingSchema = <S extends ZodType<{ readonly gateway: GatewayConfig }>>(
  schema: S,
  { env, option, overrides }: { env: Env; option: string | undefined; overrides: Partial<GatewayConfig> },
): S =>
  schema.check((ctx) => {
    const gateway = { ...ctx.value.gateway, ...overrides };
    const kind = kindOf(gateway);
    const secret = (
      kind === 'password'
        ? [env.gatewayPassword, gateway.auth.password]
        : [option, env.gatewayToken, gateway.auth.token]
    ).find(isSecret);
    if (!isExposedBeyondLoopback(gateway)) return;
    const short = shortSecret(kind, secret);
    if (short)
      ctx.issues.push({ code: 'custom', path: ['gateway', 'auth', kind], input: undefined, message: refusalOf(short) });
  });

const kindOf = ({ auth }: GatewayConfig): 'token' | 'password' => (auth.mode === 'password' ? 'password' : 'token');

const refused = (path: string, problem: string): AppError =>
  new AppError(
    'invalid',
    `${path} ${problem}. Or make it reachable from this machine only: set gateway.bind to "loopback" and remove ` +
      'gateway.trustedProxies.',
    { details: { path } },
  );

/**
 * Why a file is not in force for that alone, when nothing better is known: whoever opened the gateway learns at once
 * why it is not open.
 */
export function guessableIn({
  safeMode,
  issues,
}: Pick<ConfigSnapshot<unknown>, 'safeMode' | 'issues'>): AppError | undefined {
  const found = safeMode ? issues.find(isRefusal) : undefined;
  return found && refused(found.path, found.problem);
}

/**
 * Blank would let everybody in, or nobody; the others are what scripts write when a variable was not there, and what
 * examples say.
 */
const isSecret = (text: string | undefined): boolean =>
  !/^(?:|undefined|null|none|changeme|change-me|<.*>|your[-_].*)$/i.test(text?.trim() ?? '');

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
