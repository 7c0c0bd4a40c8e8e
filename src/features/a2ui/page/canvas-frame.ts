/** Shows a canvas in a sandboxed frame of the Control UI, with the theme of the page and the height of its content. */
import { html, type TemplateResult } from 'lit';
import { keyed } from 'lit/directives/keyed.js';
import type { App } from '../../../../ui/src/app.ts';

const HEIGHT = { min: 90, max: 460 };

/** The address in a browser, and whether this page may frame it. */
export function canvasAddress(
  app: Pick<App, 'gatewayUrl'>,
  path: string,
): { readonly href: string; readonly own: boolean } {
  const url = new URL(path, app.gatewayUrl.replace(/^ws/, 'http'));
  return { href: url.href, own: url.origin === location.origin };
}

/** `grows`: as high as its content, within bounds; else it fills what is around it. */
export function canvasFrame(app: Pick<App, 'gatewayUrl'>, path: string, grows: boolean): TemplateResult {
  const { href, own } = canvasAddress(app, path);
  if (!own)
    return html`<p class="small quiet">
      This canvas is on another gateway: <a href=${href} target="_blank" rel="noopener noreferrer">open it</a>.
    </p>`;
  const src = `${href}#${isDark() ? 'dark' : 'light'}`;
  return html`${keyed(
    src,
    html`<iframe
      class="canvas-frame"
      title="Canvas"
      src=${src}
      sandbox="allow-scripts allow-forms"
      @load=${grows ? (event: Event) => followHeight(event.target as HTMLIFrameElement) : undefined}
    ></iframe>`,
  )}`;
}

function isDark(): boolean {
  const chosen = document.documentElement.dataset['theme'];
  return chosen === undefined ? matchMedia('(prefers-color-scheme: dark)').matches : chosen === 'dark';
}

/** The page inside has no origin: it is known by its window. */
function followHeight(frame: HTMLIFrameElement): void {
  const listen = ({ source, data }: MessageEvent): void => {
    if (!frame.isConnected) return removeEventListener('message', listen);
    const { canvasHeight } = (data ?? {}) as { readonly canvasHeight?: unknown };
    if (source !== frame.contentWindow || typeof canvasHeight !== 'number') return;
    frame.style.height = `${Math.min(HEIGHT.max, Math.max(HEIGHT.min, Math.ceil(canvasHeight)))}px`;
  };
  addEventListener('message', listen);
}
