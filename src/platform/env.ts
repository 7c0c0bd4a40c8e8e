/** The only reader of the process environment: where state is kept, how to reach the gateway, provider keys. */
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { AppError } from '../core/errors.ts';
import { present } from '../core/present.ts';
import { PRODUCT } from '../core/product.ts';

/** The environment as this program reads it: once, at the start, checked. */
export interface Env {
  readonly home: string;
  /** Absolute; `~/.clawdbot` unless the environment says otherwise. */
  readonly stateDir: string;
  /** Absolute; only when the environment names one. */
  readonly configPath?: string;
  readonly gatewayPort?: number;
  readonly gatewayToken?: string;
  readonly gatewayPassword?: string;
  /** Everything that is set, empty strings included. */
  readonly vars: Readonly<Record<string, string>>;
  /** The value of a variable; undefined when it is unset or empty. */
  get(name: string): string | undefined;
}

/** Where the environment says which time zone this process is in; the runtime follows it, too. */
export const zoneVariable = (): string | undefined => process.env['TZ'];

/** The spellings of three product generations; the first that is set wins. */
const PREFIXES = ['CLAWDBOT', 'OPENCLAW', 'MOLTBOT'] as const;

/** A variable of ours that is set. */
export interface OwnVariable {
  readonly name: string;
  readonly value: string;
}

/** A variable of ours by the end of its name (`GATEWAY_PORT`), in the first spelling that is set. */
export function ownVariable({ get }: Pick<Env, 'get'>, suffix: string): OwnVariable | undefined {
  const name = PREFIXES.map((prefix) => `${prefix}_${suffix}`).find((candidate) => get(candidate)?.trim());
  return name === undefined ? undefined : { name, value: get(name)!.trim() };
}

/** Reads the environment once. Throws `AppError('invalid')` when the port is not a port. */
export function readEnv(source: Readonly<Record<string, string | undefined>> = process.env): Env {
  const vars: Record<string, string> = {};
  for (const [name, value] of Object.entries(source)) if (value !== undefined) vars[name] = value;
  return envOf(vars);
}

/**
 * The same environment with `extra` added where a variable is unset or empty: how `env.vars` of the configuration
 * applies.
 */
export function withVars(env: Env, extra: Readonly<Record<string, string>>): Env {
  const added = Object.entries(extra).filter(([name]) => env.get(name) === undefined);
  return added.length === 0 ? env : envOf({ ...env.vars, ...Object.fromEntries(added) });
}

/** `~` and `~/x` → the home directory; everything else relative to `base` (default: the working directory). */
export function expandPath(path: string, home: string, base = process.cwd()): string {
  if (path === '~') return home;
  return path.startsWith('~/') || path.startsWith('~\\') ? join(home, path.slice(2)) : resolve(base, path);
}

function envOf(vars: Readonly<Record<string, string>>): Env {
  const get = (name: string): string | undefined => vars[name] || undefined;
  const ours = (suffix: string): OwnVariable | undefined => ownVariable({ get }, suffix);
  const home = get('HOME') ?? get('USERPROFILE') ?? homedir();
  const configPath = ours('CONFIG_PATH')?.value;
  const port = ours('GATEWAY_PORT');
  const token = ours('GATEWAY_TOKEN')?.value;
  const password = ours('GATEWAY_PASSWORD')?.value;
  return Object.freeze({
    home,
    stateDir: expandPath(ours('STATE_DIR')?.value ?? `~/.${PRODUCT}`, home),
    ...present({
      configPath: configPath !== undefined ? expandPath(configPath, home) : undefined,
      gatewayPort: port ? parsePort(port.name, port.value) : undefined,
      gatewayToken: token,
      gatewayPassword: password,
    }),
    vars: Object.freeze({ ...vars }),
    get,
  });
}

function parsePort(name: string, value: string): number {
  const port = Number(value);
  if (/^\d+$/.test(value) && port <= 65_535) return port;
  throw new AppError('invalid', `The environment variable ${name} is not a port: use a whole number from 0 to 65535.`);
}

/**
 * Under which name the launcher in `bin/` was called; it leaves that in the environment, for it may have had to start
 * another Node.
 */
export const invokedAs = (): string | undefined => variable('CLAWDBOT_INVOKED_AS');

/** One variable of this process, for what must work when others make no sense; undefined when it is unset or empty. */
export const variable = (name: string): string | undefined => process.env[name] || undefined;
