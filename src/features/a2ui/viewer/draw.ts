/** Renders a component of a surface; values become text and attributes, never markup. */
import { html, nothing, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { styleMap } from 'lit/directives/style-map.js';
import type { ShownNode } from '../surface/resolve.ts';
import { textLines, wordsOf, type TextPart } from '../surface/text-parts.ts';
import { localKey, type Drawing } from './host-page.ts';
import { iconOf } from './icons.ts';
import { drawInput, INPUTS } from './inputs.ts';
import { drawMedia } from './media.ts';

type Drawn = TemplateResult | typeof nothing;
type Draw = (node: ShownNode, drawing: Drawing) => Drawn;

/** Any component; those that are not known are placeholders. */
export function draw(node: ShownNode | undefined, drawing: Drawing): Drawn {
  if (!node) return nothing;
  const how = Object.hasOwn(COMPONENTS, node.type) ? COMPONENTS[node.type]! : placeholder;
  const grow =
    typeof node.weight === 'number' && node.weight > 0 ? { 'flex-grow': String(node.weight), 'flex-basis': '0' } : {};
  return html`<div class="c c-${node.type}" style=${styleMap(grow)} data-id=${node.id}>${how(node, drawing)}</div>`;
}

const placeholder: Draw = (node) =>
  html`<p class="placeholder" role="note">
    ${iconOf('warning')}<span>${wordsOf(node.props['fault']) || 'This cannot be shown.'}</span>
  </p>`;

const HEADINGS = ['h1', 'h2', 'h3', 'h4', 'h5'] as const;

function text(node: ShownNode): Drawn {
  const hint = wordsOf(node.props['usageHint']);
  const level = HEADINGS.findIndex((name) => name === hint) + 1;
  const lines = textLines(wordsOf(node.props['text']));
  const shown = lines.map(
    ({ bullet, parts }) => html`<span class=${bullet ? 'line bullet' : 'line'}>${parts.map(part)}</span>`,
  );
  return level > 0
    ? html`<div class="text ${hint}" role="heading" aria-level=${level}>${shown}</div>`
    : html`<div class="text ${hint === 'caption' ? 'caption' : 'body'}">${shown}</div>`;
}

function part({ style, text: words }: TextPart): unknown {
  if (style === 'bold') return html`<strong>${words}</strong>`;
  if (style === 'italic') return html`<em>${words}</em>`;
  if (style === 'code') return html`<code>${words}</code>`;
  return words;
}

const children = (node: ShownNode, drawing: Drawing): unknown =>
  repeat(
    node.children,
    ({ key }) => key,
    (child) => draw(child, drawing),
  );

const JUSTIFY: Readonly<Record<string, string>> = {
  start: 'flex-start',
  center: 'center',
  end: 'flex-end',
  spaceBetween: 'space-between',
  spaceAround: 'space-around',
  spaceEvenly: 'space-evenly',
};
const ALIGN: Readonly<Record<string, string>> = {
  start: 'flex-start',
  center: 'center',
  end: 'flex-end',
  stretch: 'stretch',
};
const own = (table: Readonly<Record<string, string>>, name: unknown): string | undefined =>
  typeof name === 'string' && Object.hasOwn(table, name) ? table[name] : undefined;

const line =
  (className: string): Draw =>
  (node, drawing) => {
    const style = {
      'justify-content': own(JUSTIFY, node.props['distribution']),
      'align-items': own(ALIGN, node.props['alignment']),
    };
    return html`<div class=${className} style=${styleMap(style)}>${children(node, drawing)}</div>`;
  };

function list(node: ShownNode, drawing: Drawing): Drawn {
  const across = node.props['direction'] === 'horizontal';
  const style = { 'align-items': own(ALIGN, node.props['alignment']) };
  return html`<div class=${across ? 'list across' : 'list'} role="list" style=${styleMap(style)}>
    ${repeat(
      node.children,
      ({ key }) => key,
      (child) => html`<div role="listitem">${draw(child, drawing)}</div>`,
    )}
  </div>`;
}

function tabs(node: ShownNode, drawing: Drawing): Drawn {
  const items = Array.isArray(node.props['tabItems']) ? (node.props['tabItems'] as { readonly title?: unknown }[]) : [];
  const key = localKey(drawing, node, 'tab');
  const at = Math.min(Number(drawing.page.local(key) ?? 0), Math.max(0, items.length - 1));
  const choose = (index: number) => () => drawing.page.setLocal(key, index);
  return html`<div class="tab-titles" role="tablist">
      ${items.map(
        ({ title }, index) =>
          html`<button type="button" role="tab" aria-selected=${index === at} @click=${choose(index)}>
            ${wordsOf(title)}
          </button>`,
      )}
    </div>
    <div class="tab" role="tabpanel">${draw(node.slots[String(at)], drawing)}</div>`;
}

const onEscape =
  (close: () => void) =>
  (event: KeyboardEvent): void => {
    if (event.key === 'Escape') close();
  };

function modal(node: ShownNode, drawing: Drawing): Drawn {
  const key = localKey(drawing, node, 'open');
  const open = drawing.page.local(key) === true;
  const set = (value: boolean) => () => drawing.page.setLocal(key, value);
  return html`<div class="entry" @click=${set(true)}>${draw(node.slots['entryPointChild'], drawing)}</div>
    ${
      open
        ? html`<div class="shade" @click=${set(false)}></div>
          <div class="dialog" role="dialog" aria-modal="true" tabindex="-1" @keydown=${onEscape(set(false))}>
            <button type="button" class="close" aria-label="Close" @click=${set(false)}>${iconOf('close')}</button>
            ${draw(node.slots['contentChild'], drawing)}
          </div>`
        : nothing
    }`;
}

function button(node: ShownNode, drawing: Drawing): Drawn {
  const { page, surface } = drawing;
  const sending = page.isSending(surface, node);
  return html`<button
    type="button"
    class=${node.props['primary'] === true ? 'button primary' : 'button'}
    aria-busy=${sending}
    ?disabled=${sending}
    @click=${() => page.act(surface, node)}
  >
    ${draw(node.slots['child'], drawing)}
  </button>`;
}

const COMPONENTS: Readonly<Record<string, Draw>> = {
  Text: text,
  Icon: (node) =>
    iconOf(wordsOf(node.props['name'])) ?? html`<span class="no-icon" title=${wordsOf(node.props['name'])}></span>`,
  Row: line('row'),
  Column: line('column'),
  List: list,
  Card: (node, drawing) => html`<div class="card">${draw(node.slots['child'], drawing)}</div>`,
  Tabs: tabs,
  Divider: (node) =>
    html`<div role="separator" class=${node.props['axis'] === 'vertical' ? 'divider upright' : 'divider'}></div>`,
  Modal: modal,
  Button: button,
  Image: drawMedia,
  Video: drawMedia,
  AudioPlayer: drawMedia,
  ...Object.fromEntries(INPUTS.map((name) => [name, drawInput])),
};

/** Names of the components that are drawn. */
export const isDrawn = (type: string): boolean => Object.hasOwn(COMPONENTS, type);
