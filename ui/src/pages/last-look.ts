/** When a person last looked at the overview of a gateway, in this browser. */

const KEY = 'clawdbot.looked';
const DAY_MS = 24 * 60 * 60 * 1000;
/** Older news is history. */
const MAX_MS = 14 * DAY_MS;

/** Milliseconds since 1970; without a look a day ago. `now` bounds what a changed clock left behind. */
export function lastLook(gatewayUrl: string, now: number): number {
  const looked = Number(localStorage.getItem(`${KEY}:${gatewayUrl}`) ?? Number.NaN);
  return looked > 0 && looked <= now ? Math.max(looked, now - MAX_MS) : now - DAY_MS;
}

export const noteLook = (gatewayUrl: string, now: number): void =>
  localStorage.setItem(`${KEY}:${gatewayUrl}`, String(now));
