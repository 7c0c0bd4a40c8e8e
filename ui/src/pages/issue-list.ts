/** Problems of the configuration, each with what to do about it. */
import { html, nothing, type TemplateResult } from 'lit';
import type { ConfigIssue } from '../gateway/wire.ts';
import { icon } from '../elements/icons.ts';

export const issueList = (issues: readonly ConfigIssue[]): TemplateResult =>
  html`<ul class="issues" aria-label="Problems">${issues.map(({ path, problem, message, fix }) => html`<li>${icon('warn')}<span>${path ? html`<code>${path}</code> ` : nothing}${problem ?? message}${fix ? html`<br /><small>${fix}</small>` : nothing}</span></li>`)}</ul>`;
