/** The security headers of agents' pages: what they may do in a browser. Pure. */
import { present } from '../../../core/present.ts';
import type { Sandbox } from '../documents/manifest.ts';

export interface PageRules {
  readonly sandbox: Sandbox;
  /** The page is on an origin where nothing else of the gateway is. */
  readonly ownOrigin: boolean;
  /** It may load from the web. */
  readonly external: boolean;
  /** `host:port` and the prefix of its own address, ending in `/`; all it may load from here. */
  readonly self: string;
  /** Sources of pages that may frame it. */
  readonly ancestors: readonly string[];
}

/** The strictest of two. */
export const strictest = (a: Sandbox, b: Sandbox): Sandbox =>
  a === 'strict' || b === 'strict' ? 'strict' : a === 'scripts' || b === 'scripts' ? 'scripts' : 'trusted';

/**
 * The `sandbox` of a frame around it, and of the page itself: an origin is given only where that reaches nothing of
 * ours. Empty: nothing is allowed.
 */
export function sandboxTokens({ sandbox, ownOrigin }: Pick<PageRules, 'sandbox' | 'ownOrigin'>): string {
  if (sandbox === 'strict') return '';
  return sandbox === 'trusted' && ownOrigin ? 'allow-scripts allow-same-origin' : 'allow-scripts';
}

/** Without an origin, a page loads its own files as if they were another site's: their address is what opens them. */
export function pageHeaders(rules: PageRules): Readonly<Record<string, string>> {
  const tokens = sandboxTokens(rules);
  const sources = [rules.self, ...(rules.external ? ['https:'] : [])].join(' ');
  // A source without a scheme stands for HTTP alone.
  const sockets = rules.self === "'self'" ? '' : ` ws://${rules.self} wss://${rules.self}`;
  const scripts = rules.sandbox === 'strict' ? "'none'" : `'unsafe-inline' 'unsafe-eval' blob: ${sources}`;
  const policy = [
    "default-src 'none'",
    `script-src ${scripts}`,
    `style-src 'unsafe-inline' ${sources}`,
    `img-src data: blob: ${sources}`,
    `media-src data: blob: ${sources}`,
    `font-src data: ${sources}`,
    `connect-src ${rules.sandbox === 'strict' ? "'none'" : sources + sockets}`,
    `worker-src ${rules.sandbox === 'strict' ? "'none'" : `blob: ${sources}`}`,
    `frame-src ${sources}`,
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    `frame-ancestors ${["'self'", ...rules.ancestors].join(' ')}`,
    `sandbox ${tokens}`.trim(),
  ].join('; ');
  return present({
    'content-security-policy': policy,
    'referrer-policy': 'no-referrer',
    'permissions-policy': 'camera=(), microphone=(), geolocation=(), display-capture=(), clipboard-read=(), usb=()',
    'access-control-allow-origin': '*',
    'x-robots-tag': 'noindex',
  });
}

/** A source that names one prefix of this host; an IPv6 address cannot be written in a policy, so there it is all. */
export function selfSource(host: string | undefined, prefix: string): string {
  return host !== undefined && /^[a-z0-9.-]+(?::\d{1,5})?$/i.test(host) && /^\/[\w./%~-]*\/$/.test(prefix)
    ? host + prefix
    : "'self'";
}
