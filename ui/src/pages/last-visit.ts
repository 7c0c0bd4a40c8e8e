/** When a person last was on the overview of a gateway, in this browser. */

const KEY = 'clawdbot.visited';
const DAY_MS = 24 * 60 * 60 * 1000;
/** Older news is not shown. */
const MAX_MS = 14 * DAY_MS;

/** Milliseconds since 1970; without a visit, one day ago. `now` limits the value in case the clock was changed. */
export function lastVisit(gatewayUrl: string, now: number): number {
  const visited = Number(localStorage.getItem(`${KEY}:${gatewayUrl}`) ?? Number.NaN);
  return visited > 0 && visited <= now ? Math.max(visited, now - MAX_MS) : now - DAY_MS;
}

export const noteVisit = (gatewayUrl: string, now: number): void =>
  localStorage.setItem(`${KEY}:${gatewayUrl}`, String(now));
