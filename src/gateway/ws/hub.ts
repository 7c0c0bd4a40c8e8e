/** All admitted connections, and the one way an event reaches those that may hear it. */
import { allow } from '../../core/principal.ts';
import { EVENTS, type EventName } from '../../protocol/events.ts';
import type { StateVersion } from '../../protocol/frames.ts';
import type { Connection } from './connection.ts';

export interface PublishOptions {
  /** Fewer than may hear it; without it everybody with the event's scope does. */
  readonly to?: (connection: Connection) => boolean;
  /** A slow reader may miss it. */
  readonly droppable?: boolean;
  readonly stateVersion?: StateVersion;
}

export interface Hub {
  add(connection: Connection): void;
  remove(connection: Connection): void;
  connections(): readonly Connection[];
  /** Serialised at most once however many listen, and not at all when nobody does. */
  publish(event: EventName, payload: unknown, options?: PublishOptions): void;
  closeAll(code: number, reason: string): void;
}

export function createHub(): Hub {
  const connections = new Set<Connection>();
  return {
    add: (connection) => void connections.add(connection),
    remove: (connection) => void connections.delete(connection),
    connections: () => [...connections],
    publish(event, payload, { to, droppable = false, stateVersion } = {}) {
      let frame: string | undefined;
      for (const connection of connections) {
        if (!allow(connection.peer.principal, EVENTS[event]) || (to && !to(connection))) continue;
        frame ??= eventFrame(event, payload, stateVersion);
        connection.sendEvent(frame, { droppable });
      }
    },
    closeAll(code, reason) {
      for (const connection of connections) connection.close(code, reason);
    },
  };
}

/** Everything but the sequence number and the last brace, which differ per connection. */
const eventFrame = (event: EventName, payload: unknown, stateVersion: StateVersion | undefined): string =>
  `{"type":"event","event":"${event}","payload":${JSON.stringify(payload)}${stateVersion ? `,"stateVersion":${JSON.stringify(stateVersion)}` : ''}`;
