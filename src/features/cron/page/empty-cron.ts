/** The page without a job: what one is, and two to begin with. */
import { html, type TemplateResult } from 'lit';
import { icon } from '../../../../ui/src/elements/icons.ts';
import type { Draft } from './job-draft.ts';

const EXAMPLES: readonly { readonly title: string; readonly draft: Partial<Draft> }[] = [
  {
    title: 'Daily summary',
    draft: {
      when: 'every weekday at 7:00',
      name: 'Daily summary',
      message:
        'Tell me in five lines what today brings: what is in my notes for today, and what is still open from ' +
        'yesterday.',
    },
  },
  {
    title: 'A reminder',
    draft: {
      when: 'in 20 minutes',
      name: 'Tea',
      message: 'Remind me that the tea is ready.',
      place: 'main',
      atOnce: true,
      deleteAfterRun: true,
    },
  },
];

export const emptyCron = ({
  start,
  mayChange,
}: {
  start(draft: Partial<Draft>): void;
  readonly mayChange: boolean;
}): TemplateResult => html`<section class="cron-empty"><span
  class="cron-mark">${icon('cron')}</span><h2>No jobs yet</h2>
  <p class="quiet">A job is a task the agent runs at a set time, once or repeatedly. Describe the time in your own words. You can also ask in a chat: “remind me tomorrow at nine to call Ana”.</p>
  ${
    mayChange
      ? html`<div class="suggestions">${EXAMPLES.map(
          ({ title, draft }) => html`<button class="suggestion"
    @click=${() => start(draft)}><b>${title}</b><span>${draft.when}: ${draft.message}</span></button>`,
        )}</div>`
      : ''
  }</section>`;
