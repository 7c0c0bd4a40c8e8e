/** Renders a canvas: its surfaces, or the page it shows instead, and its connection state. */
import { html, nothing, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { styleMap } from 'lit/directives/style-map.js';
import { withEdits, type LiveCanvas } from '../surface/live-canvas.ts';
import { resolveSurface } from '../surface/resolve.ts';
import { safeColour, safeFont } from '../surface/safe-url.ts';
import { draw, isDrawn } from './draw.ts';
import type { Page } from './host-page.ts';
import type { DrawFault } from './sender.ts';

export interface Notice {
  readonly text: string;
  readonly bad: boolean;
}
export interface DrawnCanvas {
  readonly template: TemplateResult;
  /** What could not be drawn. */
  readonly faults: readonly DrawFault[];
}

export function drawCanvas(canvas: LiveCanvas, page: Page, notice: Notice | undefined): DrawnCanvas {
  const { visible, url } = canvas.view;
  const drawn = visible && url === undefined ? drawSurfaces(canvas, page) : { faults: [], surfaces: nothing };
  const body = !visible
    ? html`<p class="empty">The agent has hidden this canvas.</p>`
    : url === undefined
      ? drawn.surfaces
      : html`<iframe
          title="Page"
          src=${url}
          sandbox="allow-scripts allow-forms"
          referrerpolicy="no-referrer"
        ></iframe>`;
  const template = html`${body}
    ${canvas.connected ? nothing : html`<p class="state" role="status">Connecting…</p>`}
    ${notice ? html`<p class=${notice.bad ? 'notice bad' : 'notice'} role="status">${notice.text}</p>` : nothing}`;
  return { template, faults: drawn.faults };
}

function drawSurfaces(
  canvas: LiveCanvas,
  page: Page,
): { readonly surfaces: unknown; readonly faults: readonly DrawFault[] } {
  const shown = Object.values(canvas.surfaces)
    .map((one) => withEdits(canvas, one))
    .map((surface) => ({ surface, ...resolveSurface(surface, isDrawn) }));
  const faults = shown.flatMap(({ surface, faults: all }) => all.map((fault) => ({ surfaceId: surface.id, ...fault })));
  const visible = shown.filter(({ root }) => root !== undefined);
  if (visible.length === 0)
    return { faults, surfaces: canvas.connected ? html`<p class="empty">Nothing to show yet.</p>` : nothing };
  const surfaces = repeat(
    visible,
    ({ surface }) => surface.id,
    ({ surface, root }) => {
      const style = {
        ...colours(surface.styles['primaryColor']),
        'font-family': safeFont(surface.styles['font']),
      };
      return html`<section class="surface" data-surface=${surface.id} style=${styleMap(style)}>
        ${draw(root, { page, surface })}
      </section>`;
    },
  );
  return { faults, surfaces };
}

/** The colour of a surface, and what is readable on it. */
function colours(written: unknown): Readonly<Record<string, string>> {
  const primary = safeColour(written);
  if (primary === undefined) return {};
  const [red, green, blue] = [1, 3, 5].map((at) => Number.parseInt(primary.slice(at, at + 2), 16) / 255) as [
    number,
    number,
    number,
  ];
  const bright = 0.2126 * red ** 2.2 + 0.7152 * green ** 2.2 + 0.0722 * blue ** 2.2;
  return { '--primary': primary, '--on-primary': bright > 0.3 ? '#16171a' : '#ffffff' };
}
