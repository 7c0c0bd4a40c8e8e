/**
 * How long the secret of a gateway must be that others than this machine reach, and what to do about a shorter one.
 * Pure.
 */
import { OWN_COMMAND } from '../platform/own-command.ts';

/** What opens something to others, and must not be guessed. */
export interface SecretKind {
  /** Characters it needs. */
  readonly least: number;
  readonly path: string;
  readonly is: string;
  /** Without a full stop. */
  readonly remedy: string;
}

/**
 * How many characters each needs, and what makes a new one. A token is made by a program and never typed; a password
 * is, and ten wrong ones lock an address out.
 */
const GATEWAY_SECRETS = {
  token: {
    least: 24,
    path: 'gateway.auth.token',
    is: 'the token that opens the gateway',
    remedy: `Remove it with \`${OWN_COMMAND} config unset gateway.auth.token\` (and CLAWDBOT_GATEWAY_TOKEN), and the gateway makes a long one; \`${OWN_COMMAND} dashboard\` shows it`,
  },
  password: {
    least: 12,
    path: 'gateway.auth.password',
    is: 'the password that opens the gateway',
    remedy: `Set a longer one with \`${OWN_COMMAND} config set gateway.auth.password "$(openssl rand -base64 24)"\``,
  },
} satisfies Readonly<Record<string, SecretKind>>;

export interface ExposureSettings {
  readonly bind: string;
  readonly customBindHost?: string | undefined;
  readonly trustedProxies: readonly string[];
}

export interface ShortSecret {
  readonly path: string;
  readonly problem: string;
  readonly fix: string;
}

const TOO_SHORT = 'is too short for a gateway that others reach';

/** What an issue of the configuration says of such a secret; no full stop, for more follows. */
export const refusalOf = ({ problem, fix }: ShortSecret): string => `${TOO_SHORT}: ${problem}. ${fix.slice(0, -1)}`;

/** Whether that is what an issue says. */
export const isRefusal = ({ problem }: { readonly problem: string }): boolean => problem.includes(TOO_SHORT);

/**
 * Whether others than this machine could connect; `auto` means loopback, and a proxy that is trusted speaks for others.
 */
export function isExposedBeyondLoopback({ bind, customBindHost = '', trustedProxies }: ExposureSettings): boolean {
  if (trustedProxies.length > 0) return true;
  return bind === 'custom'
    ? !/^(?:127\.|::1$|::ffff:127\.)/i.test(customBindHost)
    : bind === 'lan' || bind === 'tailnet';
}

/** Undefined for one that is long enough for anywhere. A secret that does not exist is another matter. */
export function shortSecret(
  kind: keyof typeof GATEWAY_SECRETS | SecretKind,
  secret: string | undefined,
): ShortSecret | undefined {
  const { least, path, is, remedy } = typeof kind === 'string' ? GATEWAY_SECRETS[kind] : kind;
  const length = [...(secret?.trim() ?? '')].length;
  return secret === undefined || length >= least
    ? undefined
    : { path, problem: `${is} has ${length} characters; it needs ${least}`, fix: `${remedy}.` };
}
