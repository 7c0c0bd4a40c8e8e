/** How long the secret of a gateway must be that others than this machine reach, and what to do about a shorter one. Pure. */

/** Characters. A token is made by a program and never typed; a password is, and ten wrong ones lock an address out. */
export const SHORTEST_SECRET = { token: 24, password: 12 } as const;

/** What makes a new one, by kind. */
const REMEDY = {
  token: 'Remove it with `clawdbot config unset gateway.auth.token` (and CLAWDBOT_GATEWAY_TOKEN), and the gateway makes a long one; `clawdbot dashboard` shows it',
  password: 'Set a longer one with `clawdbot config set gateway.auth.password "$(openssl rand -base64 24)"`',
} as const;

export interface DoorSettings {
  readonly bind: string;
  readonly customBindHost?: string | undefined;
  readonly trustedProxies: readonly string[];
}

export interface ShortSecret { readonly path: string; readonly problem: string; readonly fix: string }

const TOO_SHORT = 'is too short for a gateway that others reach';

/** What an issue of the configuration says of such a secret; no full stop, for more follows. */
export const refusalOf = ({ problem, fix }: ShortSecret): string => `${TOO_SHORT}: ${problem}. ${fix.slice(0, -1)}`;

/** Whether that is what an issue says. */
export const isRefusal = ({ problem }: { readonly problem: string }): boolean => problem.includes(TOO_SHORT);

/** Whether others than this machine could knock; `auto` means loopback, and a proxy that is trusted speaks for others. */
export function reachesBeyondLoopback({ bind, customBindHost = '', trustedProxies }: DoorSettings): boolean {
  if (trustedProxies.length > 0) return true;
  return bind === 'custom' ? !/^(?:127\.|::1$|::ffff:127\.)/i.test(customBindHost) : bind === 'lan' || bind === 'tailnet';
}

/** Undefined for one that is long enough for anywhere. A secret that does not exist is another matter. */
export function shortSecret(kind: 'token' | 'password', secret: string | undefined): ShortSecret | undefined {
  const length = [...(secret?.trim() ?? '')].length;
  if (secret === undefined || length >= SHORTEST_SECRET[kind]) return undefined;
  return { path: `gateway.auth.${kind}`, problem: `the ${kind} that opens the gateway has ${length} characters; it needs ${SHORTEST_SECRET[kind]}`, fix: `${REMEDY[kind]}.` };
}
