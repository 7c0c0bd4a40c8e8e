/**
 * Network rules of the canvas window: what pages may access, and only the canvas paths of the gateway. It has its own
 * guard and proxy, so that no other page of a browser can reach the gateway.
 */
import type { Log } from '../../../core/log.ts';
import { createEgressProxy } from '../../../platform/net/egress/egress-proxy.ts';
import type { NetGuard } from '../../../platform/net/guard/guard.ts';
import type { Upstream } from '../../../platform/net/route/user-proxy.ts';
import type { Egress } from '../guard/egress.ts';

export interface CanvasEgressDeps {
  readonly guard: NetGuard;
  readonly log: Log;
  /** The proxy for all targets except the gateway. */
  readonly upstream: Upstream;
  /** The port of the gateway, once it listens. */
  port(): number | undefined;
}

const HERE = '127.0.0.1';
/** Every path below it requires a token in the path. */
const CANVAS_PATH = /^\/__(?:clawdbot|moltbot|openclaw)__\//;

export function createCanvasEgress({ guard, log, upstream, port }: CanvasEgressDeps): Egress {
  const own: NetGuard = {
    checkHost: (hostname) => guard.checkHost(hostname),
    check: async (target, signal) =>
      isCanvas(target, port()) ? { ok: true, addresses: [{ address: HERE, family: 4 }] } : guard.check(target, signal),
  };
  const direct: Upstream = (target) =>
    target.hostname === HERE && target.port === port() ? undefined : upstream(target);
  return { guard: own, proxy: createEgressProxy({ guard: own, log, upstream: direct }), upstream: direct };
}

/** The path is checked, which a tunnel does not reveal, so only plain requests are allowed. */
function isCanvas(target: string | URL, port: number | undefined): boolean {
  const url = URL.parse(String(target));
  if (!url || port === undefined || url.protocol !== 'http:') return false;
  return url.hostname === HERE && url.port === String(port) && CANVAS_PATH.test(url.pathname);
}
