/** `<claw-tool>`: one tool call with its arguments, state and output. */
import { html, nothing } from 'lit';
import { icon } from '../elements/icons.ts';
import { LightElement } from '../elements/light-element.ts';
import { duration } from '../elements/times.ts';
import type { ToolPart } from './items.ts';

const STATES = { running: 'running', ok: 'done', error: 'failed' } as const;
const LONGEST = 20_000;

export class ToolCard extends LightElement {
  static override properties = { call: { attribute: false } };
  declare call: ToolPart;

  override render(): unknown {
    const part = this.call;
    const state = STATES[part.state];
    return html`<details class="tool ${part.state}">
      <summary>
        <span class="tool-icon">${icon('tool')}</span>
        <span class="tool-name">${part.name}</span>
        <span class="tool-args">${headline(part.args)}</span>
        <span class="tool-state">${part.state === 'running' ? html`<span class="spinner" aria-hidden="true"></span>` : part.ms === undefined || part.ms < 1 ? nothing : duration(part.ms)}<span class=${part.state === 'error' ? 'tool-failed' : 'offscreen'}>${state}</span></span>
        <span class="twist">${icon('chevron')}</span>
      </summary>
      <div class="tool-body">
        ${part.args === undefined ? nothing : html`<h4>Arguments</h4><pre tabindex="0">${pretty(part.args)}</pre>`}
        <h4>${part.state === 'running' ? 'Output so far' : 'Output'}</h4>
        <pre tabindex="0">${clipped(part.output) || (part.state === 'running' ? 'nothing yet' : 'none')}</pre>
        ${part.images.map((image) => html`<img class="tool-image" src=${image.src} alt="Image from ${part.name}" />`)}
      </div>
    </details>`;
  }
}

/** The most telling argument on one line. */
function headline(args: unknown): string {
  if (typeof args === 'string') return args;
  if (typeof args !== 'object' || args === null) return '';
  const record = args as Record<string, unknown>;
  const telling = ['path', 'command', 'url', 'query', 'file', 'text', 'message'].map((name) => record[name]).find((value) => typeof value === 'string') ?? Object.values(record).find((value) => typeof value === 'string' || typeof value === 'number');
  return telling === undefined ? '' : String(telling).split('\n')[0]!;
}

const pretty = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value, null, 2));
const clipped = (text: string): string => (text.length > LONGEST ? `${text.slice(0, LONGEST)}\n… ${text.length - LONGEST} more characters` : text);

customElements.define('claw-tool', ToolCard);
