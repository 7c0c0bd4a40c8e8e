/**
 * `<claw-agent-routing>`: the bindings as a picture, from where to whom, which one wins for a message, and changes of
 * them. The gateway answers with the function that routes messages, also for bindings that are not saved yet.
 */
import '../../../../ui/src/tools/tools.css';
import { html, nothing, type TemplateResult } from 'lit';
import type { App } from '../../../../ui/src/app.ts';
import { icon } from '../../../../ui/src/elements/icons.ts';
import { LightElement } from '../../../../ui/src/elements/light-element.ts';
import { agentLabel } from '../../../../ui/src/gateway/agents.ts';
import { isDisconnected, messageOf } from '../../../../ui/src/gateway/requests.ts';
import type { Agent } from '../../../../ui/src/gateway/wire.ts';
import { diffView } from '../../../../ui/src/tools/diff-view.ts';
import { toast } from '../../../../ui/src/elements/toast.ts';
import type { Answers } from '../../../protocol/answers.ts';
import {
  backTo,
  draftDiff,
  draftOf,
  isChanged,
  moved,
  placeText,
  toSend,
  type Binding,
  type Drafted,
} from './binding-draft.ts';
import { bindingForm } from './binding-form.ts';

type Explained = Answers['route.explain'];

export class AgentRouting extends LightElement {
  static override properties = {
    app: { attribute: false },
    agents: { attribute: false },
    admin: { attribute: false },
    saved: { state: true },
    draft: { state: true },
    adding: { state: true },
    saving: { state: true },
    stale: { state: true },
    channels: { state: true },
    explained: { state: true },
    problem: { state: true },
  };
  declare app: App;
  declare agents: readonly Agent[];
  declare admin: boolean;
  declare saved: readonly Binding[] | undefined;
  declare draft: readonly Drafted[];
  declare adding: boolean;
  declare saving: boolean;
  /** Somebody else changed the configuration while something here is not saved. */
  declare stale: boolean;
  declare channels: readonly { readonly id: string; readonly label: string }[];
  declare explained: Explained | undefined;
  declare problem: string;
  #hash = '';

  constructor() {
    super();
    this.agents = [];
    this.admin = false;
    this.draft = [];
    this.adding = false;
    this.saving = false;
    this.stale = false;
    this.channels = [];
    this.problem = '';
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.onLeave(
      this.app.whenConnected(() => void this.#load()),
      this.app.on(({ event }) => event === 'agents.changed' && this.#onEvent()),
    );
  }

  override render(): unknown {
    const { saved, draft, explained } = this;
    if (!saved) return nothing;
    const winner = explained?.bindings.find(({ chosen }) => chosen);
    return html`<section class="card" aria-labelledby="routing-title"><div class="bar"><h2 id="routing-title">Who
      answers</h2><span class="spacer"></span>${
        this.admin && !this.adding
          ? html`<button class="button small" @click=${() => (this.adding = true)}>${icon('plus')} Add binding</button>`
          : nothing
      }</div>
      <p class="small quiet">A message goes to the agent of the most specific binding that matches; of equal ones, the
        first. The question below shows which one wins; nothing is sent.</p>
      ${this.#question()}
      ${this.problem ? html`<p class="strip bad" role="alert">${this.problem}</p>` : nothing}
      <p class="routing-answer" role="status">${explained ? this.#answer(explained) : nothing}</p>
      ${
        this.adding
          ? bindingForm({
              agents: this.agents,
              channels: this.channels,
              add: (binding) => this.#change([...draft, { binding }]),
              cancel: () => (this.adding = false),
            })
          : nothing
      }
      <ol class="routing">${draft.map(({ binding, keep }, index) => {
        const said = explained?.bindings.find(({ path }) => path === `bindings[${index}]`);
        return this.#line({
          from: placeText(binding.match),
          to: binding.agentId,
          tone: explained ? (said?.chosen ? 'won' : 'lost') : keep === undefined ? 'new' : '',
          why: said?.why ?? (explained ? 'It is for another channel.' : ''),
          place: index,
        });
      })}
      ${this.#line({
        from: draft.length > 0 ? 'Everything else' : 'Every message',
        to: this.agents.find(({ id }) => id === this.#defaultId)?.id ?? this.#defaultId,
        tone: explained ? (winner || explained.broadcast ? 'lost' : 'won') : '',
        why: explained && !winner && !explained.broadcast ? 'No binding matches, so the default agent answers.' : '',
      })}</ol>${isChanged(draft, saved) ? this.#unsaved(saved) : nothing}</section>`;
  }

  /** What is about to be saved, as a diff. */
  #unsaved(saved: readonly Binding[]): TemplateResult {
    const say = ({ match, agentId }: Binding): string => `${placeText(match)} → ${this.#nameOf(agentId)}`;
    return html`<div class="routing-unsaved">
      ${
        this.stale
          ? html`<div class="strip warn" role="alert"><span>The configuration was changed meanwhile, so this cannot be
        saved.</span><button class="button small" @click=${() => void this.#load()}>Load it again</button></div>`
          : nothing
      }
      ${diffView([{ path: 'Not saved yet', diff: draftDiff(saved, this.draft, say) }])}
      <div class="bar"><span class="small quiet">The question above already counts with these.</span>
        <span class="spacer"></span><button class="button" ?disabled=${this.saving} @click=${() =>
          this.#change(draftOf(saved))}>Discard</button>
        <button class="button primary" ?disabled=${this.saving || this.stale} @click=${() =>
          void this.#save(saved)}>${this.saving ? 'Saving…' : 'Save bindings'}</button></div></div>`;
  }

  get #defaultId(): string {
    return this.app.hello.get()?.snapshot.sessionDefaults?.defaultAgentId ?? 'main';
  }

  #question(): TemplateResult {
    return html`<form class="routing-form" @submit=${(event: SubmitEvent) => void this.#ask(event)}>
      <select class="field" name="channel" aria-label="Channel">${this.channels.map(
        ({ id, label }) => html`<option value=${id}>${label}</option>`,
      )}</select>
      <select class="field" name="chatKind" aria-label="Kind of chat"><option value="direct">Direct chat</option>
        <option value="group">Group</option><option value="channel">Channel</option></select>
      <input class="field" name="chatId" aria-label="Chat or sender id" placeholder="Chat or sender id, from /whoami"
        maxlength="256" autocomplete="off" />
      <input class="field" name="accountId" aria-label="Account" placeholder="Account (optional)" maxlength="64"
        autocomplete="off" />
      <button class="button">Who answers this?</button></form>`;
  }

  #answer({ route, broadcast, sessionKeys }: Explained): TemplateResult {
    return broadcast
      ? html`<b>${broadcast.agents.map((id) => this.#nameOf(id)).join(', ')}</b> answer,
          by <code>${broadcast.path}</code>.`
      : html`<b>${this.#nameOf(route.agentId)}</b> answers, in the session <code>${sessionKeys[0]}</code>.`;
  }

