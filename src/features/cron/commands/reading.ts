/** The time zone and the current time for reading and showing times of jobs. */
import { AppError } from '../../../core/errors.ts';
import type { Reading } from './text.ts';
import type { GatewayLink } from '../../../cli/gateway-link.ts';
import { present } from '../../../core/present.ts';

/** `problem`: what is wrong with the file of jobs. `off`: nothing runs by itself there. */
export async function readingAt(
  link: GatewayLink,
): Promise<Reading & { readonly problem?: string; readonly off: boolean }> {
  const { zone, problem, enabled } = await factsOf(link);
  return present({ now: Date.now(), zone: zone ?? hostZone(), off: enabled === false, problem });
}

interface Facts {
  readonly enabled?: boolean;
  readonly zone?: string;
  readonly problem?: string;
}

/** Another gateway may know of no zone; the terminal's own is shown then, by its name. */
async function factsOf(link: GatewayLink): Promise<Facts> {
  try {
    return await link.request<Facts>('cron.status', {});
  } catch (error) {
    if (error instanceof AppError) return {};
    throw error;
  }
}

const hostZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone;
