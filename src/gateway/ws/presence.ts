/** Tracks presence: the gateway, its clients, and reporters through `system-event`. */
import type { Clock } from '../../platform/clock.ts';
import type { PresenceEntry } from '../../protocol/answers/presence.ts';
import { presenceId } from '../../protocol/presence.ts';
import type { Peer } from './connection.ts';

const TTL_MS = 5 * 60_000;
const MAX_ENTRIES = 200;

export interface Presence {
  /** The gateway itself, then the newest of the others, the newest last. */
  list(): readonly PresenceEntry[];
  get(id: string): PresenceEntry | undefined;
  version(): number;
  connected(peer: Peer): void;
  disconnected(peer: Peer): void;
  /**
   * A report; it is told apart by its device, instance or host. Fields that are empty are left out. Answers whether
   * anything but the time changed.
   */
  report(facts: Omit<PresenceEntry, 'ts'>): boolean;
  /** The listener runs after every change of what `list` shows, times aside, with the id of the entry. */
  onChange(listener: (id: string) => void): void;
}

/** Empty but for the gateway itself. */
export function createPresence({ clock, self }: { clock: Clock; self: Omit<PresenceEntry, 'ts'> }): Presence {
  const entries = new Map<string, PresenceEntry>();
  /** Open connections by key: their entries do not age. */
  const open = new Map<string, number>();
  const listeners: ((id: string) => void)[] = [];
  const changed = (id: string): void => listeners.forEach((listener) => listener(id));
  let version = 0;

  function put(key: string, entry: PresenceEntry): void {
    entries.delete(key);
    entries.set(key, entry);
    trim();
    version += 1;
    changed(key);
  }

  function drop(key: string): void {
    entries.delete(key);
    changed(key);
  }

  /** An open connection's entry is as new as now. */
  const shown = (key: string, entry: PresenceEntry): PresenceEntry =>
    open.has(key) ? { ...entry, ts: clock.now() } : entry;

  function trim(): void {
    for (const [key, entry] of entries)
      if (!open.has(key) && (clock.now() - entry.ts > TTL_MS || entries.size > MAX_ENTRIES)) drop(key);
  }

  return {
    list() {
      trim();
      return [
        { ...self, ts: clock.now() },
        ...[...entries].slice(-MAX_ENTRIES).map(([key, entry]) => shown(key, entry)),
      ];
    },
    get(id) {
      const entry = entries.get(id);
      return entry && shown(id, entry);
    },
    version: () => version,
    onChange: (listener) => void listeners.push(listener),
    connected(peer) {
      if (!isShown(peer)) return;
      open.set(keyOf(peer), (open.get(keyOf(peer)) ?? 0) + 1);
      put(keyOf(peer), { ...factsOf(peer), reason: 'connect', ts: clock.now(), onlineSince: peer.connectedAt });
    },
    disconnected(peer) {
      if (!isShown(peer)) return;
      const key = keyOf(peer);
      const left = (open.get(key) ?? 1) - 1;
      if (left > 0) return void open.set(key, left);
      open.delete(key);
      put(key, { ...factsOf(peer), reason: 'disconnect', ts: clock.now() });
    },
    report(facts) {
      const key = presenceId(facts);
      const before = entries.get(key);
      const next = { ...before, ...present(facts), ts: clock.now() };
      if (before && JSON.stringify({ ...before, ts: 0 }) === JSON.stringify({ ...next, ts: 0 })) {
        entries.set(key, next);
        return false;
      }
      put(key, next);
      return true;
    },
  };
}

/** Command-line calls come and go too quickly to be somebody who is around. */
const isShown = (peer: Peer): boolean => peer.client.mode !== 'cli' && peer.client.mode !== 'probe';

const keyOf = (peer: Peer): string => presenceId({ ...factsOf(peer) });

/** An entry without device and instance is identified by its connection. */
const factsOf = ({ client, ip, deviceId, role, scopes, connId }: Peer): Omit<PresenceEntry, 'ts'> =>
  present({
    host: client.displayName ?? client.id,
    ip,
    version: client.version,
    platform: client.platform,
    deviceFamily: client.deviceFamily,
    modelIdentifier: client.modelIdentifier,
    timeZone: client.timeZone,
    mode: client.mode,
    deviceId,
    instanceId: client.instanceId ?? (deviceId === undefined ? connId : undefined),
    roles: [role],
    scopes,
  });

const isFilled = (value: unknown): boolean =>
  value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0);

function present(
  facts: { readonly [K in keyof PresenceEntry]?: PresenceEntry[K] | undefined },
): Omit<PresenceEntry, 'ts'> {
  return Object.fromEntries(Object.entries(facts).filter(([, value]) => isFilled(value)));
}
