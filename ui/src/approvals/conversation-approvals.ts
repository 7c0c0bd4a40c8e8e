/** `<claw-conversation-approvals>`: the pending commands of the current conversation, above the composer. */
import { html, nothing } from 'lit';
import type { App } from '../app.ts';
import { LightElement } from '../elements/light-element.ts';
import './approval-card.ts';

export class ConversationApprovals extends LightElement {
  static override properties = { conversation: {} };
  /** Not reactive: set before this element was defined, it must be there when it is connected. */
  declare app: App;
  declare conversation: string;

  override connectedCallback(): void {
    this.watch(this.app.approvals);
    super.connectedCallback();
  }

  override render(): unknown {
    const here = this.app.approvals.get().filter(({ sessionKey }) => sessionKey === this.conversation);
    if (here.length === 0) return nothing;
    return html`<claw-approval class="approval-here" role="group" .approval=${here[0]!}
      .app=${this.app}></claw-approval>
      ${
        here.length > 1
          ? html`<p class="approval-more" role="status">${here.length - 1} more ${
              here.length === 2 ? 'command is' : 'commands are'
            } waiting after this one.</p>`
          : nothing
      }
      <span class="offscreen" role="alert">A command waits for your approval.</span>`;
  }
}

customElements.define('claw-conversation-approvals', ConversationApprovals);
