/** Renders a text with invisible characters as coloured escapes. */
import { html, type TemplateResult } from 'lit';
import { visibleRuns } from './visible-text.ts';

const RISKY = /[^\n\t\x20-\x7e]/;

/** Plain text is returned unchanged as one node, whatever its length. */
export function visible(text: string, options: { readonly foreign?: boolean } = {}): unknown {
  return RISKY.test(text)
    ? visibleRuns(text, options).map((run): TemplateResult | string =>
        run.kind ? html`<span class=${run.kind} title=${run.name ?? ''}>${run.text}</span>` : run.text,
      )
    : text;
}
