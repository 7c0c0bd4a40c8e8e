/** `<claw-chat>`: the chat page: a conversation, its queued messages, and the composer. */
import { html, nothing } from 'lit';
import type { App } from '../app.ts';
import { LightElement } from '../elements/light-element.ts';
import { painted } from '../elements/painted.ts';
import { USUAL_POLICY } from './attachments.ts';
import type { ChatState } from './chat-controller.ts';
import './composer.ts';
import type { Composer } from './composer.ts';
import { isBusy, itemsOf, type Conversation } from './conversation.ts';
import type { emptyState } from './empty-state.ts';
import type { ChatItem, PersonItem } from './items.ts';
import { agentLabel } from '../gateway/agents.ts';
import { splitKey } from '../gateway/sessions.ts';
import './message-list.ts';
import type { OutgoingFile } from './outbox.ts';
import type { outboxList } from './outbox-list.ts';
import type { chatPanels } from './panels.ts';

export class ChatPage extends LightElement {
  declare app: App;
  #items:
    | { readonly conversation: Conversation; readonly outbox: ChatState['outbox']; readonly items: readonly ChatItem[] }
    | undefined;

  /** Only for an empty conversation, so it is not part of the first load. */
  #emptyState: typeof emptyState | undefined;
  /** The run whose message is scrolled to once the conversation is loaded. */
  #wanted: string | undefined;
  /** Loaded when the first message is queued. */
  #outboxList: typeof outboxList | undefined;
  /** Panels of features, loaded after the page is shown. */
  #panels: typeof chatPanels | undefined;

