/** A connection as features use it. */
import type { ClientLink } from '../../host/clients.ts';
import { eventFrame } from './event-frame.ts';

type Facts = 'connId' | 'role' | 'client' | 'deviceId' | 'ip' | 'local' | 'protocol' | 'connectedAt' | 'offers';

/** What of a connection it stands on. */
interface Linked extends Pick<ClientLink, 'unread' | 'caughtUp' | 'close' | 'closing'> {
  readonly peer: Pick<ClientLink, Facts>;
  sendEvent(frame: string, options: { readonly droppable: boolean }): void;
}

export function linkOf(connection: Linked): ClientLink {
  const { connId, role, client, deviceId, ip, local, protocol, connectedAt, offers } = connection.peer;
  return {
    connId,
    role,
    client,
    deviceId,
    ip,
    local,
    protocol,
    connectedAt,
    offers,
    send: (event, payload) => connection.sendEvent(eventFrame(event, payload), { droppable: false }),
    caughtUp: () => connection.caughtUp(),
    close: (code, reason) => connection.close(code, reason),
    get unread() {
      return connection.unread;
    },
    get closing() {
      return connection.closing;
    },
  };
}
