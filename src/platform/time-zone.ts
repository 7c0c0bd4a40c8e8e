/** Gets this machine's time zone, and checks names of time zones. */
import { readlinkSync } from 'node:fs';
import { zoneVariable } from './env.ts';

/**
 * Answers the IANA name of this machine's zone. Asked for once, and not before it is needed: the first question loads
 * some megabytes.
 */
export function createMachineZone(): () => string {
  const known: { zone?: string } = {};
  return () => (known.zone ??= Intl.DateTimeFormat().resolvedOptions().timeZone);
}

/** Where the system says which zone it is in: a link to the zone's file. */
const SYSTEM_ZONE = '/etc/localtime';
const PLACE =
  /(?:^|\/)((?:Africa|America|Antarctica|Arctic|Asia|Atlantic|Australia|Europe|Indian|Pacific)\/[A-Za-z0-9_+\-/]+)$/;
const UNIVERSAL = /(?:^|\/)(?:Etc\/)?(?:UTC|UCT|Universal|Zulu)$/;

/**
 * The same for texts: read where the runtime reads it, without its 8 MiB of calendars and zones, which a plain turn
 * needs for nothing else. A zone that is written in another way than most is asked from the runtime all the same.
 */
export function createZoneName({ variable = zoneVariable(), link = linkOf }: ZoneSources = {}): () => string {
  const machineZone = createMachineZone();
  const known: { zone?: string } = {};
  return () => (known.zone ??= named(variable || link(SYSTEM_ZONE)) ?? machineZone());
}

/** What says in which zone a machine is. */
export interface ZoneSources {
  /** `TZ` of the environment; it wins. */
  readonly variable?: string | undefined;
  /** Where a link leads; undefined: it is none. */
  readonly link?: (path: string) => string | undefined;
}

const named = (written: string | undefined): string | undefined =>
  written === undefined ? undefined : UNIVERSAL.test(written) ? 'UTC' : PLACE.exec(written)?.[1];

function linkOf(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch (error) {
    if (NO_LINK.has((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw error;
  }
}

/** A file in the link's place, as in many containers; none, as on Windows; one this user may not see. */
const NO_LINK = new Set(['EINVAL', 'ENOENT', 'ENOTDIR', 'EACCES', 'UNKNOWN']);

/** Takes 0.1 ms. */
export function isZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}
