/** Lists problems of the configuration, each with what to do. */
import { html, nothing, type TemplateResult } from 'lit';
import type { ConfigIssue } from '../gateway/wire.ts';
import { icon } from '../elements/icons.ts';

type Shown = Pick<ConfigIssue, 'path' | 'problem' | 'fix'>;

export const issueList = (issues: readonly Shown[]): TemplateResult =>
  html`<ul class="issues" aria-label="Problems">${issues.map(
    ({ path, problem, fix }) =>
      html`<li>${icon('warn')}<span>${path ? html`<code>${path}</code> ` : nothing}${problem}${
        fix
          ? html`<br
    /><small>${fix}</small>`
          : nothing
      }</span></li>`,
  )}</ul>`;
