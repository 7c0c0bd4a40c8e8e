/** Recent messages of all channels: whether each was answered, and why not. */
import { html, nothing, type TemplateResult } from 'lit';
import { exactTime, shortTime } from '../elements/times.ts';
import type { SeenMessage } from '../gateway/wire.ts';
import { visible } from '../tools/visible-view.ts';
import { outcomeOf, whyOf } from './channel-words.ts';

export interface Recent {
  readonly messages: readonly SeenMessage[];
  readonly labels: Readonly<Record<string, string>>;
  readonly ignoredOnly: boolean;
  filter(ignoredOnly: boolean): void;
  open?: ((message: SeenMessage) => void) | undefined;
}

export function recentMessages(recent: Recent): TemplateResult {
  const { messages, ignoredOnly } = recent;
  return html`<section class="card recent" aria-label="Recent messages">
    <div class="recent-head"><h2>Recent messages</h2>
      <label class="check"><input type="checkbox" .checked=${ignoredOnly} @change=${(event: Event) =>
        recent.filter((event.target as HTMLInputElement).checked)} />Ignored only</label></div>
    ${
      messages.length === 0
        ? html`<p class="quiet">${ignoredOnly ? 'No ignored messages.' : 'No messages yet.'}</p>`
        : html`<ul class="recent-list">${messages.map((message) => row(message, recent))}</ul>`
    }
  </section>`;
}

/** An id of a program or device: nobody knows it, so the place is named instead. */
const isMade = (id: string): boolean => /^[0-9a-f-]{32,}$/i.test(id);

function row(message: SeenMessage, { labels, open }: Recent): TemplateResult {
  const { channel, sender, chat, at, text, threadId } = message;
  const outcome = outcomeOf(message);
  const why = whyOf(message);
  const place = labels[channel] ?? channel;
  const where = chat.kind === 'direct' ? '' : `${chat.kind} ${chat.id}${threadId ? `, thread ${threadId}` : ''}`;
  const who = sender.name ?? (isMade(sender.id) ? place : sender.id);
  return html`<li><button class="recent-row" ?disabled=${!open} title=${open ? 'Show timeline' : ''} @click=${() =>
    open?.(message)}>
    <time class="recent-at" title=${exactTime(at)}>${shortTime(at, Date.now())}</time>
    <span class="recent-who"><b title=${sender.id}>${visible(who)}</b> <small>${[who === place ? '' : place, where]
      .filter(Boolean)
      .join(' · ')}</small></span>
    <span class="recent-state ${outcome.tone}">${outcome.words}</span>
    <span class="recent-text">${text ? visible(text) : html`<span class="quiet">no text</span>`}</span>
    ${why ? html`<span class="recent-why">${why}</span>` : nothing}
  </button></li>`;
}
