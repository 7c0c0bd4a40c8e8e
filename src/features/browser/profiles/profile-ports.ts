/** Validates names of profiles, and allocates ports and colors. Pure. */
import { PROFILE_NAME } from '../config.ts';

/** Ports of the gateway's browser side, counted from the gateway's own. */
const CONTROL = 2;
const FIRST_CDP = 9;
const CDP_PORTS = 100;

/** Told apart at a glance; the first is the default profile's. */
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

/** Where DevTools of local profiles listen: in a range, or where the system has room at each start. */
export type CdpPorts = PortRange | 'system';

const MAX_PORT = 65_535;

/**
 * The port of the control service: two above the gateway's own. 0, a port of the system, where the gateway's was the
 * system's choice too: what is next to such a port belongs to anybody.
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

/** The lowest port nobody has; undefined: all are taken. */
export function freePort(used: ReadonlySet<number>, { first, last }: PortRange): number | undefined {
  for (let port = first; port <= last; port++) if (!used.has(port)) return port;
  return undefined;
}

/** Ports that DevTools addresses name, 80 and 443 included; what is no address names none. */
export function portsOf(urls: readonly string[]): ReadonlySet<number> {
  return new Set(urls.flatMap((text) => portOf(text) ?? []));
}

function portOf(text: string): number | undefined {
  const url = URL.parse(text);
  if (!url) return undefined;
  if (url.port !== '') return Number(url.port);
  return url.protocol === 'https:' || url.protocol === 'wss:' ? 443 : 80;
}

/** The first colour nobody has; when all are used they come round again. */
export function freeColor(used: readonly string[]): string {
  const taken = new Set(used.map((one) => one.toUpperCase()));
  return PROFILE_COLORS.find((one) => !taken.has(one)) ?? PROFILE_COLORS[used.length % PROFILE_COLORS.length]!;
}
