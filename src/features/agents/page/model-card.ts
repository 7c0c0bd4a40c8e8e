/** The card of what an agent works with: its model and fallbacks, and its skills. */
import { html, nothing, type TemplateResult } from 'lit';
import type { AgentDescribed } from '../answers.ts';

export interface ModelCard {
  readonly agent: AgentDescribed;
  readonly skills: readonly { readonly name: string; readonly enabled: boolean; readonly ready: boolean }[];
  readonly models: readonly string[];
  readonly disabled: boolean;
  update(change: object): Promise<void>;
  open(page: 'skills' | 'models'): void;
}

export function modelCard(card: ModelCard): TemplateResult {
  const { agent, models, disabled, update, open } = card;
  const primary = agent.model.own ? (agent.model.primary ?? '') : '';
  const choices = [...new Set([...(primary ? [primary] : []), ...models])];
  return html`<section class="card" aria-labelledby="agent-model"><h2 id="agent-model">Model and skills</h2>
    <label class="agent-model"><span>Model</span><select class="field" ?disabled=${disabled} @change=${(
      event: Event,
    ) => {
      const { value } = event.target as HTMLSelectElement;
      void update({ model: value ? { primary: value } : null });
    }}><option value="" ?selected=${primary === ''}>As all agents${
      agent.model.own ? '' : `: ${agent.model.primary ?? 'chosen by the gateway'}`
    }</option>${choices.map(
      (name) => html`<option value=${name} ?selected=${name === primary}>${name}</option>`,
    )}</select></label>
    <p class="small quiet">${
      agent.model.fallbacks.length > 0
        ? html`If it fails: ${agent.model.fallbacks.join(', then ')}.`
        : 'There is no fallback if it fails.'
    } <button class="link" @click=${() => open('models')}>Models</button></p>
    ${skillsPart(card)}</section>`;
}

function skillsPart({ agent, skills, disabled, update, open }: ModelCard): TemplateResult {
  if (skills.length === 0)
    return html`<p class="agent-line"><b>Skills</b> None found. Put a folder with a <code>SKILL.md</code> into
      <code>skills</code> of its folder.</p>`;
  const toggle = (name: string, on: boolean): void => {
    const enabled = skills.filter((one) => (one.name === name ? on : one.enabled)).map((one) => one.name);
    const gone = (agent.skills ?? []).filter((one) => !skills.some((skill) => skill.name === one));
    void update({ skills: enabled.length === skills.length && gone.length === 0 ? null : [...enabled, ...gone] });
  };
  return html`<fieldset class="agent-skills" ?disabled=${disabled}><legend>Skills</legend>${skills.map(
    ({ name, enabled, ready }) =>
      html`<label class="check"><input type="checkbox" .checked=${enabled} @change=${(event: Event) =>
        toggle(name, (event.target as HTMLInputElement).checked)} />${name}${
        ready ? nothing : html`<small class="agent-lacks">something is missing</small>`
      }</label>`,
  )} <button type="button" class="link" @click=${() => open('skills')}>Details</button></fieldset>`;
}
