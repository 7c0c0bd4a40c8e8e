/**
 * `<claw-agent-routing>`: the bindings as a picture, from where to whom, and which one wins for a message. The gateway
 * answers with the function that routes messages; nothing is sent.
 */
import { html, nothing, type TemplateResult } from 'lit';
import type { App } from '../../../../ui/src/app.ts';
import { icon } from '../../../../ui/src/elements/icons.ts';
import { LightElement } from '../../../../ui/src/elements/light-element.ts';
import { agentLabel } from '../../../../ui/src/gateway/agents.ts';
import { isDisconnected, messageOf } from '../../../../ui/src/gateway/requests.ts';
import type { Agent } from '../../../../ui/src/gateway/wire.ts';
import type { Answers } from '../../../protocol/answers.ts';

type Explained = Answers['route.explain'];

interface Binding {
  readonly agentId: string;
  readonly match: {
    readonly channel: string;
    readonly accountId?: string;
    readonly peer?: { readonly kind: string; readonly id: string };
    readonly guildId?: string;
    readonly teamId?: string;
    readonly roles?: readonly string[];
  };
}

export class AgentRouting extends LightElement {
  static override properties = {
    app: { attribute: false },
    agents: { attribute: false },
    bindings: { state: true },
    channels: { state: true },
    explained: { state: true },
    problem: { state: true },
  };
  declare app: App;
  declare agents: readonly Agent[];
  declare bindings: readonly Binding[] | undefined;
  declare channels: readonly { readonly id: string; readonly label: string }[];
  declare explained: Explained | undefined;
  declare problem: string;

  constructor() {
    super();
    this.agents = [];
    this.channels = [];
    this.problem = '';
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.onLeave(
      this.app.whenConnected(() => void this.#load()),
      this.app.on(({ event }) => event === 'agents.changed' && void this.#load()),
    );
  }

  override render(): unknown {
    const { bindings, explained } = this;
    if (!bindings) return nothing;
    const winner = explained?.bindings.find(({ chosen }) => chosen);
    return html`<section class="card" aria-labelledby="routing-title"><h2 id="routing-title">Who answers</h2>
      <p class="small quiet">A message goes to the agent of the most specific binding that matches. Shows which one
        wins; nothing is sent.</p>
      ${this.#question()}
      ${this.problem ? html`<p class="strip bad" role="alert">${this.problem}</p>` : nothing}
      <p class="routing-answer" role="status">${explained ? this.#answer(explained) : nothing}</p>
      <ol class="routing">${bindings.map((binding, index) => {
        const said = explained?.bindings.find(({ path }) => path === `bindings[${index}]`);
        return this.#line({
          from: placeText(binding.match),
          to: binding.agentId,
          tone: explained ? (said?.chosen ? 'won' : 'lost') : '',
          why: said?.why ?? (explained ? 'It is for another channel.' : ''),
        });
      })}
      ${this.#line({
        from: bindings.length > 0 ? 'Everything else' : 'Every message',
        to: this.agents.find(({ id }) => id === this.#defaultId)?.id ?? this.#defaultId,
        tone: explained ? (winner || explained.broadcast ? 'lost' : 'won') : '',
        why: explained && !winner && !explained.broadcast ? 'No binding matches, so the default agent answers.' : '',
      })}</ol></section>`;
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
    const name = (id: string): string => {
      const agent = this.agents.find((one) => one.id === id);
      return agent ? agentLabel(agent) : id;
    };
    return broadcast
      ? html`<b>${broadcast.agents.map(name).join(', ')}</b> answer, by <code>${broadcast.path}</code>.`
      : html`<b>${name(route.agentId)}</b> answers, in the session <code>${sessionKeys[0]}</code>.`;
  }

  #line({ from, to, tone, why }: { from: string; to: string; tone: string; why: string }): TemplateResult {
    const agent = this.agents.find(({ id }) => id === to.toLowerCase());
    return html`<li class="routing-line ${tone}"><span class="routing-from">${from}</span><span class="routing-arrow"
      aria-hidden="true"></span><span class="offscreen"> goes to </span><span class="routing-to">${
        agent ? agentLabel(agent) : html`${to} <small class="agent-lacks">no such agent</small>`
      }${tone === 'won' ? icon('check') : nothing}</span>${
        why ? html`<small class="routing-why">${why}</small>` : nothing
      }</li>`;
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
      });
    });
  }

  async #load(): Promise<void> {
    await this.#reporting(async () => {
      const [{ config }, { channels }] = await Promise.all([
        this.app.request('config.get'),
        this.app.request('channels.capabilities', {}),
      ]);
      this.bindings = (config as { bindings?: readonly Binding[] }).bindings ?? [];
      this.channels = channels;
      this.explained = undefined;
    });
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

const KINDS: Readonly<Record<string, string | undefined>> = { dm: 'direct chat', direct: 'direct chat' };

/** `telegram · account work · group -100123`. */
const placeText = ({ channel, accountId, peer, guildId, teamId, roles = [] }: Binding['match']): string =>
  [
    channel,
    accountId && accountId !== '*' ? `account ${accountId}` : '',
    guildId ? `server ${guildId}` : '',
    teamId ? `team ${teamId}` : '',
    roles.length > 0 ? `role ${roles.join(' or ')}` : '',
    peer
      ? `${peer.id === '*' ? 'every ' : ''}${KINDS[peer.kind] ?? peer.kind}${peer.id === '*' ? '' : ` ${peer.id}`}`
      : '',
  ]
    .filter(Boolean)
    .join(' · ');

customElements.define('claw-agent-routing', AgentRouting);
