/** `<claw-skills>`: which skills an agent finds, whether it may use them, what they lack, and what they say. */
import './skills.css';
import { html, nothing, type TemplateResult } from 'lit';
import type { App } from '../../../../ui/src/app.ts';
import { copyText } from '../../../../ui/src/elements/clipboard.ts';
import { LightElement } from '../../../../ui/src/elements/light-element.ts';
import { toast } from '../../../../ui/src/elements/toast.ts';
import { agentLabel } from '../../../../ui/src/gateway/agents.ts';
import { isDisconnected, messageOf } from '../../../../ui/src/gateway/requests.ts';
import type { AgentSkill, SkillAnswers } from '../answers.ts';

export class SkillsPage extends LightElement {
  static override properties = {
    agentId: { state: true },
    list: { state: true },
    query: { state: true },
    texts: { state: true },
    problem: { state: true },
    busy: { state: true },
  };
  declare app: App;
  /** Empty: the default agent. */
  declare agentId: string;
  declare list: SkillAnswers['skills.list'] | undefined;
  declare query: string;
  /** Of those that were opened, by name. */
  declare texts: ReadonlyMap<string, string>;
  declare problem: string;
  declare busy: boolean;

  constructor() {
    super();
    this.agentId = new URLSearchParams(location.search).get('id') ?? '';
    this.query = '';
    this.texts = new Map();
    this.problem = '';
    this.busy = false;
  }

  override connectedCallback(): void {
    this.watch(this.app.agents);
    super.connectedCallback();
    this.onLeave(
      this.app.whenConnected(() => void this.#load()),
      this.app.on(({ event }) => event === 'agents.changed' && void this.#load()),
    );
  }

  override render(): unknown {
    const { list } = this;
    if (!list)
      return html`<div class="column wide pad"><p class="quiet">${this.problem || 'Loading skills…'}</p></div>`;
    const words = this.query.toLowerCase();
    const found = list.skills.filter(({ name, description }) => `${name} ${description}`.toLowerCase().includes(words));
    return html`<div class="column wide pad skills">
      ${this.problem ? html`<p class="strip bad" role="alert">${this.problem}</p>` : nothing}
      <div class="bar">${this.#agents(list.agentId)}<span class="spacer"></span><input class="field" type="search"
        placeholder="Search" aria-label="Search skills" .value=${this.query} @input=${(event: Event) =>
          (this.query = (event.target as HTMLInputElement).value)} /></div>
      ${list.skills.length === 0 ? empty(list.folders) : nothing}
      ${list.skills.length > 0 && found.length === 0 ? html`<p class="quiet">No skills match.</p>` : nothing}
      ${found.map((skill) => this.#skill(skill, list))}</div>`;
  }

  #agents(chosen: string): TemplateResult {
    return html`<label class="bar">Agent <select class="field" aria-label="Agent" @change=${(event: Event) => {
      this.agentId = (event.target as HTMLSelectElement).value;
      this.texts = new Map();
      void this.#load();
    }}>${this.app.agents
      .get()
      .map(
        (agent) => html`<option value=${agent.id} ?selected=${agent.id === chosen}>${agentLabel(agent)}</option>`,
      )}</select></label>`;
  }

  #skill(skill: AgentSkill, list: SkillAnswers['skills.list']): TemplateResult {
    const { name, description, from, path, enabled, ready, requirements } = skill;
    const text = this.texts.get(name);
    return html`<section class="card skill" aria-label=${name}><div class="bar"><h2>${name}</h2>
      <span class="skill-state ${enabled ? (ready ? 'good' : 'warn') : ''}">${
        enabled ? (ready ? 'Ready' : 'Something is missing') : 'Disabled'
      }</span><span class="spacer"></span>${
        this.app.offers('agents.update')
          ? html`<button class="button small" ?disabled=${this.busy}
              @click=${() => void this.#enable(skill, list)}>${
                enabled ? 'Disable' : 'Enable'
              }<span class="offscreen"> ${name}</span></button>`
          : nothing
      }</div>
      <p>${description}</p>
      <p class="small quiet">${from === 'workspace' ? 'Only of this agent' : 'Of all agents'}: <code>${path}</code></p>
      ${requirements.length > 0 ? html`<ul class="skill-needs">${requirements.map((one) => need(one))}</ul>` : nothing}
      <details @toggle=${(event: Event) =>
        (event.target as HTMLDetailsElement).open &&
        text === undefined &&
        void this.#read(name)}><summary>Read it</summary>
        ${
          text === undefined
            ? html`<p class="quiet">Loading…</p>`
            : html`<pre class="skill-text" tabindex="0">${text}</pre>`
        }
      </details></section>`;
  }

  async #enable({ name, enabled }: AgentSkill, { agentId, skills }: SkillAnswers['skills.list']): Promise<void> {
    const usable = skills.filter((one) => (one.name === name ? !enabled : one.enabled)).map((one) => one.name);
    this.busy = true;
    try {
      const change = { agentId, skills: usable.length === skills.length ? null : usable };
      await this.app.requestOffered('agents.update', change);
      toast(enabled ? `${name} disabled` : `${name} enabled`);
    } catch (cause) {
      toast(messageOf(cause), 'bad');
    }
    this.busy = false;
    await this.#load();
  }

  async #read(name: string): Promise<void> {
    try {
      const { content } = await this.app.request('skills.read', { name, agentId: this.list!.agentId });
      this.texts = new Map([...this.texts, [name, content]]);
    } catch (cause) {
      if (!isDisconnected(cause)) this.problem = messageOf(cause);
    }
  }

  async #load(): Promise<void> {
    try {
      this.list = await this.app.request('skills.list', this.agentId ? { agentId: this.agentId } : {});
      this.problem = '';
    } catch (cause) {
      if (!isDisconnected(cause)) this.problem = messageOf(cause);
    }
  }
}

const KINDS: Readonly<Record<AgentSkill['requirements'][number]['kind'], string>> = {
  program: 'Program',
  'one of': 'One of the programs',
  variable: 'Variable',
  system: 'System',
};

const need = ({ kind, name, met, install }: AgentSkill['requirements'][number]): TemplateResult =>
  html`<li class=${met ? 'good' : 'warn'}><span>${KINDS[kind]} <code>${name}</code>:
    ${met ? 'found' : 'missing'}</span>${
      met
        ? nothing
        : install.map(
            (command) =>
              html`<span class="command"><code>${command}</code><button class="button small" @click=${() =>
                void copyText(command)}>Copy<span class="offscreen"> ${command}</span></button></span>`,
          )
    }${
      !met && kind === 'variable'
        ? html`<small class="quiet">Set it in <code>env.vars</code> of the configuration, or in the environment of the
        gateway.</small>`
        : nothing
    }</li>`;

const empty = (folders: readonly string[]): TemplateResult =>
  html`<section class="card"><h2>No skills found</h2><p>A skill is a folder with a <code>SKILL.md</code> that says its
    name and what it is for. Put it into one of these, and the agent finds it at its next turn:</p><ul>${folders.map(
      (folder) => html`<li><code>${folder}</code></li>`,
    )}</ul></section>`;

customElements.define('claw-skills', SkillsPage);
