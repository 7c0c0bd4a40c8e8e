/**
 * `<claw-answer-files>`: the text and files of an answer: pictures, players for audio and video, and a save button for
 * each.
 */
import { html, nothing, type TemplateResult } from 'lit';
import { icon } from '../elements/icons.ts';
import { LightElement } from '../elements/light-element.ts';
import '../elements/markdown-view.ts';
import { messageOf } from '../gateway/requests.ts';
import type { ChatPage } from './chat-page.ts';
import { isTooLarge, pictureSize, type PictureSize } from './picture-size.ts';
import { fetchFile } from './fetch-file.ts';
import { fileFacts, fileIcon, fileTitle, isPicture, kindOf } from './file-kind.ts';
import { record } from '../gateway/record.ts';
import { textIn } from './answer-content.ts';
import type { AnswerFile, AnswerFilesPart } from './items.ts';
import type { MessageList } from './message-list.ts';

/** Larger pictures wait until they are asked for. */
const NOT_SHOWN = 'The browser cannot show this picture. Save the file.';
const NOT_PLAYED = 'The browser cannot play this file. Save it.';
const tooLarge = ({ width, height }: PictureSize): string =>
  `${width} × ${height} pixels are too many to show. Save the file.`;
/** In these a picture says its size, also behind a preview of itself. */
const HEAD_BYTES = 256 * 1024;
const SHOWN_BYTES = 12_000_000;
/** A browser has taken the address of a download by then. */
const SAVED_MS = 60_000;

/** Drawn like the other icons, and fetched with what needs it. */
const saveIcon = html`<svg class="icon" viewBox="0 0 20 20" width="20" height="20" fill="none" stroke="currentColor"
  stroke-width="1.6" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true"><path
  d="M10 4v8.5M6.3 9 10 12.7 13.7 9M4.5 13.5v2h11v-2" /></svg>`;

interface Loaded {
  readonly address?: string;
  /** From 0 to 1. */
  readonly share?: number;
  readonly error?: string;
}

