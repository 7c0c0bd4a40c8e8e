/**
 * Checks every request to an untrusted address before it is sent, and refuses addresses outside the public internet.
 */
import { examine, shown, type UrlCheck } from './examine.ts';
import { readHost } from './host-name.ts';
import { systemResolve, type Resolve } from './resolve.ts';
import { checkAddress, checkName, type FetchRules } from './rules.ts';

export type { UrlCheck } from './examine.ts';
export type { Resolve, ResolvedAddress } from './resolve.ts';
export type { FetchRules } from './rules.ts';

/** Milliseconds a name may take to resolve. */
export const DNS_TIMEOUT_MS = 5000;

/** `address`: the canonical form of a host that is one. */
export type HostCheck = { readonly ok: true; readonly address?: string } | { readonly ok: false; readonly why: string };

/** Says whether an address may be reached, and which addresses its name has. */
export interface NetGuard {
  /** Looks the host up. A refusal is an answer; rejects with `AppError('aborted')` only. */
  check(url: string | URL, signal?: AbortSignal): Promise<UrlCheck>;
  checkHost(hostname: string): HostCheck;
}

/** `rules` is asked on every check, so a new configuration holds at once. */
export function createNetGuard(deps: { rules(): FetchRules; resolve?: Resolve; dnsTimeoutMs?: number }): NetGuard {
  const { resolve = systemResolve, dnsTimeoutMs = DNS_TIMEOUT_MS } = deps;
  return {
    checkHost: (hostname) => checkHost(hostname, deps.rules()),
    check: async (url, signal) => (await examine(url, { rules: deps.rules(), resolve, dnsTimeoutMs, signal })).checked,
  };
}

/**
 * A host without asking DNS: an address in any spelling, or a name. What a lenient reader alone would accept is
 * refused.
 */
export function checkHost(hostname: string, rules: FetchRules): HostCheck {
  const host = readHost(hostname);
  if (host.kind === 'bad') return { ok: false, why: `${shown(hostname)} is refused: ${host.why}` };
  if (host.kind === 'name') {
    const checked = checkName(host.name, rules);
    return checked.ok ? { ok: true } : checked;
  }
  const checked = checkAddress(host.address, rules);
  const address = host.address.toString();
  return checked.ok ? { ok: true, address } : { ok: false, why: `${address} ${checked.why}` };
}
