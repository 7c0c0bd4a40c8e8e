/** The card of who an agent is: name, emoji, style, picture; default or not; and its removal. */
import { html, nothing, type TemplateResult } from 'lit';
import type { AgentDescribed } from '../answers.ts';

export interface IdentityCard {
  readonly agent: AgentDescribed;
  readonly admin: boolean;
  readonly busy: boolean;
  update(change: object): Promise<void>;
  remove(): void;
}

const FIELDS = [
  { key: 'name', label: 'Name', help: '' },
  { key: 'emoji', label: 'Emoji', help: '' },
  { key: 'theme', label: 'Style', help: 'A few words, for example “calm and precise”.' },
  { key: 'avatar', label: 'Picture', help: 'A picture file in its folder, for example avatar.png.' },
] as const;

export function identityCard({ agent, admin, busy, update, remove }: IdentityCard): TemplateResult {
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const form = new FormData(event.target as HTMLFormElement);
    const changed = FIELDS.flatMap(({ key }) => {
      const value = String(form.get(key) ?? '').trim();
      return value === (agent.identity[key] ?? '') ? [] : [[key, value || null] as const];
    });
    if (changed.length > 0) void update({ identity: Object.fromEntries(changed) });
  };
  return html`<section class="card" aria-labelledby="agent-title">
    <div class="bar"><h2 id="agent-title">${agent.name}</h2>${
      agent.isDefault ? html`<span class="agent-mark">default agent</span>` : nothing
    }<span class="spacer"></span>
      ${
        agent.isDefault || !admin
          ? nothing
          : html`<button class="button small" ?disabled=${busy} @click=${() =>
              void update({ isDefault: true })}>Make default</button>
            <button class="button small danger" ?disabled=${busy} @click=${remove}>Remove agent</button>`
      }</div>
    <p class="small quiet">Id <code>${agent.agentId}</code> · folder <code>${agent.workspace}</code></p>
    <form class="agent-identity" @submit=${submit}>${FIELDS.map(
      ({ key, label, help }) => html`<label><span>${label}</span><input class="field" name=${key} autocomplete="off"
        maxlength=${key === 'emoji' ? 16 : 200} .value=${agent.identity[key] ?? ''} ?disabled=${!admin}
        placeholder=${key === 'name' ? agent.name : ''} />${help ? html`<small>${help}</small>` : nothing}</label>`,
    )}
      ${
        admin
          ? html`<div class="form-actions"><button class="button primary"
        ?disabled=${busy}>Save identity</button></div>`
          : nothing
      }
    </form></section>`;
}
