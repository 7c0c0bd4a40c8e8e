/** `<claw-agents>`: which agents there are, what each is, and which one answers where. */
import './agents.css';
import './file-editor.ts';
import './routing-card.ts';
import { html, nothing, type TemplateResult } from 'lit';
import type { App } from '../../../../ui/src/app.ts';
import { ask, confirmed } from '../../../../ui/src/elements/dialogs.ts';
import { icon } from '../../../../ui/src/elements/icons.ts';
import { LightElement } from '../../../../ui/src/elements/light-element.ts';
import { toast } from '../../../../ui/src/elements/toast.ts';
import { agentName } from '../../../../ui/src/gateway/agents.ts';
import { isDisconnected, messageOf } from '../../../../ui/src/gateway/requests.ts';
import type { Agent, ToolsExplained } from '../../../../ui/src/gateway/wire.ts';
import type { AgentDescribed } from '../answers.ts';
import { identityCard } from './identity-card.ts';
import { modelCard } from './model-card.ts';
import { toolsCard } from './tools-card.ts';

interface Shown {
  readonly agent: AgentDescribed;
  readonly skills: readonly { readonly name: string; readonly enabled: boolean; readonly ready: boolean }[];
  /** Of its main conversation. */
  readonly tools: ToolsExplained | undefined;
}

export class AgentsPage extends LightElement {
  static override properties = {
    agents: { state: true },
    models: { state: true },
    chosen: { state: true },
    shown: { state: true },
    problem: { state: true },
    busy: { state: true },
  };
  declare app: App;
  declare agents: readonly Agent[] | undefined;
  declare models: readonly string[];
  declare chosen: string;
  declare shown: Shown | undefined;
  declare problem: string;
  declare busy: boolean;

  constructor() {
    super();
    this.models = [];
    this.chosen = new URLSearchParams(location.search).get('id') ?? '';
    this.problem = '';
    this.busy = false;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.onLeave(
      this.app.whenConnected(() => void this.#load()),
      this.app.on(({ event }) => event === 'agents.changed' && void this.#load()),
    );
  }

  override render(): unknown {
    if (!this.agents)
      return html`<div class="column wide pad"><p class="quiet">${this.problem || 'Loading agents…'}</p></div>`;
    return html`<div class="column wide pad agents">
      ${this.problem ? html`<p class="strip bad" role="alert">${this.problem}</p>` : nothing}
      <div class="agent-list" role="group" aria-label="Agents">${this.agents.map((one) => this.#choice(one))}
        <button class="agent-choice add" ?disabled=${this.busy} @click=${() => void this.#add()}>${icon(
          'plus',
        )}<span><b>Add agent</b></span></button></div>
      ${this.shown ? this.#agent(this.shown) : nothing}
      <claw-agent-routing .app=${this.app} .agents=${this.agents} .admin=${this.#admin}></claw-agent-routing></div>`;
  }

  #choice(agent: Agent): TemplateResult {
    const { id, model } = agent;
    return html`<button class="agent-choice" aria-pressed=${id === this.chosen ? 'true' : 'false'} @click=${() =>
      void this.#choose(id)}>${portrait(agent)}<span><b>${agentName(agent)}</b><small>${id} · ${model.primary
      .split('/')
      .at(-1)}</small></span></button>`;
  }

  get #admin(): boolean {
    return this.app.hello.get()?.auth?.scopes?.includes('operator.admin') ?? true;
  }

