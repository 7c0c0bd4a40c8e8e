/** Resolves the profiles from the configuration: port, address, color, and who started the browser. Pure. */
import { DEFAULT_PROFILE, type BrowserConfig, type ProfileConfig } from '../config.ts';
import { freeColor, freePort, portsOf, type CdpPorts } from './profile-ports.ts';

/** A resolved profile. */
export interface Profile {
  readonly name: string;
  /**
   * The port of its DevTools; for a remote profile the port of its address. 0: unknown until it runs, or none is left.
   */
  readonly cdpPort: number;
  /** The system chooses the DevTools port at each start. */
  readonly portBySystem: boolean;
  /** `http://127.0.0.1:18800`, without a trailing slash. */
  readonly cdpUrl: string;
  readonly color: string;
  /** It runs on another machine. */
  readonly isRemote: boolean;
  /** The gateway only attaches to it, and never starts or ends it. */
  readonly attachOnly: boolean;
  readonly isDefault: boolean;
  /** All its tabs are visible to every session. */
  readonly shared: boolean;
}

const LOOPBACK = new Set(['localhost', '127.0.0.1', '0.0.0.0', '[::1]', '[::]', '::1', '::']);

/** The default first, then by name. A profile whose port is used by another profile gets the next free one. */
export function resolveProfiles(config: BrowserConfig, range: CdpPorts): readonly Profile[] {
  const written = Object.entries(config.profiles);
  const all: readonly (readonly [string, ProfileConfig])[] = Object.hasOwn(config.profiles, DEFAULT_PROFILE)
    ? written
    : [[DEFAULT_PROFILE, { shared: false }], ...written];
  const used = new Set(portsOf(all.flatMap(([, { cdpUrl }]) => cdpUrl ?? [])));
  for (const [, { cdpPort }] of all) if (cdpPort !== undefined) used.add(cdpPort);
  const colors = all.flatMap(([, { color }]) => color ?? []);
  return all.map(([name, entry]) => {
    const url = entry.cdpUrl === undefined ? undefined : new URL(entry.cdpUrl);
    const cdpPort = url ? portOf(url) : (entry.cdpPort ?? take(used, range));
    const color = entry.color ?? (name === DEFAULT_PROFILE ? config.color : freeColor(colors));
    colors.push(color);
    const isRemote = url !== undefined && !LOOPBACK.has(url.hostname);
    return {
      name,
      cdpPort,
      portBySystem: url === undefined && entry.cdpPort === undefined && range === 'system',
      cdpUrl: url ? url.href.replace(/\/$/, '') : `http://127.0.0.1:${cdpPort}`,
      color,
      isRemote,
      attachOnly: isRemote || url !== undefined || (entry.attachOnly ?? config.attachOnly),
      isDefault: name === config.defaultProfile,
      shared: entry.shared,
    };
  });
}

const portOf = ({ port, protocol }: URL): number =>
  port !== '' ? Number(port) : protocol === 'https:' || protocol === 'wss:' ? 443 : 80;

/** 0 if the range is exhausted: such a profile fails to start with that error. */
function take(used: Set<number>, range: CdpPorts): number {
  if (range === 'system') return 0;
  const port = freePort(used, range) ?? 0;
  if (port > 0) used.add(port);
  return port;
}
