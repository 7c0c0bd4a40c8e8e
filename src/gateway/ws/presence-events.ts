/**
 * Sends presence changes to clients: grouped in time, as differences to clients that support them, and within a
 * bandwidth limit.
 */
import type { Clock, Timer } from '../../platform/clock.ts';
import { CAP_PRESENCE_CHANGES } from '../../protocol/client-info.ts';
import type { StateVersion } from '../../protocol/frames.ts';
import type { PresenceChangedEvent } from '../../protocol/answers/presence.ts';
import type { Connection } from './connection.ts';
import type { Hub } from './hub.ts';
import type { Presence } from './presence.ts';

export interface PresenceEventsDeps {
  readonly hub: Hub;
  readonly clock: Clock;
  readonly presence: Presence;
  stateVersion(): StateVersion;
}

export interface PresenceEvents extends Disposable {
  /** The entry of that id is another, or gone. */
  note(id: string): void;
}

/** Milliseconds in which changes gather: a page that reloads goes and comes. */
const GATHER_MS = 100;
/** At least this long between two events of a kind, milliseconds. */
const INTERVAL_MS = 1000;
/** To all clients together, in the long run. */
const BYTES_PER_MS = 1000;
/** More are no news any more: who wants to know asks. */
const MAX_SHOWN = 32;

export function createPresenceEvents({ hub, clock, presence, stateVersion }: PresenceEventsDeps): PresenceEvents {
  const takesChanges = ({ peer }: Connection): boolean => peer.caps.includes(CAP_PRESENCE_CHANGES);
  const changed = new Set<string>();
  /** The version up to which differences were sent, whether or not anybody received them. */
  let reportedVersion = 0;

  const differences = paced(clock, () => {
    const event = { ...difference([...changed], presence), since: reportedVersion };
    reportedVersion = presence.version();
    changed.clear();
    return hub.publish('presence.changed', event, { to: takesChanges, droppable: true, stateVersion: stateVersion() });
  });
  const whole = paced(clock, () =>
    hub.publish('presence', () => ({ presence: presence.list() }), {
      to: (connection) => !takesChanges(connection),
      droppable: true,
      stateVersion: stateVersion(),
    }),
  );

  return {
    note(id) {
      changed.add(id);
      differences.soon();
      whole.soon();
    },
    [Symbol.dispose]() {
      differences.stop();
      whole.stop();
    },
  };
}

function difference(ids: readonly string[], presence: Presence): PresenceChangedEvent {
  if (ids.length > MAX_SHOWN) return { changed: [], gone: [], stale: true };
  const entries = ids.map((id) => [id, presence.get(id)] as const);
  return {
    changed: entries.flatMap(([, entry]) => entry ?? []),
    gone: entries.flatMap(([id, entry]) => (entry ? [] : id)),
  };
}

/** `tell` answers the bytes it cost: the more, the longer until the next. */
function paced(clock: Clock, publish: () => number): { soon(): void; stop(): void } {
  let timer: Timer | undefined;
  let notBefore = -Infinity;

  function now(): void {
    timer = undefined;
    const bytes = publish();
    notBefore = clock.monotonic() + Math.max(INTERVAL_MS, bytes / BYTES_PER_MS);
  }

  return {
    soon: () => void (timer ??= clock.setTimeout(now, Math.max(GATHER_MS, notBefore - clock.monotonic())).unref()),
    stop: () => timer?.cancel(),
  };
}
