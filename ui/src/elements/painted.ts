/** Waits until the page is on screen, for what the first frame does not need. */

/** At once in the background: there a page is painted only when somebody looks. */
export async function painted(): Promise<void> {
  if (document.hidden) return;
  await new Promise<void>((resolve) => {
    new PerformanceObserver((paints) => {
      if (paints.getEntriesByName('first-contentful-paint').length > 0) resolve();
    }).observe({ type: 'paint', buffered: true });
  });
}
