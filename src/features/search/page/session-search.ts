/** Lists the messages that contain the words of a search, below the conversations with such titles. */
import { html, nothing, type TemplateResult } from 'lit';
import type { App } from '../../../../ui/src/app.ts';
import type { SessionSearch } from '../../../../ui/src/chat/session-search.ts';
import { shortTime } from '../../../../ui/src/elements/times.ts';
import { titleOf } from '../../../../ui/src/gateway/sessions.ts';
import { visible } from '../../../../ui/src/tools/visible-view.ts';
import type { Answers } from '../../../protocol/answers.ts';

type Found = Answers['sessions.search'];

const find = async (app: App, query: string): Promise<Found | undefined> =>
  query.trim().length < 2 || !app.offers('sessions.search')
    ? undefined
    : await app.request('sessions.search', { query: query.trim() });

function show(
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

export const sessionSearch: SessionSearch<Found> = { find, show };
