/** Network access of pages: the rules of `browser.ssrfPolicy` and the egress proxy of a browser. */
import { AppError } from '../../../core/errors.ts';
import { OWN_COMMAND } from '../../../platform/own-command.ts';
import type { Log } from '../../../core/log.ts';
import { present } from '../../../core/present.ts';
import { createEgressProxy, type EgressProxy } from '../../../platform/net/egress/egress-proxy.ts';
import { createNetGuard, type FetchRules, type NetGuard, type Resolve } from '../../../platform/net/guard/guard.ts';
import { userProxy, type Upstream } from '../../../platform/net/route/user-proxy.ts';
import type { BrowserConfig } from '../config.ts';

/** Limits of the proxy: many pages with many connections each, some of them idle for long. */
const LIMITS = { connections: 512, idleMs: 10 * 60_000 };

/** Every private range; cloud metadata addresses stay blocked whatever is listed. */
const PRIVATE_RANGES: readonly string[] = [
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '::1/128',
  'fc00::/7',
  'fe80::/10',
];
const LOCAL_NAMES: readonly string[] = ['localhost', '*.localhost', '*.local', '*.internal', '*.lan', '*.home.arpa'];

export interface Egress {
  readonly guard: NetGuard;
  readonly proxy: EgressProxy;
  /** The upstream proxy of the user, if there is one. */
  readonly upstream: Upstream;
}

export interface EgressDeps {
  readonly log: Log;
  readonly vars: Readonly<Record<string, string>>;
  policy(): BrowserConfig['ssrfPolicy'];
  readonly upstream: string | undefined;
  readonly resolve?: Resolve;
}

export function createEgress({ log, vars, policy, upstream, resolve }: EgressDeps): Egress {
  const guard = createNetGuard({ rules: () => rulesOf(policy()), ...present({ resolve }) });
  const users = userProxy({ configured: upstream, vars });
  return { guard, proxy: createEgressProxy({ guard, log, upstream: users, limits: LIMITS }), upstream: users };
}

function rulesOf(policy: BrowserConfig['ssrfPolicy']): FetchRules {
  const { dangerouslyAllowPrivateNetwork: all, allowedHostnames, allowRanges } = policy;
  return {
    allowHosts: all ? [...allowedHostnames, ...LOCAL_NAMES] : allowedHostnames,
    allowRanges: all ? [...allowRanges, ...PRIVATE_RANGES] : allowRanges,
  };
}

const OWN_PAGE = 'about:blank';

/** Whether a page with this scheme may be shown at the top level. */
export const isPageScheme = (url: string): boolean => /^(?:https?:|about:blank(?:[?#]|$)|about:srcdoc)/i.test(url);

/**
 * The normalized address that a tab may open. Rejects with `AppError`: `invalid` if it is not an address, `denied` for
 * a scheme or host that is not allowed.
 */
export async function checkedAddress(written: string, guard: NetGuard, signal: AbortSignal): Promise<string> {
  const text = written.trim();
  if (text === '') throw new AppError('invalid', 'targetUrl required: the address to open, with https:// before it.');
  if (/^about:blank$/i.test(text)) return OWN_PAGE;
  const url = URL.parse(text) ?? (/^[\w-]+(?:\.[\w-]+)+(?:[:/?#]|$)/.test(text) ? URL.parse(`https://${text}`) : null);
  if (!url) throw new AppError('invalid', `"${text.slice(0, 200)}" is no address. Write it with https:// before it.`);
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new AppError(
      'denied',
      `The browser opens http: and https: pages, not ${url.protocol} ones: they would show files or internals of ` +
        'this machine, or hide where they come from.',
    );
  if (url.username !== '' || url.password !== '')
    throw new AppError(
      'denied',
      'An address with a user name or password is not opened: it would be kept wherever the address is. Leave them ' +
        `out; the owner can set them with \`${OWN_COMMAND} browser set credentials --username … --password …\`.`,
    );
  const checked = await guard.check(url, signal);
  if (!checked.ok)
    throw new AppError(
      'denied',
      `The browser does not open ${url.host}: ${checked.why}. The owner can open private addresses in ` +
        'browser.ssrfPolicy; those of cloud metadata stay closed.',
      { details: { host: url.host } },
    );
  return url.href;
}
