/** Renders the queued and rejected messages above the composer. */
import { html, nothing, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { icon } from '../elements/icons.ts';
import type { ChatController } from './chat-controller.ts';
import { fileTitle } from './file-kind.ts';
import type { Outgoing } from './outbox.ts';

export function outboxList(chat: ChatController, sessionKey: string): TemplateResult | typeof nothing {
  const waiting = chat.store
    .get()
    .outbox.filter(
      (message) => message.sessionKey === sessionKey && (message.state === 'queued' || message.state === 'failed'),
    );
  if (waiting.length === 0) return nothing;
  return html`<ul class="outbox" aria-label="Waiting messages">${repeat(
    waiting,
    (message) => message.id,
    (message) => row(chat, message),
  )}</ul>`;
}

function row(chat: ChatController, message: Outgoing): TemplateResult {
  const failed = message.state === 'failed';
  return html`<li class="outbox-row ${message.state}">
    <span class="outbox-state">${failed ? icon('warn') : icon('clock')}</span>
    <span class="outbox-text"><span>${message.text || message.files.map(fileTitle).join(', ')}</span>${
      failed ? html`<small>Not sent: ${message.error}</small>` : nothing
    }</span>
    ${
      failed
        ? html`<button class="ghost" title="Try again" aria-label="Try again" @click=${() =>
            chat.retry(message.id)}>${icon('retry')}</button>`
        : html`<button class="button small" title="Add it to the running answer" @click=${() =>
            chat.steer(message.id)}>${icon('steer')}Steer</button>`
    }
    <button class="ghost" title="Edit" aria-label="Edit" @click=${() => chat.edit(message.id)}>${icon('edit')}</button>
    <button class="ghost" title="Remove" aria-label="Remove" @click=${() =>
      chat.discard(message.id)}>${icon('close')}</button>
  </li>`;
}
