/** `<claw-tools-page>`: the tools an agent has in a place, and which rule took the others away, as the gateway says. */
import '../tools/tools-page.css';
import { html, nothing, type TemplateResult } from 'lit';
import type { App } from '../app.ts';
import { icon } from '../elements/icons.ts';
import { LightElement } from '../elements/light-element.ts';
import { agentLabel } from '../gateway/agents.ts';
import { isDisconnected, messageOf } from '../gateway/requests.ts';
import type { ChannelOffer, SandboxExplained, ToolDecision, ToolsExplained } from '../gateway/wire.ts';
import { visible } from '../tools/visible-view.ts';
import { sandboxLine } from './tools-card.ts';

/** The place of an assumed message; with empty fields, the main conversation. */
interface Place {
  readonly agentId: string;
  readonly channel: string;
  readonly groupId: string;
  readonly sender: string;
}

const FIELDS = ['agentId', 'channel', 'groupId', 'sender'] as const;

export class ToolsPage extends LightElement {
  static override properties = {
    place: { state: true },
    explained: { state: true },
    sandbox: { state: true },
    channels: { state: true },
    acts: { state: true },
    shown: { state: true },
    problem: { state: true },
  };
  declare app: App;
  declare place: Place;
  declare explained: ToolsExplained | undefined;
  declare sandbox: SandboxExplained | undefined;
  declare channels: readonly ChannelOffer[];
  /** What the calls of a tool may do, by tool; loaded when it is opened. */
  declare acts: ReadonlyMap<string, ToolsExplained['access']>;
  declare shown: 'all' | 'allowed' | 'removed';
  declare problem: string;

  constructor() {
    super();
    this.place = {
      agentId: new URLSearchParams(location.search).get('id') ?? '',
      channel: '',
      groupId: '',
      sender: '',
    };
    this.channels = [];
    this.acts = new Map();
    this.shown = 'all';
    this.problem = '';
  }

  override connectedCallback(): void {
    this.watch(this.app.agents);
    super.connectedCallback();
    this.onLeave(
      this.app.whenConnected(() => void this.#begin()),
      this.app.on(({ event }) => event === 'agents.changed' && void this.#load()),
    );
  }

  override render(): unknown {
    const { explained } = this;
    return html`<div class="column wide pad tools-page">
      ${this.problem ? html`<p class="strip bad" role="alert">${this.problem}</p>` : nothing}
      <section class="card" aria-labelledby="place-title"><h2 id="place-title">Where</h2>
        <p class="small quiet">Tools depend on the agent, the chat and the sender. Nothing is sent.</p>${this.#form()}
        ${this.sandbox ? html`<p class="small tools-sandbox">${sandboxLine(this.sandbox)}</p>` : nothing}</section>
      ${explained ? this.#tools(explained) : this.problem ? nothing : LOADING}</div>`;
  }

  #form(): TemplateResult {
    const { agentId, channel } = this.place;
    return html`<form class="tools-place" @submit=${(event: Event) => event.preventDefault()} @change=${(
      event: Event,
    ) => this.#chosen(event.currentTarget as HTMLFormElement)}>
      <label><span>Agent</span><select class="field" name="agentId">${this.app.agents.get().map(
        (agent) =>
          html`<option value=${agent.id}
              ?selected=${agent.id === (agentId || this.explained?.agentId)}>${agentLabel(agent)}</option>`,
      )}</select></label>
      <label><span>Channel</span><select class="field" name="channel">
        <option value="">Main conversation</option>${this.channels.map(
          ({ id, label }) => html`<option value=${id} ?selected=${id === channel}>${label}</option>`,
        )}</select></label>
      <label><span>Group</span><input class="field" name="groupId" placeholder="none: a direct chat" maxlength="256"
        autocomplete="off" ?disabled=${channel === ''} /></label>
      <label><span>Sender</span><input class="field" name="sender" placeholder="id, from /whoami" maxlength="256"
        autocomplete="off" ?disabled=${channel === ''} /></label></form>`;
  }

  #tools({ tools, warnings, profile, sessionKey }: ToolsExplained): TemplateResult {
    const allowed = tools.filter((tool) => tool.allowed);
    const chosen = this.shown === 'all' ? tools : tools.filter((tool) => tool.allowed === (this.shown === 'allowed'));
    const view = (name: ToolsPage['shown'], label: string): TemplateResult =>
      html`<button class="button small" aria-pressed=${this.shown === name ? 'true' : 'false'} @click=${() =>
        (this.shown = name)}>${label}</button>`;
    return html`<section class="card" aria-labelledby="tools-title"><div class="bar"><h2 id="tools-title"
      role="status">${allowed.length} of ${tools.length} tools</h2><span class="spacer"></span>
      <span class="views" role="group" aria-label="Show">${view(
        'all',
        'All',
      )}${view('allowed', 'Allowed')}${view('removed', 'Removed')}</span></div>
      <p class="small quiet">In <code>${sessionKey}</code>, profile <code>${profile}</code>.</p>
      ${warnings.map((warning) => html`<p class="small tools-warning">${warning}</p>`)}
      ${chosen.length === 0 ? html`<p class="quiet">None.</p>` : nothing}
      ${chosen.map((tool) => this.#tool(tool))}</section>`;
  }

