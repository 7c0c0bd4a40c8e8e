/** `<claw-canvas>`: the documents of agents: view, restore an earlier version, delete. */
import { html, nothing } from 'lit';
import type { App } from '../../../../ui/src/app.ts';
import '../../../../ui/src/chat/canvas-frame.ts';
import { confirmed } from '../../../../ui/src/elements/dialogs.ts';
import { LightElement } from '../../../../ui/src/elements/light-element.ts';
import { ago, exactTime } from '../../../../ui/src/elements/times.ts';
import { toast } from '../../../../ui/src/elements/toast.ts';
import { isDisconnected, messageOf } from '../../../../ui/src/gateway/requests.ts';
import { sizeText } from '../../../core/size-text.ts';
import type { CanvasAnswers, WireDocument } from '../answers.ts';

type Details = CanvasAnswers['canvas.documents.get'];

export class CanvasPage extends LightElement {
  static override properties = { list: { state: true }, open: { state: true }, problem: { state: true } };
  declare app: App;
  declare list: CanvasAnswers['canvas.documents.list'] | undefined;
  declare open: Details | undefined;
  declare problem: string;
  #leave: (() => void) | undefined;

  constructor() {
    super();
    this.problem = '';
  }

  override connectedCallback(): void {
    super.connectedCallback();
    const arrived = this.app.whenConnected(() => void this.#load());
    const watched = this.app.on((event) => event.event === 'canvas.changed' && void this.#load());
    this.#leave = () => {
      arrived();
      watched();
    };
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#leave?.();
  }

  override render(): unknown {
    const { list, open } = this;
    return html`<div class="column wide pad">
      ${this.problem ? html`<p class="strip bad" role="alert">${this.problem}</p>` : nothing}
      ${open ? this.#shown(open) : nothing}
      <section class="card"><h2>Documents</h2>
        ${
          list === undefined
            ? html`<p class="quiet">Loading…</p>`
            : list.documents.length === 0
              ? html`<p class="quiet">No documents yet. Ask your agent to show something as a page: a chart, a table,
                a form.</p>`
              : html`<ul class="rows">${list.documents.map((document) => this.#row(document))}</ul>`
        }</section>
      <section class="card"><h2>Canvas folder</h2>
        <p class="quiet">Files in the folder <code>canvas</code> of the agent's workspace are pages that reload when
          they change.</p>
        <p style="margin-top: 10px"><button class="button small" @click=${() =>
          void this.#openFolder()}>Open in a new tab</button></p></section>
    </div>`;
  }

  #row(document: WireDocument): unknown {
    const at = Date.parse(document.createdAt);
    return html`<li class="row"><span><b>${document.title ?? document.id}</b>
        <small><span title=${exactTime(at)}>${ago(at, Date.now())}</span>
          · version ${document.version} · ${sizeText(document.bytes)} · ${document.agentId}</small></span>
      <span class="row-actions"><button class="button small" @click=${() => void this.#show(document.id)}>Show</button>
        <button class="button small danger" @click=${() => void this.#remove(document)}>Remove</button></span></li>`;
  }

  #shown({ document, versions }: Details): unknown {
    const preview = {
      kind: 'canvas',
      surface: 'assistant_message',
      render: 'url',
      url: document.url,
      viewId: document.id,
    };
    return html`<section class="card" aria-label=${document.title ?? document.id}>
      <claw-canvas-frame .app=${this.app} .preview=${{ ...preview, title: document.title ?? document.id }}
        .version=${document.version}></claw-canvas-frame>
      <p class="row-actions">${versions
        .toReversed()
        .map(
          (version) =>
            html`<button class="button small" @click=${() =>
              void this.#restore(document.id, version)}>Restore version ${version}</button>`,
        )}
        <button class="button small" @click=${() => (this.open = undefined)}>Close</button></p>
    </section>`;
  }

  async #show(id: string): Promise<void> {
    try {
      this.open = await this.app.connection.request<Details>('canvas.documents.get', { id });
    } catch (cause) {
      toast(messageOf(cause), 'bad');
    }
  }

  async #restore(id: string, version: number): Promise<void> {
    try {
      await this.app.connection.request('canvas.documents.restore', { id, version });
      toast('Restored');
    } catch (cause) {
      toast(messageOf(cause), 'bad');
    }
    await this.#show(id);
  }

  async #remove(document: WireDocument): Promise<void> {
    const title = `Remove ${document.title ?? document.id}?`;
    const body = 'Its versions go with it. Answers that show it say that it was removed.';
    if (!(await confirmed({ title, body, action: 'Remove', danger: true }))) return;
    try {
      await this.app.connection.request('canvas.documents.delete', { id: document.id });
      if (this.open?.document.id === document.id) this.open = undefined;
      toast('Removed');
    } catch (cause) {
      toast(messageOf(cause), 'bad');
    }
    await this.#load();
  }

  async #openFolder(): Promise<void> {
    const { openCanvas } = await import('../../../../ui/src/chat/open-canvas.ts');
    try {
      const opened = await openCanvas('/__openclaw__/canvas/', this.app);
      window.open(opened.src, '_blank', 'noopener');
    } catch (cause) {
      toast(messageOf(cause), 'bad');
    }
  }

  async #load(): Promise<void> {
    try {
      this.list = await this.app.connection.request<CanvasAnswers['canvas.documents.list']>(
        'canvas.documents.list',
        {},
      );
      this.problem = '';
    } catch (cause) {
      if (!isDisconnected(cause)) this.problem = messageOf(cause);
    }
  }
}

customElements.define('claw-canvas', CanvasPage);
