/**
 * Finds the target of an automatic redirect (`<meta http-equiv="refresh">`). Source: WHATWG HTML, "shared declarative
 * refresh steps".
 */
import type { Page } from './open-page.ts';

/** Pages that reload after longer are dashboards and tickers, and are read as they are. */
const MAX_SECONDS = 10;
const WRITTEN = /^\s*(\d{1,4})(?:\.\d*)?\s*[;,\s]\s*(?:url\s*=\s*)?["']?([^"']+)["']?\s*$/i;

/** Undefined for a page that stays, or comes back to itself. */
export function metaRefreshTarget({ document, base }: Page, url: string | undefined): string | undefined {
  for (const meta of document.querySelectorAll('meta[http-equiv][content]')) {
    if (meta.getAttribute('http-equiv')!.toLowerCase() !== 'refresh' || meta.closest('noscript') !== null) continue;
    const [, seconds, written] = WRITTEN.exec(meta.getAttribute('content')!) ?? [];
    const target = written === undefined || Number(seconds) > MAX_SECONDS ? null : URL.parse(written.trim(), base);
    if (target && /^https?:$/.test(target.protocol) && withoutHash(target.href) !== withoutHash(url ?? ''))
      return target.href;
  }
  return undefined;
}

const withoutHash = (url: string): string => url.replace(/#.*$/, '');
