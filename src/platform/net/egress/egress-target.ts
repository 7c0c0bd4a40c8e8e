/** Finds the checked target of a request to the egress proxy, or the reason for a refusal. */
import { asAppError, type AppError } from '../../../core/errors.ts';
import type { Log } from '../../../core/log.ts';
import type { Target } from '../route/connection.ts';
import type { Lease } from './egress-lease.ts';
import type { NetGuard } from '../guard/guard.ts';
import { readProxyUrl, type Upstream } from '../route/user-proxy.ts';
import { PUBLIC_COMMAND } from '../../own-command.ts';

/** Whose request it is, and the means to serve it. */
export interface Egress {
  readonly lease: Lease;
  readonly guard: NetGuard;
  readonly log: Log;
  readonly upstream: Upstream;
}

/** Where a request may go, or why it may not. */
export type AdmittedTarget =
  | { readonly ok: true; readonly target: Target; readonly upstream: URL | undefined }
  | { readonly ok: false; readonly why: string };

const NO_PORT = { ok: false, why: 'port 0 is not valid' } as const;

/** Called for every connection and request, so that a name with a changed DNS answer is checked again. */
export async function admitTarget(url: URL, { guard, lease, log, upstream }: Egress): Promise<AdmittedTarget> {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const port = url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port);
  const check = port === 0 ? NO_PORT : await guard.check(url, lease.signal);
  if (!check.ok) {
    lease.note({ host, port, blocked: check.why });
    log.debug('egress.refused', { host, port, why: check.why });
    return check;
  }
  const proxy = upstream({ protocol: url.protocol, hostname: url.hostname, port });
  return {
    ok: true,
    target: { host, port, addresses: check.addresses },
    upstream: proxy === undefined ? undefined : readProxyUrl(proxy),
  };
}

/** One line for the person who runs the command. */
export function refusal(why: string): string {
  return `The connection is not allowed: ${why}. Run \`${PUBLIC_COMMAND} fetch check <url>\` for details.\n`;
}

/** The connection was allowed and came to nothing. */
export function connectFailed(
  error: unknown,
  { target, lease, log }: Pick<Egress, 'lease' | 'log'> & { readonly target: Target },
): AppError {
  const failure = asAppError(error, 'network');
  if (!lease.signal.aborted) log.debug('egress.failed', { host: target.host, port: target.port, error: failure });
  return failure;
}
