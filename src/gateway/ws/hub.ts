/** Keeps all admitted connections, and sends events to those that may receive them. */
import { allow, type Requirement } from '../../core/principal.ts';
import type { PayloadOf } from '../../protocol/answers.ts';
import { EVENTS } from '../../protocol/events.ts';
import type { StateVersion } from '../../protocol/frames.ts';
import type { Connection } from './connection.ts';
import { eventFrame } from './event-frame.ts';

export interface PublishOptions {
  /** Fewer than may hear it; without it everybody with the event's scope does. */
  readonly to?: (connection: Connection) => boolean;
  /** A slow reader may miss it. */
  readonly droppable?: boolean;
  readonly stateVersion?: StateVersion;
}

export interface Hub {
  /** The names of all events. */
  readonly events: readonly string[];
  add(connection: Connection): void;
  remove(connection: Connection): void;
  connections(): readonly Connection[];
  /** Serialised at most once however many listen, and not made at all when nobody does. Answers the bytes it cost. */
  publish<E extends string>(event: E, payload: PayloadOf<E> | (() => PayloadOf<E>), options?: PublishOptions): number;
  closeAll(code: number, reason: string): void;
  /** Bytes all of them together have not taken yet. */
  unreadBytes(): number;
  /** Cuts those who have waited longest until no more than `most` bytes wait for all. */
  shed(max: number): readonly Connection[];
}

/** `further`: events of features, and what a connection must hold to hear each. */
export function createHub(further: Readonly<Record<string, Requirement>> = {}): Hub {
  const needs = new Map<string, Requirement>(Object.entries({ ...further, ...EVENTS }));
  const connections = new Set<Connection>();
  return {
    events: [...needs.keys()],
    add: (connection) => void connections.add(connection),
    remove: (connection) => void connections.delete(connection),
    connections: () => [...connections],
    publish(event, payload: unknown, { to, droppable = false, stateVersion } = {}) {
      let frame: string | undefined;
      let bytes = 0;
      const needed = needs.get(event);
      for (const connection of connections) {
        if (needed === undefined || !allow(connection.peer.principal, needed) || (to && !to(connection))) continue;
        frame ??= eventFrame(event, typeof payload === 'function' ? payload() : payload, stateVersion);
        connection.sendEvent(frame, { droppable });
        bytes += frame.length;
      }
      return bytes;
    },
    unreadBytes: () => [...connections].reduce((sum, { unread }) => sum + unread, 0),
    shed(max) {
      const cut: Connection[] = [];
      const slow = [...connections]
        .filter(({ waitsSince }) => waitsSince !== undefined)
        .sort((a, b) => b.waitsSince! - a.waitsSince!);
      for (let left = slow.reduce((sum, { unread }) => sum + unread, 0); left > max; left -= cut.at(-1)!.unread)
        cut.push(slow.pop()!);
      for (const connection of cut) connection.cut();
      return cut;
    },
    closeAll(code, reason) {
      for (const connection of connections) connection.close(code, reason);
    },
  };
}