  #tool(tool: ToolDecision): TemplateResult {
    const { name, summary, allowed, stages, pluginId } = tool;
    const decided = stages.find(({ ok }) => !ok);
    return html`<details class="tool-line ${allowed ? '' : 'removed'}" @toggle=${(event: Event) =>
      (event.target as HTMLDetailsElement).open && allowed && void this.#explain(name)}>
      <summary>${icon(allowed ? 'check' : 'close')}<span class="tool-line-name"><b>${name}</b><small>${summary}${
        pluginId ? ` · from the plugin ${pluginId}` : ''
      }</small></span><span class="tool-line-why">${
        decided
          ? html`Removed by ${STAGES[decided.stage] ?? decided.stage}
            ${decided.setting ? html`<code>${decided.setting}</code>` : nothing}`
          : 'Allowed'
      }</span></summary>
      <ol class="tool-stages">${stages.map(
        ({ stage, ok, setting, pattern }, index) =>
          html`<li class=${ok ? 'good' : index === stages.findIndex((one) => !one.ok) ? 'bad' : 'later'}>${icon(
            ok ? 'check' : 'close',
          )}<span>${STAGES[stage] ?? stage}${setting ? html` <code>${setting}</code>` : ok ? ': no rule' : nothing}${
            pattern ? html` <small>${visible(pattern)}</small>` : nothing
          }</span></li>`,
      )}</ol>${this.#acts(name)}</details>`;
  }

  #acts(name: string): TemplateResult | typeof nothing {
    const access = this.acts.get(name);
    if (!access || access.acts.length === 0) return nothing;
    return html`<h3 class="tool-acts-title">What its calls may do, for ${access.requester.standing}</h3>
      <ul class="tool-acts">${access.acts.map(
        ({ ok, verb, kind, means }) =>
          html`<li class=${ok ? 'good' : 'bad'}>${icon(ok ? 'check' : 'close')}
            <span>${verb} ${kind.replaceAll('-', ' ')}
            <small>${means}</small></span></li>`,
      )}</ul>`;
  }

  #chosen(form: HTMLFormElement): void {
    const written = new FormData(form);
    const place = Object.fromEntries(FIELDS.map((name) => [name, String(written.get(name) ?? '').trim()]));
    this.place = { ...this.place, ...place };
    this.acts = new Map();
    void this.#load();
  }

  /** Empty fields are left out. */
  get #params(): object {
    return Object.fromEntries(Object.entries(this.place).filter(([, value]) => value !== ''));
  }

  async #begin(): Promise<void> {
    await Promise.all([
      this.#load(),
      this.#reporting(async () => {
        this.channels = (await this.app.request('channels.capabilities', {})).channels;
      }),
    ]);
  }

  async #load(): Promise<void> {
    const params = this.#params;
    await this.#reporting(async () => {
      const { agentId } = this.place;
      const [explained, sandbox] = await Promise.all([
        this.app.request('tools.explain', params),
        this.app.offers('sandbox.explain')
          ? this.app.request('sandbox.explain', agentId ? { agentId } : {}).catch(() => undefined)
          : undefined,
      ]);
      this.explained = explained;
      this.sandbox = this.place.channel === '' ? sandbox : undefined;
      this.problem = '';
    });
  }

  async #explain(tool: string): Promise<void> {
    if (this.acts.has(tool)) return;
    await this.#reporting(async () => {
      const { access } = await this.app.request('tools.explain', { ...this.#params, tool });
      this.acts = new Map([...this.acts, [tool, access]]);
    });
  }

  async #reporting(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (cause) {
      if (!isDisconnected(cause)) this.problem = messageOf(cause);
    }
  }
}

const LOADING = html`<p class="quiet">Loading tools…</p>`;

/** The stages of the policy, as phrases. */
const STAGES: Readonly<Record<string, string | undefined>> = {
  profile: 'the profile',
  'provider profile': 'the profile of the model’s provider',
  global: 'the general rules',
  provider: 'the rules for the model’s provider',
  agent: 'the rules of the agent',
  'agent provider': 'the rules of the agent for the model’s provider',
  group: 'the rules of the group',
  sandbox: 'the rules of the sandbox',
  'sub-agent': 'the rules for sub-agents',
  available: 'what there is on this machine',
};

customElements.define('claw-tools-page', ToolsPage);