  #agent({ agent, skills, tools }: Shown): TemplateResult {
    const admin = this.#admin;
    const disabled = this.busy || !admin;
    const update = (change: object): Promise<void> => this.#update(agent.agentId, change);
    const open = (page: 'tools' | 'skills' | 'models'): void => this.app.go(page, agent.agentId);
    return html`
      ${identityCard({ agent, admin, busy: this.busy, update, remove: () => void this.#remove(agent) })}
      <section class="card" aria-labelledby="agent-files"><h2 id="agent-files">Workspace files</h2>
        <claw-agent-files .app=${this.app} .agentId=${agent.agentId} .admin=${admin}></claw-agent-files></section>
      ${modelCard({
        agent,
        skills,
        models: this.models,
        disabled,
        update,
        open,
      })}${tools ? toolsCard({ agent, tools, disabled, update, open }) : nothing}`;
  }

  async #choose(id: string): Promise<void> {
    const editor = this.querySelector('claw-agent-files');
    if (editor && !(await editor.mayLeave())) return;
    this.chosen = id;
    history.replaceState(null, '', `${location.pathname}?id=${encodeURIComponent(id)}`);
    await this.#load();
  }

  async #add(): Promise<void> {
    const name = (
      await ask({
        title: 'Add an agent',
        body: 'It gets a folder, files and conversations of its own. Its id is made of its name and stays.',
        action: 'Add agent',
        value: '',
        placeholder: 'Name',
      })
    )?.trim();
    if (!name) return;
    const agentId = idOf(name);
    await this.#during(async () => {
      await this.app.request('agents.create', { agentId, name });
      this.chosen = agentId;
      toast(`${name} added`);
    });
  }

  async #remove({ agentId, name, bindings, workspace }: AgentDescribed): Promise<void> {
    const body = html`<p>Its settings${
      bindings > 0 ? ` and ${bindings === 1 ? 'its binding' : `its ${bindings} bindings`}` : ''
    } are removed from the configuration. The default agent answers in its place.</p><p>Its folder
      <code>${workspace}</code> and its conversations stay on disk.</p>`;
    if (!(await confirmed({ title: `Remove ${name}?`, body, action: 'Remove agent', danger: true }))) return;
    await this.#during(async () => {
      await this.app.request('agents.delete', { agentId });
      this.chosen = '';
      toast(`${name} removed`);
    });
  }

  #update(agentId: string, change: object): Promise<void> {
    return this.#during(async () => {
      const { warnings } = await this.app.request('agents.update', { agentId, ...change });
      toast(warnings[0] ?? 'Saved', warnings[0] ? 'bad' : 'plain');
    });
  }

  async #during(work: () => Promise<void>): Promise<void> {
    this.busy = true;
    try {
      await work();
    } catch (cause) {
      toast(messageOf(cause), 'bad');
    }
    await this.#load();
    this.busy = false;
  }

  async #load(): Promise<void> {
    const { app } = this;
    try {
      const { agents, defaultId } = await app.request('agents.list');
      if (!agents.some(({ id }) => id === this.chosen)) this.chosen = defaultId;
      const agentId = this.chosen;
      const [agent, listed, tools, { models }] = await Promise.all([
        app.request('agents.describe', { agentId }),
        app.requestOffered<Pick<Shown, 'skills'>>('skills.list', { agentId }),
        // An agent whose model is wrong has no tools to explain, and is here to be mended.
        app.request('tools.explain', { agentId }).catch(() => undefined),
        app.request('models.list'),
      ]);
      if (agentId !== this.chosen) return;
      this.agents = agents;
      this.models = models.map(({ provider, id }) => `${provider}/${id}`);
      this.shown = { agent, skills: listed?.skills ?? [], tools };
      this.problem = '';
    } catch (cause) {
      if (!isDisconnected(cause)) this.problem = messageOf(cause);
    }
  }
}

/** The gateway draws the emoji or the initial of those without a picture. */
const portrait = ({ id, identity }: Agent): TemplateResult =>
  html`<img class="agent-portrait" alt="" width="36" height="36"
    src="./avatar/${id}?v=${encodeURIComponent(faceOf(identity))}" />`;

/** Another face is another address. */
const faceOf = ({ avatar = '', emoji = '', name = '' }: NonNullable<Agent['identity']> = {}): string =>
  `${avatar}${emoji}${name}`;

/** `Home Help` → `home-help`; what has no letters of the alphabet gets a number. */
const idOf = (name: string): string =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 40) || `agent-${Date.now().toString(36)}`;

customElements.define('claw-agents', AgentsPage);
