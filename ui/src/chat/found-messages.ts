/** Messages of any conversation that contain the words of a search, below the conversations that do. */
import { html, nothing, type TemplateResult } from 'lit';
import type { App } from '../app.ts';
import { shortTime } from '../elements/times.ts';
import { titleOf } from '../gateway/sessions.ts';
import type { Answers } from '../../../src/protocol/answers.ts';
import { visible } from '../tools/visible-view.ts';

export type Found = Answers['sessions.search'];

export const findMessages = async (app: App, query: string): Promise<Found | undefined> =>
  query.trim().length < 2 || !app.offers('sessions.search')
    ? undefined
    : await app.request('sessions.search', { query: query.trim() });

export function foundMessages(
  app: App,
  { results, complete }: Found,
  open: (key: string, runId: string | undefined) => void,
): TemplateResult {
  return html`<li class="found-head"><h2>Messages</h2></li>
    ${results.length === 0 ? html`<li class="quiet pad">No messages contain these words.</li>` : nothing}
    ${results.map(
      ({ key, runId, role, at, excerpt }) => html`<li class="session found"><button class="session-open" @click=${() =>
        open(key, runId)}><span class="session-title">${titleOf(app.sessions.rowOf(key))}</span><span
        class="session-time">${shortTime(at, Date.now())}</span><span class="found-words">${
          role === 'user' ? '' : 'Agent: '
        }${visible(excerpt)}</span></button></li>`,
    )}
    ${complete ? nothing : html`<li class="quiet pad small">There may be more. Add a word to narrow the search.</li>`}`;
}
