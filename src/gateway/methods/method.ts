/** Defines a gateway method: required scope, parameters and handler. */
import type { z } from 'zod';
import type { ClientLink } from '../../host/clients.ts';
import { namedSession, requireAgentId } from '../../host/named-session.ts';
import type { Principal, Requirement } from '../../core/principal.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Answers } from '../../protocol/answers.ts';
import type { EventName } from '../../protocol/events.ts';
import type { WireLimits } from '../../protocol/limits.ts';
import type { DeviceRegistry } from '../../host/devices.ts';
import type { GatewayServices } from '../services.ts';
import type { Connection } from '../ws/connection.ts';
import type { Health } from '../ws/health.ts';
import type { Hub } from '../ws/hub.ts';
import type { Presence } from '../ws/presence.ts';

export interface MethodDeps {
  readonly services: GatewayServices;
  readonly devices: DeviceRegistry;
  readonly hub: Hub;
  readonly presence: Presence;
  readonly health: Health;
  readonly limits: WireLimits;
  readonly table: MethodTable;
  readonly clock: Clock;
}

/** One request under way. */
export interface Call extends MethodDeps {
  readonly connection: Connection;
  readonly principal: Principal;
  /** The connection as features reach it. */
  readonly client: ClientLink;
  /** What people call the known device that asks. */
  readonly deviceName: string | undefined;
  /** Ends when the connection does. */
  readonly signal: AbortSignal;
  /** A first answer before the real one, under the same id; clients know it by `status: "accepted"`. */
  accepted(payload: { readonly status: 'accepted' } & Record<string, unknown>): void;
}

export interface Method<P = any, A = unknown> {
  /** One sentence for the reference page. */
  readonly summary: string;
  readonly needs: Requirement;
  readonly params: z.ZodType<P>;
  /** Its answers may be large: each is made when the client has taken those before (`ws/heavy-line.ts`). */
  readonly heavy?: true;
  /** Runs up to its first await in the order requests arrived. Throws `AppError`; what it returns is the answer. */
  run(params: P, call: Call): A | Promise<A>;
}

/** Methods of one noun, by name; each answers as `src/protocol/answers` says. */
export type Methods = Readonly<Record<string, Method>> & {
  readonly [M in keyof Answers]?: Method<any, Answers[M]>;
};

/** Everything a connection may call. */
export interface MethodTable {
  readonly methods: Methods;
  /** What `hello-ok` advertises; `connect` is the handshake's own. */
  readonly names: readonly string[];
  find(name: string): Method | undefined;
}

/** Keeps the types of parameters and answer between schema and work. */
export const method = <P, A>(definition: Method<P, A>): Method<P, A> => definition;

export { refuse } from '../../host/method.ts';

/** Whether a list goes on, and where: no list ends in silence. */
export const more = (
  hasMore: boolean,
  nextOffset: number,
): { readonly hasMore: boolean; readonly nextOffset?: number } => (hasMore ? { hasMore, nextOffset } : { hasMore });

/** A session changed: tells those who watch the list. */
export function announceSession(
  call: MethodDeps,
  sessionKey: string,
  reason: 'message' | 'patch' | 'reset' | 'delete' | 'compact',
): void {
  call.hub.publish(
    'sessions.changed' satisfies EventName,
    { sessionKey, reason, ts: call.clock.now() },
    { to: (connection) => connection.followsSessionList },
  );
}

/** The canonical key of what a caller names; its agent must exist. */
export const sessionKeyOf = ({ services }: Pick<MethodDeps, 'services'>, raw: string, agentId?: string): string =>
  namedSession({ canonicalKey: services.sessions.canonicalKey, agentIds: agentIds(services) }, raw, agentId);

export const requireAgent = (services: GatewayServices, agentId: string): void =>
  requireAgentId({ agentIds: agentIds(services) }, agentId);

const agentIds =
  ({ agents }: GatewayServices) =>
  (): readonly string[] =>
    agents.list().map(({ id }) => id);
