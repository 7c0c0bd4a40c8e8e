/** Renders changes to files in colour. */
import { html, nothing, type TemplateResult } from 'lit';
import { diffLines, type DiffLine } from './diff-lines.ts';
import { visible } from './visible-view.ts';

/** A longer diff is cut. */
const LONGEST = 600;
const SIGNS: Readonly<Record<DiffLine['kind'], string>> = { same: ' ', added: '+', removed: '−', hunk: '⋯' };

export function diffView(
  diffs: readonly { readonly path?: string; readonly diff: string }[],
): readonly TemplateResult[] {
  return diffs.map(({ path, diff }) => {
    const lines = diffLines(diff);
    return html`<figure class="diff">${path ? html`<figcaption>${visible(path)}</figcaption>` : nothing}
      <div class="diff-lines" tabindex="0" role="group" aria-label="Changes${
        path ? ` in ${path}` : ''
      }">${lines.slice(0, LONGEST).map(row)}
        ${
          lines.length > LONGEST ? html`<p class="diff-rest">… ${lines.length - LONGEST} more lines</p>` : nothing
        }</div></figure>`;
  });
}

const row = ({ kind, text, line }: DiffLine): TemplateResult =>
  html`<div class="diff-line ${kind}"><span class="diff-at" aria-hidden="true">${line ?? ''}</span><span
    class="diff-sign">${SIGNS[kind]}</span><span class="diff-text">${visible(text)}</span></div>`;
