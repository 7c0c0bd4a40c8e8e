/** The gateway's health in the last minutes, for the sparklines of the overview. Pure. */
import type { GatewayHealth } from './health.ts';

export interface Sample {
  readonly at: number;
  readonly rssBytes: number;
  readonly loopMs: number;
}

/** The maximum number of samples; each refresh of the overview adds one. */
const MAX = 360;
/** Minimum distance of two samples, in milliseconds. */
const APART = 2000;

export function withSample(
  samples: readonly Sample[],
  { rssBytes, eventLoop }: GatewayHealth,
  at: number,
): readonly Sample[] {
  const last = samples.at(-1);
  if (rssBytes === undefined || eventLoop?.p99Ms === undefined || (last && at - last.at < APART)) return samples;
  return [...samples, { at, rssBytes, loopMs: eventLoop.p99Ms }].slice(-MAX);
}
