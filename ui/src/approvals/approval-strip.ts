/** `<claw-approval-strip>`: a strip on every page for pending commands of other conversations, opened one by one. */
import { html, nothing, render } from 'lit';
import type { App } from '../app.ts';
import { icon } from '../elements/icons.ts';
import { LightElement } from '../elements/light-element.ts';
import { visible } from '../tools/visible-view.ts';
import { brief, type Approval } from './approval.ts';
import './approval-card.ts';

export class ApprovalStrip extends LightElement {
  declare app: App;
  #dialog: HTMLDialogElement | undefined;
  /**
   * The id of the approval in the dialog, so that an approval answered elsewhere is not replaced by another one under
   * the pointer.
   */
  #shown = '';

  override connectedCallback(): void {
    this.watch(this.app.approvals, this.app.route, this.app.chat.store, this.app.sessions.store);
    super.connectedCallback();
  }

  override render(): unknown {
    this.#refresh();
    const elsewhere = this.#elsewhere();
    const first = elsewhere[0];
    if (!first) return nothing;
    return html`<div class="strip warn asked-strip" role="alert">${icon('warn')}
      <span><b>${
        elsewhere.length === 1 ? 'A command needs your approval' : `${elsewhere.length} commands need your approval`
      }:</b> <code>${visible(brief(first.command))}</code></span>
      <button class="button small" @click=${() => this.#open(first)}>Review</button></div>`;
  }

  #elsewhere(): readonly Approval[] {
    const { page } = this.app.route.get();
    const { current } = this.app.chat.store.get();
    return this.app.approvals.get().filter(({ sessionKey }) => page !== 'chat' || sessionKey !== current);
  }

  #open(approval: Approval): void {
    const dialog = document.createElement('dialog');
    dialog.className = 'dialog wide asked-dialog';
    dialog.setAttribute('aria-label', 'Commands that need your approval');
    dialog.addEventListener('visit-conversation', () => dialog.close());
    dialog.addEventListener('close', () => {
      dialog.remove();
      this.#dialog = undefined;
    });
    document.body.append(dialog);
    this.#dialog = dialog;
    this.#show(approval.id);
    dialog.showModal();
    dialog.querySelector<HTMLElement>('.asked-count')?.focus();
  }

  #show(id: string): void {
    this.#shown = id;
    this.#refresh();
  }

  #refresh(): void {
    const dialog = this.#dialog;
    if (!dialog) return;
    const all = this.app.approvals.get();
    const at = Math.max(
      0,
      all.findIndex(({ id }) => id === this.#shown),
    );
    const approval = all[at];
    if (!approval) return dialog.close();
    if (this.#shown !== approval.id) {
      this.#shown = approval.id;
      // The focus is not on a button, because Enter would press it.
      queueMicrotask(() => dialog.querySelector<HTMLElement>('.asked-count')?.focus());
    }
    render(this.#view(all, at, approval), dialog);
  }

  #view(all: readonly Approval[], at: number, approval: Approval): unknown {
    const turn = (by: number): void => this.#show(all[(at + by + all.length) % all.length]!.id);
    return html`<header class="dialog-head"><p class="asked-count" tabindex="-1">${
      all.length > 1 ? `${at + 1} of ${all.length}` : 'One command needs your approval'
    }</p>
        ${
          all.length > 1
            ? html`<button class="ghost asked-back" aria-label="Previous command" @click=${() =>
                turn(-1)}>${icon('chevron')}</button><button class="ghost" aria-label="Next command" @click=${() =>
                turn(1)}>${icon('chevron')}</button>`
            : nothing
        }
        <button class="ghost" aria-label="Close; the command keeps waiting" @click=${() =>
          this.#dialog?.close()}>${icon('close')}</button></header>
      <claw-approval .approval=${approval} .app=${this.app}></claw-approval>`;
  }
}

customElements.define('claw-approval-strip', ApprovalStrip);
