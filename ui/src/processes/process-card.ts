/** `<claw-process>`: one process with its status; opened, also its log and actions. */
import { head } from '../../../src/core/cut.ts';
import { html, nothing } from 'lit';
import type { App } from '../app.ts';
import { icon } from '../elements/icons.ts';
import { LightElement } from '../elements/light-element.ts';
import { ago, bytesText, duration, exactTime } from '../elements/times.ts';
import { toast } from '../elements/toast.ts';
import type { ProcessView } from '../gateway/wire.ts';
import { messageOf } from '../gateway/requests.ts';
import { splitKey, titleOf } from '../gateway/sessions.ts';
import { visible } from '../tools/visible-view.ts';
import { endProcess } from './end-process.ts';
import { runtimeOf, type KnownProcess, type ProcessFeed } from './process-feed.ts';
import './process-log.ts';
import { lastLine, stateOf } from './process-words.ts';

export class ProcessCard extends LightElement {
  static override properties = {
    app: { attribute: false },
    feed: { attribute: false },
    known: { attribute: false },
    open: { attribute: false },
    opened: { state: true },
  };
  declare app: App;
  declare feed: ProcessFeed;
  declare known: KnownProcess;
  /** It was opened by a link to it. */
  declare open: boolean;
  declare opened: boolean;

  constructor() {
    super();
    this.open = false;
    this.opened = false;
  }

  override willUpdate(changed: Map<string, unknown>): void {
    if (changed.has('open') && this.open) this.opened = true;
  }

  override firstUpdated(): void {
    if (this.open) this.scrollIntoView({ block: 'nearest' });
  }

  override render(): unknown {
    const { view } = this.known;
    const state = stateOf(view);
    return html`<article class="process ${state.tone} ${this.opened ? 'open' : ''}"
      aria-label="Process ${view.sessionId}">
      <button class="process-head" aria-expanded=${this.opened ? 'true' : 'false'} @click=${() =>
        (this.opened = !this.opened)}>
        <i class="dot ${view.status === 'running' ? 'running' : ''}"></i>
        <span class="process-name"><b>${view.sessionId}</b><span
          title=${view.name}>${visible(head(view.command.trim().split('\n')[0]!, 300))}</span></span>
        <span class="process-time" title=${`started ${exactTime(view.startedAt)}`}>${duration(
          runtimeOf(this.known, Date.now()),
        )}</span>
        <span class="process-state ${state.tone}">${state.words}</span>
        <span class="process-last">${
          this.opened
            ? nothing
            : visible(lastLine(view.tail)) || (view.status === 'running' ? 'no output yet' : 'no output')
        }</span>
      </button>
      ${this.opened ? this.#inside(view) : nothing}
    </article>`;
  }

  #inside(view: ProcessView): unknown {
    const session = this.app.sessions.store.get().rows.find(({ key }) => key === view.sessionKey) ?? {
      key: view.sessionKey,
    };
    const running = view.status === 'running';
    return html`<div class="process-inside">
      <pre class="process-command" tabindex="0" aria-label="Command">${visible(view.command)}</pre>
      <p class="process-facts">
        <button class="process-session" @click=${() =>
          this.app.openSession(view.sessionKey)}>${icon('chat')}${titleOf(session)}</button>
        <span>agent ${splitKey(view.sessionKey).agentId || 'main'}</span><span>on ${
          view.host === 'sandbox' ? 'the sandbox' : 'this gateway’s machine'
        }</span>
        ${view.pid ? html`<span>pid ${view.pid}</span>` : nothing}<span>in <code>${visible(view.cwd)}</code></span>
        <span>${bytesText(view.outputBytes)} of output${view.truncated ? ', middle dropped' : ''}</span>
        ${view.pty ? html`<span>terminal</span>` : nothing}
        ${
          running && view.timeoutSeconds
            ? html`<span>ends after ${duration(view.timeoutSeconds * 1000)}</span>`
            : nothing
        }
        ${
          view.endedAt
            ? html`<span title=${exactTime(view.endedAt)}>ended ${ago(view.endedAt, Date.now())}</span>`
            : nothing
        }
        ${
          view.leftBehind?.length
            ? html`<span>left behind ${view.leftBehind.map(({ name, pid }) => `${name} (${pid})`).join(', ')}</span>`
            : nothing
        }
      </p>
      <claw-process-log .app=${this.app} .feed=${this.feed} .view=${view}></claw-process-log>
      <div class="row-actions process-actions">
        ${
          running
            ? html`<button class="button small danger" @click=${() =>
                void endProcess(this.app, view)}>${icon('stop')}Kill</button>`
            : html`<button class="button small" @click=${() => void this.#clear()}>Clear</button>`
        }
      </div>
    </div>`;
  }

  async #clear(): Promise<void> {
    try {
      await this.feed.clear(this.known.view.sessionId);
    } catch (cause) {
      toast(messageOf(cause), 'bad');
    }
  }
}

customElements.define('claw-process', ProcessCard);