export class AnswerFilesView extends LightElement {
  static override properties = { content: { attribute: false } };
  declare content: AnswerFilesPart;
  #loaded = new Map<string, Loaded>();
  #seen = new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries)
        if (isIntersecting) void this.#load((target as HTMLElement).dataset['file']!);
    },
    { rootMargin: '600px' },
  );

  override render(): unknown {
    const pictures = this.#files.filter(isPicture);
    const others = this.#files.filter((file) => !isPicture(file));
    return html`${this.content.text ? html`<claw-markdown .text=${this.content.text}></claw-markdown>` : nothing}<div
      class="answer-files">
      ${pictures.map((file) => this.#picture(file))}
      ${others.length > 0 ? html`<ul class="file-list">${others.map((file) => this.#other(file))}</ul>` : nothing}
    </div>`;
  }

  override updated(): void {
    for (const waiting of this.querySelectorAll('[data-file]')) this.#seen.observe(waiting);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#seen.disconnect();
    for (const { address } of this.#loaded.values()) if (address) URL.revokeObjectURL(address);
    this.#loaded.clear();
  }

  /** What is no file is left out. */
  get #files(): readonly AnswerFile[] {
    return this.content.files
      .map(record)
      .flatMap(({ id, name, mime, size }) =>
        typeof id === 'string' && typeof name === 'string' && typeof size === 'number'
          ? [{ id, name, mime: textIn(mime), bytes: size }]
          : [],
      );
  }

  #picture(file: AnswerFile): TemplateResult {
    const { address, error } = this.#loaded.get(file.id) ?? {};
    if (error !== undefined || (address === undefined && file.bytes > SHOWN_BYTES))
      return html`<ul class="file-list">${this.#other(file)}</ul>`;
    return html`<figure class="answer-picture">
      ${
        address === undefined
          ? html`<div class="picture-waiting" data-file=${file.id} role="img" aria-label="Loading ${file.name}"></div>`
          : html`<a href=${address} target="_blank" title="Open ${file.name}"><img src=${address} alt=${file.name}
            @error=${() => this.#broken(file.id, NOT_SHOWN)} /></a>`
      }
      <figcaption><span class="answer-file-name"
        title=${file.name}>${file.name}</span><small>${fileFacts(file)}</small>${this.#save(file)}</figcaption>
    </figure>`;
  }

  #other(file: AnswerFile): TemplateResult {
    const { address, error, share } = this.#loaded.get(file.id) ?? {};
    const kind = kindOf(file);
    const plays = kind === 'audio' || kind === 'video';
    return html`<li class="answer-file ${kind}">
      <div class="file-chip" title=${file.name}>
        <span class="file-icon">${icon(fileIcon(file))}</span><span class="file-words"><b>${fileTitle(file)}</b><small
          class=${error === undefined ? '' : 'answer-file-error'}>${
            error ?? (share === undefined ? fileFacts(file) : `${Math.round(share * 100)} %`)
          }</small></span>
        ${
          plays && address === undefined
            ? html`<button class="button small" @click=${(event: Event) =>
                void this.#play(file.id, event)}>Play</button>`
            : nothing
        }
        ${this.#save(file)}
      </div>
      ${
        address === undefined || !plays || error !== undefined
          ? nothing
          : kind === 'audio'
            ? html`<audio controls autoplay aria-label=${file.name}
        src=${address} @error=${() => this.#broken(file.id, NOT_PLAYED)}></audio>`
            : html`<video controls autoplay aria-label=${file.name} src=${address}
        @error=${() => this.#broken(file.id, NOT_PLAYED)}></video>`
      }
    </li>`;
  }

  #save(file: AnswerFile): TemplateResult {
    return html`<button class="ghost file-save" title="Save ${file.name}" aria-label="Save ${file.name}" @click=${() =>
      void this.#download(file)}>${saveIcon}</button>`;
  }

  /** The button gives way to the player, which takes the keyboard over. */
  async #play(id: string, { currentTarget }: Event): Promise<void> {
    const row = (currentTarget as HTMLElement).closest('li');
    await this.#load(id);
    await this.updateComplete;
    row?.querySelector<HTMLMediaElement>('audio, video')?.focus();
  }

  /** The browser makes nothing of it; it stays here to be saved. */
  #broken(id: string, error: string): void {
    this.#note(id, { ...this.#loaded.get(id), error });
  }

  /** Once, whoever asks for it; what failed is tried again. */
  async #load(id: string): Promise<string | undefined> {
    const file = this.#files.find((one) => one.id === id);
    const known = this.#loaded.get(id);
    if (!file || known?.address !== undefined || known?.share !== undefined) return known?.address;
    this.#note(id, { share: 0 });
    try {
      const blob = await this.#fetch(file);
      if (!this.isConnected) return undefined;
      const size = isPicture(file)
        ? pictureSize(new Uint8Array(await blob.slice(0, HEAD_BYTES).arrayBuffer()))
        : undefined;
      const address = URL.createObjectURL(blob);
      this.#note(id, size && isTooLarge(size) ? { address, error: tooLarge(size) } : { address });
      return address;
    } catch (cause) {
      this.#note(id, { error: messageOf(cause) });
      return undefined;
    }
  }

  #fetch(file: AnswerFile): Promise<Blob> {
    const { app } = this.closest('claw-chat') as ChatPage;
    const sessionKey = (this.closest('claw-messages') as MessageList).conversation;
    return fetchFile(file, { sessionKey, request: app.request }, (share) => this.#note(file.id, { share }));
  }

  async #download(file: AnswerFile): Promise<void> {
    const address = await this.#load(file.id);
    if (address === undefined) return;
    const link = Object.assign(document.createElement('a'), { href: address, download: file.name });
    link.click();
    if (!isPicture(file) && kindOf(file) === 'file') this.#letGo(file.id, address);
  }

  /** Nothing on the page shows it: its memory is given back. */
  #letGo(id: string, address: string): void {
    this.#loaded.delete(id);
    setTimeout(() => URL.revokeObjectURL(address), SAVED_MS);
    this.requestUpdate();
  }

  #note(id: string, loaded: Loaded): void {
    this.#loaded.set(id, loaded);
    this.requestUpdate();
  }
}

customElements.define('claw-answer-files', AnswerFilesView);
