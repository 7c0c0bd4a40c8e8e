/** Renders a message of a person: pictures, files, text; and, collapsed, the text that the agent received instead. */
import { html, nothing, type TemplateResult } from 'lit';
import { copyText } from '../elements/clipboard.ts';
import { icon } from '../elements/icons.ts';
import { clock, exactTime } from '../elements/times.ts';
import { toast } from '../elements/toast.ts';
import { fileChip } from './file-chip.ts';
import { visible } from '../tools/visible-view.ts';
import type { PersonItem } from './items.ts';

export function personView(
  item: PersonItem,
  { canTrace, canBranch }: { readonly canTrace: boolean; readonly canBranch: boolean },
): TemplateResult {
  const trace = (event: Event): boolean =>
    (event.currentTarget as Element).dispatchEvent(
      new CustomEvent('show-timeline', { detail: item.runId ?? '', bubbles: true }),
    );
  return html`<article class="person ${item.pending ?? ''} ${item.by === undefined ? '' : 'other'}"
    aria-label="${item.by ?? 'You'}, ${clock(item.at)}">
    ${item.by === undefined ? nothing : html`<div class="writer">${visible(item.by)}</div>`}
    ${
      item.images.length > 0
        ? html`<div class="person-images">${item.images.map(
            (image) => html`<img src=${image.src} alt=${image.name ?? 'Picture'} tabindex="0" role="button"
      aria-label="Show ${image.name ?? 'picture'}" @click=${emit('show-picture')} @keydown=${onEnter} />`,
          )}</div>`
        : nothing
    }
    ${item.files.length > 0 ? html`<ul class="person-files">${item.files.map((file) => fileChip(file))}</ul>` : nothing}
    ${item.text ? html`<div class="bubble">${item.text}</div>` : nothing}
    ${
      item.agentText === undefined
        ? nothing
        : html`<details class="received"
      ?open=${isTranscript(item)}><summary>${icon('chevron')}What the agent received</summary><div class="received-text"
      tabindex="0" role="region" aria-label="What the agent received">${item.agentText}</div></details>`
    }
    <footer class="message-tools">
      ${
        item.pending
          ? html`<span class="meta">Sending…</span>`
          : html`<time title=${exactTime(item.at)}>${item.at ? clock(item.at) : ''}</time>`
      }
      ${
        item.text
          ? html`<button class="ghost" title="Copy" aria-label="Copy your message" @click=${() =>
              void copy(item.text)}>${icon('copy')}</button>`
          : nothing
      }
      ${
        item.text && !item.pending && item.by === undefined
          ? html`<button class="ghost" title="Edit and send again" aria-label="Edit and send again" @click=${(
              event: Event,
            ) => send(event, 'edit-message', item)}>${icon('edit')}</button>`
          : nothing
      }
      ${
        canBranch && item.entryId && !item.pending && item.by === undefined
          ? html`<button class="ghost" title="Edit in a branch" aria-label="Edit in a branch" @click=${(event: Event) =>
              send(event, 'branch-before', item)}>${icon('branch')}</button>`
          : nothing
      }
      ${
        canTrace && item.runId && !item.pending
          ? html`<button class="ghost" title="Show timeline"
        aria-label="Show timeline" @click=${trace}>${icon('clock')}</button>`
          : nothing
      }
    </footer>
  </article>`;
}

const send = (event: Event, what: string, detail: unknown): boolean =>
  (event.currentTarget as Element).dispatchEvent(new CustomEvent(what, { detail, bubbles: true }));
const emit =
  (what: string) =>
  (event: Event): boolean =>
    send(event, what, event.currentTarget);

const onEnter = (event: KeyboardEvent): void => {
  if (event.key !== 'Enter') return;
  event.preventDefault(); // otherwise the key would press the button that gets the focus
  emit('show-picture')(event);
};

/** After a voice note, its transcript is shown. */
const isTranscript = ({ text, agentText }: PersonItem): boolean =>
  text === '' && agentText?.startsWith('[Audio]') === true;

const copy = async (text: string): Promise<void> =>
  toast((await copyText(text)) ? 'Copied' : 'The browser blocked copying');