  #nameOf(id: string): string {
    const agent = this.agents.find((one) => one.id === id.toLowerCase());
    return agent ? agentLabel(agent) : id;
  }

  #line({ from, to, tone, why, place }: Line): TemplateResult {
    const agent = this.agents.find(({ id }) => id === to.toLowerCase());
    return html`<li class="routing-line ${tone}"><span class="routing-from">${from}</span><span class="routing-arrow"
      aria-hidden="true"></span><span class="offscreen"> goes to </span><span class="routing-to">${
        agent ? agentLabel(agent) : html`${to} <small class="agent-lacks">no such agent</small>`
      }${tone === 'won' ? icon('check') : nothing}</span>${
        place === undefined || !this.admin ? nothing : this.#hands(place, `${from} to ${this.#nameOf(to)}`)
      }${why ? html`<small class="routing-why">${why}</small>` : nothing}</li>`;
  }

  #hands(place: number, what: string): TemplateResult {
    const move = (by: number): void => this.#change(moved(this.draft, place, by));
    return html`<span class="routing-hands">
      <button class="ghost up" title="Earlier"
        aria-label="Move earlier: ${what}" ?disabled=${place === 0} @click=${() => move(-1)}>${icon('down')}</button>
      <button class="ghost" title="Later" aria-label="Move later: ${what}" ?disabled=${
        place === this.draft.length - 1
      } @click=${() => move(1)}>${icon('down')}</button>
      <button class="ghost" title="Remove" aria-label="Remove: ${what}" @click=${() =>
        this.#change(this.draft.filter((_, index) => index !== place))}>${icon('close')}</button></span>`;
  }

  /** What was answered for other bindings no longer counts. */
  #change(draft: readonly Drafted[]): void {
    this.draft = draft;
    this.adding = false;
    this.explained = undefined;
    this.problem = '';
  }

  #onEvent(): void {
    if (this.saved && isChanged(this.draft, this.saved) && !this.saving) this.stale = true;
    else if (!this.saving) void this.#load();
  }

  async #save(before: readonly Binding[]): Promise<void> {
    const { draft } = this;
    await this.#send(toSend(draft), () =>
      toast('Bindings saved', 'plain', {
        label: 'Undo',
        act: () => void this.#send(backTo(before, draft), () => toast('The bindings are as they were before')),
      }),
    );
  }

  /** Counts for the configuration they were made for: if somebody saved in between it is refused. */
  async #send(bindings: ReturnType<typeof toSend>, done: () => void): Promise<void> {
    this.saving = true;
    await this.#reporting(async () => {
      const { hash, warnings } = await this.app.request('agents.bindings.set', { bindings, baseHash: this.#hash });
      this.#hash = hash;
      await this.#read();
      done();
      if (warnings[0]) toast(warnings[0], 'bad');
    });
    this.saving = false;
  }

  async #ask(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    const form = new FormData(event.target as HTMLFormElement);
    const written = (name: string): string => String(form.get(name) ?? '').trim();
    const chatId = written('chatId');
    const direct = written('chatKind') === 'direct';
    await this.#reporting(async () => {
      this.explained = await this.app.request('route.explain', {
        channel: written('channel'),
        chatKind: written('chatKind') as 'direct' | 'group' | 'channel',
        ...(chatId ? { chatId, ...(direct ? { senderId: chatId } : {}) } : {}),
        ...(written('accountId') ? { accountId: written('accountId') } : {}),
        ...(this.saved && isChanged(this.draft, this.saved)
          ? { bindings: this.draft.map(({ binding }) => binding) }
          : {}),
      });
    });
  }

  #load(): Promise<void> {
    return this.#reporting(() => this.#read());
  }

  async #read(): Promise<void> {
    const [{ config, hash = '' }, { channels }] = await Promise.all([
      this.app.request('config.get'),
      this.app.request('channels.capabilities', {}),
    ]);
    this.saved = (config as { bindings?: readonly Binding[] }).bindings ?? [];
    this.draft = draftOf(this.saved);
    this.#hash = hash;
    this.stale = false;
    this.channels = channels;
    this.explained = undefined;
  }

  async #reporting(work: () => Promise<void>): Promise<void> {
    try {
      await work();
      this.problem = '';
    } catch (cause) {
      if (!isDisconnected(cause)) this.problem = messageOf(cause);
    }
  }
}

interface Line {
  readonly from: string;
  readonly to: string;
  readonly tone: string;
  readonly why: string;
  /** Absent: it is not one that can be changed. */
  readonly place?: number;
}

customElements.define('claw-agent-routing', AgentRouting);
