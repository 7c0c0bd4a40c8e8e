/** The form that adds a binding: where, and who answers there. */
import { html, type TemplateResult } from 'lit';
import { agentLabel } from '../../../../ui/src/gateway/agents.ts';
import type { Agent } from '../../../../ui/src/gateway/wire.ts';
import { bindingOf, type Binding } from './binding-draft.ts';

interface BindingForm {
  readonly agents: readonly Agent[];
  readonly channels: readonly { readonly id: string; readonly label: string }[];
  add(binding: Binding): void;
  cancel(): void;
}

export function bindingForm({ agents, channels, add, cancel }: BindingForm): TemplateResult {
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const form = new FormData(event.target as HTMLFormElement);
    add(bindingOf((name) => String(form.get(name) ?? '').trim()));
  };
  const narrow = (name: string, label: string, placeholder: string): TemplateResult =>
    html`<label><span>${label}</span><input class="field" name=${name} placeholder=${placeholder} maxlength="256"
      autocomplete="off" /></label>`;
  return html`<form class="binding-form" aria-label="New binding" @submit=${submit}>
    <label><span>Messages from</span><select class="field" name="channel" autofocus>${channels.map(
      ({ id, label }) => html`<option value=${id}>${label}</option>`,
    )}</select></label>
    <label><span>Chats</span><select class="field" name="peerKind"><option value="">All chats</option>
      <option value="direct">Direct chats</option><option value="group">Groups</option>
      <option value="channel">Channels</option></select></label>
    ${narrow('peerId', 'Chat id', 'all of this kind')}
    <label><span>go to</span><select class="field" name="agentId">${agents.map(
      (agent) => html`<option value=${agent.id}>${agentLabel(agent)}</option>`,
    )}</select></label>
    <details class="binding-more"><summary>Account, server, team, roles</summary><div>
      ${narrow('accountId', 'Account', 'any')}${narrow('guildId', 'Server', 'any')}
      ${narrow('teamId', 'Team', 'any')}
      ${narrow('roles', 'Roles of the sender', 'any; ids with commas')}</div></details>
    <div class="form-actions"><button type="button" class="button" @click=${cancel}>Cancel</button>
      <button class="button primary">Add to the list</button></div></form>`;
}
