/** What a gateway method is: the right it needs, the parameters it takes, and the work. */
import type { z } from 'zod';
import { AppError } from '../../core/errors.ts';
import type { Principal, Requirement } from '../../core/principal.ts';
import { parseSessionKey } from '../../core/session-key.ts';
import type { Clock } from '../../platform/clock.ts';
import type { EventName } from '../../protocol/events.ts';
import type { WireLimits } from '../../protocol/limits.ts';
import type { DeviceStore } from '../devices/store.ts';
import type { GatewayServices } from '../services.ts';
import type { Connection } from '../ws/connection.ts';
import type { Health } from '../ws/health.ts';
import type { Hub } from '../ws/hub.ts';
import type { Presence } from '../ws/presence.ts';

export interface MethodDeps {
  readonly services: GatewayServices;
  readonly devices: DeviceStore;
  readonly hub: Hub;
  readonly presence: Presence;
  readonly health: Health;
  readonly limits: WireLimits;
  readonly clock: Clock;
}

/** One request under way. */
export interface Call extends MethodDeps {
  readonly connection: Connection;
  readonly principal: Principal;
  /** Ends when the connection does. */
  readonly signal: AbortSignal;
  /** A first answer before the real one, under the same id; clients know it by `status: "accepted"`. */
  accepted(payload: { readonly status: 'accepted' } & Record<string, unknown>): void;
}

export interface Method<P = any> {
  /** One sentence for the reference page. */
  readonly summary: string;
  readonly needs: Requirement;
  readonly params: z.ZodType<P>;
  /** Its answers may be large: the next one is made when the client has taken the last. */
  readonly heavy?: true;
  /** Runs up to its first await in the order requests arrived. Throws `AppError`; what it returns is the answer. */
  run(params: P, call: Call): unknown;
}

/** Methods of one noun, by name. */
export type Methods = Readonly<Record<string, Method>>;

/** Keeps the type of the parameters between schema and work. */
export const method = <P>(definition: Method<P>): Method<P> => definition;

/** An error the client can tell apart by `details.code`. */
export const refuse = (message: string, details?: Record<string, unknown>): AppError => new AppError('invalid', message, details ? { details } : {});

/** Whether a list goes on, and where: no list ends in silence. */
export const more = (hasMore: boolean, nextOffset: number): { readonly hasMore: boolean; readonly nextOffset?: number } => (hasMore ? { hasMore, nextOffset } : { hasMore });

/** A session changed: tells those who watch the list. */
export function announceSession(call: MethodDeps, sessionKey: string, reason: 'message' | 'patch' | 'reset' | 'delete' | 'compact'): void {
  call.hub.publish('sessions.changed' satisfies EventName, { sessionKey, reason, ts: call.clock.now() }, { to: (connection) => connection.followsSessionList });
}

/** Characters of a key; with control characters or halves of characters it would break the files and logs that carry it. */
const MAX_KEY_LENGTH = 512;

/**
 * The canonical key of what a caller names; `agentId` beside a bare or main key picks the agent, beside another agent's key it is an error.
 * The agent a key names must exist: its id becomes a folder on disk.
 */
export function sessionKeyOf({ services }: Pick<MethodDeps, 'services'>, raw: string, agentId?: string): string {
  if (raw.length > MAX_KEY_LENGTH || /\p{Cc}/u.test(raw) || !raw.isWellFormed()) throw refuse(`a session key has at most ${MAX_KEY_LENGTH} characters and no control characters`);
  const key = canonicalKey(services, raw, agentId);
  const named = parseSessionKey(key);
  if (named) requireAgent(services, named.agentId);
  return key;
}

function canonicalKey(services: GatewayServices, raw: string, agentId: string | undefined): string {
  if (agentId === undefined) return services.sessions.canonicalKey(raw);
  requireAgent(services, agentId);
  const bare = raw.trim().toLowerCase();
  const key = services.sessions.canonicalKey(bare.startsWith('agent:') || bare === 'global' ? raw : `agent:${agentId}:${raw}`);
  if (key.startsWith('agent:') && !key.startsWith(`agent:${agentId.toLowerCase()}:`)) throw refuse(`agentId "${agentId}" does not match session key "${raw}"`);
  return key;
}

export function requireAgent(services: GatewayServices, agentId: string): void {
  if (!services.agents.list().some((agent) => agent.id === agentId.toLowerCase()))
    throw refuse(`unknown agent id "${agentId.slice(0, 64)}"; agents.list names them`, { code: 'UNKNOWN_AGENT_ID', agentId });
}
