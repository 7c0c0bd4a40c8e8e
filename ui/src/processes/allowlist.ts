/** `<claw-allowlist>`: the programs agents may run without asking: what each entry allows, removing and adding. */
import { html, nothing, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { Answers } from '../../../src/protocol/answers.ts';
import type { App } from '../app.ts';
import { confirmed } from '../elements/dialogs.ts';
import { LightElement } from '../elements/light-element.ts';
import { ago } from '../elements/times.ts';
import { toast } from '../elements/toast.ts';
import { agentLabel } from '../gateway/agents.ts';
import { isDisconnected, messageOf } from '../gateway/requests.ts';
import { visible } from '../tools/visible-view.ts';

interface Entry {
  readonly id?: string;
  readonly pattern: string;
  readonly commandText?: string;
  readonly argPattern?: string;
  readonly lastUsedAt?: number;
}
type Agents = Readonly<Record<string, { readonly allowlist?: readonly Entry[] }>>;
type Snapshot = Answers['exec.approvals.get'];

const agentsOf = ({ file }: Snapshot): Agents => (file['agents'] ?? {}) as Agents;

export class Allowlist extends LightElement {
  static override properties = {
    app: { attribute: false },
    snapshot: { state: true },
    problem: { state: true },
    busy: { state: true },
  };
  declare app: App;
  declare snapshot: Snapshot | undefined;
  declare problem: string;
  declare busy: boolean;

  constructor() {
    super();
    this.problem = '';
    this.busy = false;
  }

  override connectedCallback(): void {
    this.watch(this.app.agents, this.app.hello);
    super.connectedCallback();
    this.onLeave(
      this.app.whenConnected(() => void this.#load()),
      // "Always" adds an entry.
      this.app.on(({ event }) => event === 'exec.approval.resolved' && void this.#load()),
    );
  }

  override render(): unknown {
    if (!this.#mayEdit() || (!this.snapshot && !this.problem)) return nothing;
    const rows = Object.entries(this.snapshot ? agentsOf(this.snapshot) : {}).flatMap(([agent, { allowlist = [] }]) =>
      allowlist.map((entry, index) => ({ agent, entry, index })),
    );
    return html`<section class="card" aria-labelledby="allowlist-title">
      <h2 id="allowlist-title">Allowed without asking</h2>
      <p class="quiet small">Programs an agent may run without approval. Commands that only read never ask.</p>
      ${this.problem ? html`<p class="strip bad" role="alert">${this.problem}</p>` : nothing}
      ${
        rows.length === 0
          ? html`<p class="quiet">No program is allowed. “Always” on an approval adds one.</p>`
          : html`<ul class="rows">${repeat(
              rows,
              ({ agent, entry, index }) => `${agent} ${entry.id ?? `${index} ${entry.pattern}`}`,
              ({ agent, entry }) => this.#row(agent, entry),
            )}</ul>`
      }
      ${this.#form()}</section>`;
  }

  #row(agent: string, entry: Entry): TemplateResult {
    const { pattern, argPattern, commandText, lastUsedAt } = entry;
    return html`<li class="row"><div><code>${visible(pattern)}</code>
      <p class="quiet small">${agentName(this.app, agent)} · ${
        argPattern === undefined ? 'any arguments' : html`only <code>${visible(commandText ?? argPattern)}</code>`
      } · ${lastUsedAt === undefined ? 'never used' : `used ${ago(lastUsedAt, Date.now())}`}</p></div>
      <span class="row-actions"><button class="button small danger" ?disabled=${this.busy}
        aria-label="Remove ${pattern}"
        @click=${() => void this.#remove(agent, entry)}>Remove</button></span></li>`;
  }

  #form(): TemplateResult {
    const agents = this.app.agents.get();
    return html`<form class="allowlist-form" @submit=${(event: SubmitEvent) => {
      event.preventDefault();
      void this.#add(event.target as HTMLFormElement);
    }}><select class="field" name="agent" aria-label="Agent">${(agents.length > 0 ? agents : [{ id: 'main' }]).map(
      (agent) => html`<option value=${agent.id}>${agentLabel(agent)}</option>`,
    )}</select><input class="field mono" name="pattern" required pattern=".*[\\/\\\\~].*" maxlength="1024"
        title="The resolved path of the program" placeholder="/usr/bin/git" aria-label="Path of the program"
        autocomplete="off" autocapitalize="off" spellcheck="false" />
      <button class="button" type="submit" ?disabled=${this.busy}>Allow program</button></form>`;
  }

  #mayEdit(): boolean {
    return (
      this.app.offers('exec.approvals.get') && (this.app.hello.get()?.auth?.scopes?.includes('operator.admin') ?? false)
    );
  }

  async #load(): Promise<void> {
    if (!this.#mayEdit()) return;
    try {
      this.snapshot = await this.app.request('exec.approvals.get', {});
      this.problem = '';
    } catch (cause) {
      if (!isDisconnected(cause)) this.problem = messageOf(cause);
    }
  }

  async #add(form: HTMLFormElement): Promise<void> {
    const data = new FormData(form);
    const [agent, pattern] = [String(data.get('agent')), String(data.get('pattern')).trim()];
    const agreed = await confirmed({
      title: 'Allow this program?',
      body: html`<p><code>${visible(pattern)}</code> runs without asking, with any arguments, for
        ${agentName(this.app, agent)}.</p>`,
      action: 'Allow program',
      danger: true,
    });
    if (agreed && (await this.#save(agent, (list) => [...list, { pattern }]))) form.reset();
  }

  async #remove(agent: string, gone: Entry): Promise<void> {
    const same = (entry: Entry): boolean => JSON.stringify(entry) === JSON.stringify(gone);
    if (await this.#save(agent, (list) => list.filter((entry) => !same(entry))))
      toast('Removed. It needs approval again.', 'plain', {
        label: 'Undo',
        act: () => void this.#save(agent, (list) => [...list, gone]),
      });
  }

  /** Only over what the page shows: the gateway refuses when the file was changed since. */
  async #save(agent: string, change: (list: readonly Entry[]) => readonly Entry[]): Promise<boolean> {
    const { snapshot } = this;
    if (!snapshot) return false;
    const agents = agentsOf(snapshot);
    const allowlist = change(agents[agent]?.allowlist ?? []);
    this.busy = true;
    try {
      const file = { ...snapshot.file, agents: { ...agents, [agent]: { ...agents[agent], allowlist } } };
      this.snapshot = await this.app.request('exec.approvals.set', { file, baseHash: snapshot.hash } as never);
      this.problem = '';
      return true;
    } catch (cause) {
      await this.#load();
      this.problem = messageOf(cause);
      return false;
    } finally {
      this.busy = false;
    }
  }
}

function agentName(app: App, id: string): string {
  const agent = app.agents.get().find((one) => one.id === id);
  return agent ? agentLabel(agent) : id === '*' ? 'all agents' : id;
}

customElements.define('claw-allowlist', Allowlist);
