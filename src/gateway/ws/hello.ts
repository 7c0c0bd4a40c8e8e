/** Builds `hello-ok`, the first message to an admitted client. */
import { allow } from '../../core/principal.ts';
import type { HelloOk } from '../../protocol/answers/system.ts';
import type { WireLimits } from '../../protocol/limits.ts';
import type { GatewayAuth } from '../auth.ts';
import type { DeviceToken } from '../../host/devices.ts';
import { mainSession } from '../methods/catalog.ts';
import type { MethodTable } from '../methods/method.ts';
import type { GatewayServices } from '../services.ts';
import type { Peer } from './connection.ts';
import type { Health } from './health.ts';
import type { Presence } from './presence.ts';

export interface HelloDeps {
  readonly services: GatewayServices;
  readonly auth: GatewayAuth;
  readonly presence: Presence;
  readonly health: Health;
  readonly limits: WireLimits;
  readonly table: MethodTable;
  readonly events: readonly string[];
  readonly bootId: string;
  readonly now: number;
}

/** A client that may not read learns its own rights and the limits, nothing about this machine. */
export function helloOk(
  peer: Peer,
  deviceToken: DeviceToken | undefined,
  { services, auth, presence, health, limits, table, events, bootId, now }: HelloDeps,
): HelloOk {
  const mayRead = allow(peer.principal, 'operator.read');
  return {
    type: 'hello-ok',
    protocol: peer.protocol,
    server: { version: services.version, bootId, connId: peer.connId },
    features: { methods: table.names, events },
    snapshot: {
      presence: mayRead ? presence.list() : [],
      health: mayRead ? health.current() : {},
      stateVersion: { presence: presence.version(), health: health.version() },
      uptimeMs: Math.max(0, Math.round(now - services.status().startedAt)),
      ...(mayRead ? machine(services, auth) : {}),
    },
    auth: {
      role: peer.role,
      scopes: peer.scopes,
      ...(deviceToken
        ? { deviceToken: deviceToken.token, issuedAtMs: deviceToken.rotatedAt ?? deviceToken.createdAt }
        : {}),
    },
    policy: {
      maxPayload: limits.maxPayload,
      maxBufferedBytes: limits.maxBufferedBytes,
      tickIntervalMs: limits.tickIntervalMs,
      attachments: { maxBytes: limits.maxAttachmentBytes, maxImageBytes: limits.maxAttachmentBytes },
    },
  };
}

function machine(services: GatewayServices, auth: GatewayAuth): Partial<HelloOk['snapshot']> {
  return {
    configPath: services.config.snapshot().path,
    stateDir: services.stateDir,
    sessionDefaults: { defaultAgentId: services.agents.defaultId(), ...mainSession(services) },
    authMode: auth.mode,
  };
}
