/** The page without a job: what one is, and two to begin with. */
import { html, type TemplateResult } from 'lit';
import { icon } from '../elements/icons.ts';
import type { Draft } from './job-draft.ts';

const EXAMPLES: readonly { readonly title: string; readonly draft: Partial<Draft> }[] = [
  {
    title: 'A look at the day',
    draft: {
      when: 'every weekday at 7:00',
      name: 'A look at the day',
      message:
        'Tell me in five lines what today brings: what is in my notes for today, and what is still open from yesterday.',
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
}): TemplateResult => html`<section class="cron-empty"><span class="cron-mark">${icon('cron')}</span><h2>Nothing is scheduled yet</h2>
  <p class="quiet">A job is something the agent does at a time: once, or again and again. Say when in your own words. In a chat it is enough to write “remind me tomorrow at nine to call Ana”.</p>
  ${mayChange ? html`<div class="suggestions">${EXAMPLES.map(({ title, draft }) => html`<button class="suggestion" @click=${() => start(draft)}><b>${title}</b><span>${draft.when}: ${draft.message}</span></button>`)}</div>` : ''}</section>`;