  override connectedCallback(): void {
    this.watch(this.app.chat.store, this.app.hello, this.app.agents, this.app.health, this.app.link);
    super.connectedCallback();
    this.addEventListener('open-process', (event) => this.app.go('processes', (event as CustomEvent<string>).detail));
    this.addEventListener('retry-answer', (event) => this.#retry((event as CustomEvent<string | undefined>).detail));
    this.addEventListener('edit-message', (event) => this.#edit((event as CustomEvent<PersonItem>).detail));
    for (const [name, before] of [
      ['branch-before', true],
      ['branch-after', false],
    ] as const)
      this.addEventListener(name, (event) => void this.#branch((event as CustomEvent<ChatItem>).detail, before));
    this.addEventListener('show-picture', (event) => {
      const { src, alt } = (event as CustomEvent<HTMLImageElement>).detail;
      void import('../elements/lightbox.ts').then(({ openPicture }) => openPicture(src, alt));
    });
    this.addEventListener('show-timeline', (event) => void this.#showTimeline((event as CustomEvent<string>).detail));
    this.addEventListener('need-earlier', () => void this.app.chat.fetchEarlier(this.#key));
    addEventListener('keydown', this.#globalKey);
    void this.#addPanels();
  }

  /** Without their Markdown, answers have no height, and a restored reading position would move when they get one. */
  #rendersAnswers(): boolean {
    if (customElements.get('claw-markdown')) return true;
    void import('../elements/markdown-view.ts').then(() => this.requestUpdate());
    return false;
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    removeEventListener('keydown', this.#globalKey);
  }

  override render(): unknown {
    const { chat } = this.app;
    const conversation = chat.conversation();
    const items = this.#itemsOf(conversation);
    const empty = items.length === 0 && conversation.loaded && !conversation.error;
    if (empty && !this.#emptyState) void this.#welcome();
    if (!this.#outboxList && chat.store.get().outbox.some(({ state }) => state === 'queued' || state === 'failed'))
      void this.#showWaiting();
    return html`<section class="chat" @dragover=${(event: DragEvent) => this.#dragged(event, true)}
      @dragleave=${(event: DragEvent) => this.#dragged(event, false)} @drop=${(event: DragEvent) =>
        this.#dropped(event)}>
      ${
        conversation.error
          ? html`<div class="strip bad" role="alert"><span>${conversation.error}</span><button
        class="button small" @click=${() => void chat.fetchHistory(this.#key)}>Try again</button></div>`
          : nothing
      }
      ${
        empty
          ? html`<div class="scroller"><div class="column">${this.#emptyState?.(
              this.app.health.get(),
              (text) => this.#send(text, []),
              () => this.app.go('setup'),
            )}</div></div>`
          : (conversation.loaded || items.length > 0) && this.#rendersAnswers()
            ? html`<claw-messages .items=${items} .conversation=${this.#key}
              .agent=${this.#agent(items)} .canTrace=${this.app.offers('chat.timeline')}
              .canBranch=${this.app.offers('sessions.branch')} .loaded=${conversation.loaded}
              .place=${chat.keep.place(this.#key)} .keepPlace=${chat.keep.savePlace}
              .moreOnServer=${conversation.nextOffset !== undefined}
              .fetching=${conversation.fetchingEarlier === true}></claw-messages>`
            : html`<div class="scroller"><div class="column skeleton"
              aria-hidden="true"><i></i><i></i><i></i></div></div>`
      }
      <div class="column dock">
        ${this.#panels?.(this.app, this.#key)}
        <claw-conversation-approvals .app=${this.app} .conversation=${this.#key}></claw-conversation-approvals>
        ${this.#outboxList?.(chat, this.#key)}
        <claw-composer .keep=${this.app.chat.keep} .conversation=${this.#key} .busy=${isBusy(conversation)}
          .lastText=${lastPersonText(items)}
          .policy=${this.app.hello.get()?.policy ?? USUAL_POLICY}
          @send-message=${(event: CustomEvent<{ text: string; files: readonly OutgoingFile[] }>) =>
            this.#send(event.detail.text, event.detail.files)}
          @stop-run=${() => void chat.stop()}></claw-composer>
      </div>
    </section>`;
  }

  async #addPanels(): Promise<void> {
    await painted();
    ({ chatPanels: this.#panels } = await import('./panels.ts'));
    this.requestUpdate();
  }

  async #showWaiting(): Promise<void> {
    ({ outboxList: this.#outboxList } = await import('./outbox-list.ts'));
    this.requestUpdate();
  }

  async #welcome(): Promise<void> {
    ({ emptyState: this.#emptyState } = await import('./empty-state.ts'));
    this.requestUpdate();
  }

  override updated(): void {
    this.#seek();
    const { restored } = this.app.chat.store.get();
    if (!restored || restored.sessionKey !== this.#key) return;
    this.app.chat.clearRestored();
    this.#composer?.put(
      restored.text,
      restored.files,
      restored.reason === undefined ? '' : `Not sent: ${restored.reason}`,
    );
  }

  /** The name of the agent, if there are several agents or several people. */
  #agent(items: readonly ChatItem[]): string | undefined {
    const agents = this.app.agents.get();
    const agent = agents.find(({ id }) => id === splitKey(this.#key).agentId);
    const said = agents.length > 1 || items.some((item) => item.kind === 'person' && item.by !== undefined);
    return agent && said ? agentLabel(agent) : undefined;
  }

  get #key(): string {
    return this.app.chat.store.get().current;
  }

  /** Scrolls to the message of a run of this conversation. */
  reveal(runId: string): void {
    this.#wanted = runId;
    this.requestUpdate();
  }

  #seek(): void {
    const list = this.querySelector('claw-messages');
    if (!this.#wanted || !list || !this.app.chat.conversation().loaded) return;
    list.reveal(this.#wanted);
    this.#wanted = undefined;
  }

  get #composer(): Composer | null {
    return this.querySelector('claw-composer') as Composer | null;
  }

  /** Returns the same list object while nothing changed, so that messages are not rendered again. */
  #itemsOf(conversation: Conversation): readonly ChatItem[] {
    const { outbox } = this.app.chat.store.get();
    if (this.#items?.conversation !== conversation || this.#items.outbox !== outbox)
      this.#items = { conversation, outbox, items: itemsOf(conversation, outbox) };
    return this.#items.items;
  }

  #send(text: string, files: readonly OutgoingFile[]): void {
    this.app.chat.send(text, files);
    this.querySelector('claw-messages')?.toEnd();
  }

  /** Sends the same message again. Files that this page no longer has must be added again. */
  #retry(runId: string | undefined): void {
    const items = this.#items?.items ?? [];
    const at = items.findIndex((item) => item.kind === 'answer' && item.runId === runId);
    const question = items.slice(0, at === -1 ? undefined : at).findLast((item) => item.kind === 'person');
    if (question?.kind !== 'person') return;
    const pictures = picturesOf(question);
    if (question.files.length === 0) this.#send(question.text, pictures);
    else
      this.#composer?.put(
        question.text,
        pictures,
        `Attach these files again: ${question.files.map(({ name }) => name).join(', ')}.`,
      );
  }

  /** Puts the text into the composer, to be sent as a new message. */
  #edit(item: PersonItem): void {
    const missing = item.files.map(({ name }) => name).join(', ');
    this.#composer?.put(item.text, picturesOf(item), missing ? `Attach these files again: ${missing}.` : '');
    this.#composer?.focusField();
  }

  /** Starts a new conversation up to this item; an edited message is put into its composer. */
  async #branch(item: ChatItem, before: boolean): Promise<void> {
    const { branchConversation } = await import('./branch-conversation.ts');
    if (!(await branchConversation(this.app, this.#key, item, before)) || item.kind !== 'person') return;
    // Waits two frames: stores notify in the next frame, and the composer drops files when the conversation changes.
    for (let frames = 0; frames < 2; frames++) await new Promise(requestAnimationFrame);
    const missing = item.files.map(({ name }) => name).join(', ');
    if (item.images.length + item.files.length > 0)
      this.#composer?.put('', picturesOf(item), missing ? `Attach these files again: ${missing}.` : '');
  }

  async #showTimeline(runId: string): Promise<void> {
    const { showTimeline } = await import('./timeline-dialog.ts');
    await showTimeline(() => this.app.request('chat.timeline', { runId }));
  }

  /** Ignores dragged text, which the browser handles. */
  #dragged(event: DragEvent, over: boolean): void {
    if (!event.dataTransfer?.types.includes('Files')) return;
    event.preventDefault();
    this.querySelector('.chat')!.classList.toggle('dropping', over);
  }

  #dropped(event: DragEvent): void {
    this.#dragged(event, false);
    if (event.dataTransfer?.files.length) void this.#composer?.addFiles(event.dataTransfer.files);
  }

  #globalKey = (event: KeyboardEvent): void => {
    if (event.defaultPrevented || document.querySelector('dialog[open]')) return;
    if (event.key === 'Escape' && isBusy(this.app.chat.conversation())) void this.app.chat.stop();
    else if (
      event.key.length === 1 &&
      event.key !== '?' &&
      !event.ctrlKey &&
      !event.metaKey &&
      !event.altKey &&
      document.activeElement === document.body
    )
      this.#composer?.focusField();
  };
}

const picturesOf = ({ images }: PersonItem): readonly OutgoingFile[] =>
  images.map((image) => ({
    src: image.src,
    mime: /^data:([^;]+)/.exec(image.src)?.[1] ?? 'image/png',
    name: image.name ?? 'image',
    bytes: Math.floor(image.src.length * 0.75),
  }));

const lastPersonText = (items: readonly ChatItem[]): string => {
  const last = items.findLast((item) => item.kind === 'person' && !item.system && item.text !== '');
  return last?.kind === 'person' ? last.text : '';
};

customElements.define('claw-chat', ChatPage);

declare global {
  interface HTMLElementTagNameMap {
    'claw-chat': ChatPage;
  }
}
