/** The events of the gateway, and the scopes that may receive each. */
import type { Requirement } from '../core/principal.ts';

/** Event → what a connection must hold to receive it. Advertised in `hello-ok`. */
export const EVENTS = {
  'connect.challenge': 'any',
  tick: 'any',
  shutdown: 'any',
  chat: 'operator.read',
  'chat.delta': 'operator.read',
  agent: 'operator.read',
  presence: 'operator.read',
  'presence.changed': 'operator.read',
  health: 'operator.read',
  'logs.lines': 'operator.read',
  'session.message': 'operator.read',
  'sessions.changed': 'operator.read',
  'channels.changed': 'operator.read',
  'channel.pair.requested': 'operator.pairing',
  'channel.pair.resolved': 'operator.pairing',
} as const satisfies Record<string, Requirement>;

/** An event the gateway itself sends; features add their own. */
export type EventName = keyof typeof EVENTS;
