/** Serves the probes of supervisors: live, ready, started. */
import { present } from '../../core/present.ts';
import type { HttpRequest } from '../../host/http/surface.ts';
import { PRODUCT } from '../../core/product.ts';
import { descriptorUse, isExhausted, type Descriptors } from '../../platform/descriptors.ts';
import type { GatewayStatus, StorageStatus } from '../services.ts';
import type { Access } from './access.ts';
import { sendJson } from '../../host/http/reply.ts';
import type { Methods, Router } from './router.ts';

export interface HealthOptions {
  readonly status: () => GatewayStatus;
  readonly storage: () => Promise<StorageStatus>;
  readonly descriptors: Descriptors | undefined;
  readonly version: string;
  /** The server itself is going down, whatever the services say. */
  readonly draining: () => boolean;
  readonly access: Access;
}

/**
 * `GET /healthz`, `/readyz`, `/startupz`; open to everybody, details only to callers on this machine or with the
 * secret.
 */
export function mountHealth(router: Router, options: HealthOptions): void {
  router.at(
    '/healthz',
    probe((request) => sendJson(request.res, 200, { ok: true, status: 'live', product: PRODUCT })),
  );
  router.at(
    '/readyz',
    probe(async (request) => {
      const storage = await options.storage();
      answer(request, readiness(storage, options), { ...options, facts: { ...options.status(), ...storage } });
    }),
  );
  router.at(
    '/startupz',
    probe(async (request) => {
      const facts = { ...options.status(), ...(await options.storage()) };
      answer(request, facts.phase === 'starting' ? 'starting' : 'started', { ...options, facts });
    }),
  );
}

const probe = (handler: (request: HttpRequest) => void | Promise<void>): Methods => ({ GET: handler });

type Readiness = 'ready' | 'started' | 'starting' | 'draining' | 'busy' | 'storage' | 'descriptors';

function readiness({ storage }: StorageStatus, { status, draining, descriptors }: HealthOptions): Readiness {
  const { phase, accepting } = status();
  if (draining() || phase === 'draining') return 'draining';
  if (phase === 'starting') return 'starting';
  if (!storage.ok) return 'storage';
  if (descriptors && isExhausted(descriptorUse(descriptors))) return 'descriptors';
  return accepting ? 'ready' : 'busy';
}

interface AnswerFacts extends Pick<HealthOptions, 'descriptors' | 'version' | 'access'> {
  readonly facts: GatewayStatus & StorageStatus;
}

function answer(request: HttpRequest, state: Readiness, { facts, descriptors, version, access }: AnswerFacts): void {
  const ok = state === 'ready' || state === 'started';
  const details = access.trusts(request)
    ? {
        version,
        details: {
          ...detailsOf(facts),
          ...present({ descriptors: descriptors ? descriptorUse(descriptors) : undefined }),
        },
      }
    : {};
  sendJson(request.res, ok ? 200 : 503, { ok, status: state, ...details }, ok ? undefined : { 'retry-after': '2' });
}

const detailsOf = ({
  storage,
  config,
  activeTurns,
  queuedMessages,
  outboxPending,
  overdue,
  startedAt,
  eventLoop,
  rssBytes,
}: GatewayStatus & StorageStatus) => ({
  storage,
  config: { valid: config.valid, source: config.source, safeMode: config.safeMode },
  activeTurns,
  queuedMessages,
  outboxPending,
  overdue,
  startedAt,
  eventLoop,
  rssBytes,
});
