/** What the canvas window of a node reaches: public pages, and of the gateway the paths of canvases alone. */
import { silentLog } from '../../../core/log.ts';
import { createEgressProxy, type EgressProxy } from '../../../platform/net/egress/egress-proxy.ts';
import { parseAddress } from '../../../platform/net/guard/address.ts';
import { createNetGuard, type NetGuard, type Resolve } from '../../../platform/net/guard/guard.ts';
import { userProxy } from '../../../platform/net/route/user-proxy.ts';

/** A page holds many connections, and the feed of a canvas is silent for long. */
const LIMITS = { connections: 256, idleMs: 10 * 60_000 };
/** Every path below proves itself by the token in it. */
const CANVAS_PATH = /^\/__(?:clawdbot|moltbot|openclaw)__\/[\w./~%-]*$/;

export interface CanvasAccess {
  /** The gateway as browsers open it, without a path. */
  readonly gateway: URL;
  readonly guard: NetGuard;
  readonly proxy: EgressProxy;
  /** Undefined: nobody may be sent there. */
  addressOf(written: string): string | undefined;
  /** Whether a page may request it, as far as the gateway is concerned; `guard` decides about the rest. */
  mayRequest(url: string): boolean;
}

export interface CanvasAccessDeps {
  /** Of the gateway's WebSocket. */
  readonly url: string;
  readonly vars: Readonly<Record<string, string>>;
  readonly resolve?: Resolve;
}

export function createCanvasAccess({ url, vars, resolve }: CanvasAccessDeps): CanvasAccess {
  const gateway = new URL('/', url.replace(/^ws/, 'http'));
  const of = (rules: Parameters<typeof createNetGuard>[0]['rules']): NetGuard =>
    createNetGuard(resolve ? { rules, resolve } : { rules });
  const anywhere = of(() => ({ allowHosts: [], allowRanges: [] }));
  const there = of(() => rulesFor(gateway));
  const mayRequest = (written: string): boolean => {
    const target = URL.parse(written);
    return target?.host !== gateway.host || (target.origin === gateway.origin && CANVAS_PATH.test(target.pathname));
  };
  const guard: NetGuard = {
    checkHost: (hostname) => anywhere.checkHost(hostname),
    check: (target, signal) => (isGateway(target, gateway) ? there : anywhere).check(target, signal),
  };
  const users = userProxy({ vars });
  return {
    gateway,
    guard,
    mayRequest,
    proxy: createEgressProxy({
      guard,
      log: silentLog,
      limits: LIMITS,
      upstream: (target) => (target.hostname === gateway.hostname ? undefined : users(target)),
    }),
    addressOf(written) {
      if (CANVAS_PATH.test(written)) {
        const page = new URL(written, gateway);
        return mayRequest(page.href) ? page.href : undefined;
      }
      const page = URL.parse(written);
      if (!page || !['http:', 'https:'].includes(page.protocol) || page.username || page.password) return undefined;
      return mayRequest(page.href) ? page.href : undefined;
    },
  };
}

/** A tunnel says no path: for a gateway behind TLS the page's own requests are looked at (`mayRequest`). */
function isGateway(target: string | URL, gateway: URL): boolean {
  const url = URL.parse(String(target));
  if (url?.origin !== gateway.origin) return false;
  return url.protocol === 'https:' || CANVAS_PATH.test(url.pathname);
}

/** The gateway is wherever the person who started the node said. */
function rulesFor({ hostname }: URL): { readonly allowHosts: string[]; readonly allowRanges: string[] } {
  const host = hostname.replace(/^\[|\]$/g, '');
  if (parseAddress(host) === undefined) return { allowHosts: [host], allowRanges: [] };
  return { allowHosts: [], allowRanges: [`${host}/${host.includes(':') ? 128 : 32}`] };
}
