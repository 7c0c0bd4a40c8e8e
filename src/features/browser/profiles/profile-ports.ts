/** Validates names of profiles, and allocates ports and colors. Pure. */
import { PROFILE_NAME } from '../config.ts';

/** Offsets of the browser's ports from the port of the gateway. */
const CONTROL = 2;
const FIRST_CDP = 9;
const CDP_PORTS = 100;

/** Clearly distinguishable colors; the first is for the default profile. */
export const PROFILE_COLORS: readonly string[] = [
  '#FF4500',
  '#0066CC',
  '#00AA00',
  '#9933FF',
  '#FF6699',
  '#00CCCC',
  '#FF9900',
  '#6666FF',
  '#CC3366',
  '#339966',
];

export interface PortRange {
  readonly first: number;
  readonly last: number;
}

/** The DevTools ports of local profiles: a fixed range, or chosen by the system at each start. */
export type CdpPorts = PortRange | 'system';

const MAX_PORT = 65_535;

/**
 * The port of the control service: two above the gateway's own. 0 (chosen by the system) if the gateway's port was
 * chosen by the system too, because the ports next to that one may be in use.
 */
export const controlPortOf = (gatewayPort: number | undefined): number =>
  gatewayPort === undefined || gatewayPort + CONTROL > MAX_PORT ? 0 : gatewayPort + CONTROL;

/** DevTools ports of local profiles: 18800 to 18899 with the default port of the gateway; they move with it. */
export function cdpPortsOf(gatewayPort: number | undefined): CdpPorts {
  if (gatewayPort === undefined) return 'system';
  const first = gatewayPort + CONTROL + FIRST_CDP;
  const last = first + CDP_PORTS - 1;
  return last > MAX_PORT ? 'system' : { first, last };
}

export const isProfileName = (name: string): boolean => PROFILE_NAME.test(name);

/** The lowest free port; undefined: all are in use. */
export function freePort(used: ReadonlySet<number>, { first, last }: PortRange): number | undefined {
  for (let port = first; port <= last; port++) if (!used.has(port)) return port;
  return undefined;
}

/** The ports in DevTools addresses, including the defaults 80 and 443; invalid addresses have none. */
export function portsOf(urls: readonly string[]): ReadonlySet<number> {
  return new Set(urls.flatMap((text) => portOf(text) ?? []));
}

function portOf(text: string): number | undefined {
  const url = URL.parse(text);
  if (!url) return undefined;
  if (url.port !== '') return Number(url.port);
  return url.protocol === 'https:' || url.protocol === 'wss:' ? 443 : 80;
}

/** The first unused color; they repeat when all are used. */
export function freeColor(used: readonly string[]): string {
  const taken = new Set(used.map((one) => one.toUpperCase()));
  return PROFILE_COLORS.find((one) => !taken.has(one)) ?? PROFILE_COLORS[used.length % PROFILE_COLORS.length]!;
}
