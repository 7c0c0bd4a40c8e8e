/** The card of the tools of an agent: its profile, and each tool given or taken away; general rules stand above. */
import { html, nothing, type TemplateResult } from 'lit';
import type { ToolsExplained } from '../../../../ui/src/gateway/wire.ts';
import type { AgentDescribed } from '../answers.ts';
import { choiceOf } from './tool-choice.ts';

interface ToolsCard {
  readonly agent: AgentDescribed;
  /** Of its main conversation. */
  readonly tools: ToolsExplained;
  readonly disabled: boolean;
  update(change: object): Promise<void>;
  open(page: 'tools'): void;
}

const PROFILES = {
  minimal: 'session status',
  coding: 'files, commands, sessions',
  messaging: 'messages, sessions',
  full: 'all',
};

export function toolsCard(card: ToolsCard): TemplateResult {
  const { agent, tools, disabled, update, open } = card;
  const allowed = tools.tools.filter((tool) => tool.allowed).length;
  return html`<section class="card" aria-labelledby="agent-tools"><div class="bar"><h2 id="agent-tools">Tools</h2>
    <span class="spacer"></span><span class="small quiet" role="status">${allowed} of ${tools.tools.length}</span></div>
    <p class="small quiet">In the main conversation of ${agent.name}. General rules, groups and the sandbox can take
      more away. <button class="link" @click=${() => open('tools')}>Which rule decides where</button></p>
    <label class="agent-model"><span>Profile</span><select class="field" ?disabled=${disabled} @change=${(
      event: Event,
    ) => void update({ tools: { profile: (event.target as HTMLSelectElement).value || null } })}>
      <option value="" ?selected=${!agent.tools.profile}>As all agents${
        agent.tools.profile ? '' : `: ${tools.profile}`
      }</option>${Object.entries(PROFILES).map(
        ([name, what]) =>
          html`<option value=${name} ?selected=${name === agent.tools.profile}>${name} (${what})</option>`,
      )}</select></label>
    <fieldset class="agent-tools" ?disabled=${disabled}>
      <legend class="offscreen">Tools of ${agent.name}</legend>${tools.tools.map((tool) =>
        toolLine(tool, card),
      )}</fieldset></section>`;
}

function toolLine(tool: ToolsExplained['tools'][number], { agent, update }: ToolsCard): TemplateResult {
  const choice = choiceOf(tool, agent.tools);
  const blocked = 'blocked' in choice ? choice.blocked : undefined;
  return html`<label class="agent-tool" title=${tool.summary}><input type="checkbox" .checked=${tool.allowed}
    ?disabled=${blocked !== undefined} @change=${() => 'change' in choice && void update({ tools: choice.change })} />
    <span>${tool.name}${blocked ? html`<small>${blocked}</small>` : nothing}</span></label>`;
}
