/** Page lifecycle events, and facts about the browser and the device. */

export interface PageEvents {
  hidden(): void;
  shown(): void;
  left(): void;
}

/** Phones suspend and resume pages without a reliable event, so all of these events are used. */
export function followPage({ hidden, shown, left }: PageEvents): void {
  document.addEventListener('visibilitychange', () => (isHidden() ? hidden() : shown()));
  document.addEventListener('resume', shown);
  addEventListener('pageshow', ({ persisted }) => persisted && shown());
  addEventListener('online', shown);
  addEventListener('pagehide', left);
}

/** The page is in the background. */
export const isHidden = (): boolean => document.visibilityState === 'hidden';

/** `iphone`, `android`, … */
export const deviceFamily = (): string =>
  (/iPhone|iPad|Android/i.exec(navigator.userAgent)?.[0] ?? 'computer').toLowerCase();

const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/Edg\//, 'Edge'],
  [/Firefox\//, 'Firefox'],
  [/Chrom(?:e|ium)\//, 'Chrome'],
  [/Safari\//, 'Safari'],
];

/** `Chrome on Android`. */
export function usualName(): string {
  const agent = navigator.userAgent;
  const browser = BROWSERS.find(([pattern]) => pattern.test(agent))?.[1] ?? 'Browser';
  const place = /iPhone|iPad|Android|Windows|Macintosh|CrOS|Linux/.exec(agent)?.[0];
  return place === undefined ? browser : `${browser} on ${place === 'Macintosh' ? 'Mac' : place}`;
}
