/** Draws a dot on the tab's icon while something waits, and puts the count in the title. */

const MARKED = `data:image/svg+xml,${encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#c2492f"/><circle cx="16" cy="16" r="8" fill="#fff"/><path d="M16 11.5v5.5M16 20v.01" stroke="#c2492f" stroke-width="2.6" stroke-linecap="round"/></svg>')}`;

export function markTab(waiting: number): void {
  const link = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
  if (!link) return;
  link.dataset['plain'] ??= link.getAttribute('href') ?? '';
  const wanted = waiting > 0 ? MARKED : link.dataset['plain'];
  if (link.getAttribute('href') !== wanted) link.setAttribute('href', wanted);
}
