/** The tools of the main agent, what removed the others, and whether commands run in a sandbox. */
import { html, nothing, type TemplateResult } from 'lit';
import type { SandboxExplained, ToolsExplained, ToolDecision } from '../gateway/wire.ts';

export function toolsCard(tools: ToolsExplained, sandbox: SandboxExplained | undefined): TemplateResult {
  const allowed = tools.tools.filter((tool) => tool.allowed);
  const removed = tools.tools.filter((tool) => !tool.allowed);
  return html`<section class="card tools" aria-label="Tools"><h2>Tools of agent ${tools.agentId}</h2>
    <p class="small quiet">${allowed.length === 0 ? 'None.' : 'Available to messages in the main conversation.'}${
      tools.profile && tools.profile !== 'full' ? html` Profile <code>${tools.profile}</code>.` : nothing
    }</p>
    <ul class="tool-chips">${allowed.map(
      ({ name, summary, source }) => html`<li
      title=${summary}><code>${name}</code>${source === 'plugin' ? html`<small>plugin</small>` : nothing}</li>`,
    )}</ul>
    ${tools.warnings.map((warning) => html`<p class="small tools-warning">${warning}</p>`)}
    ${sandbox ? html`<p class="small tools-sandbox">${sandboxLine(sandbox)}</p>` : nothing}
    ${
      removed.length > 0
        ? html`<details class="tools-removed"><summary>${removed.length} not available</summary><ul
      class="rows">${removed.map(removedRow)}</ul></details>`
        : nothing
    }
  </section>`;
}

function removedRow({ name, summary, stages }: ToolDecision): TemplateResult {
  const stage = stages.find(({ ok }) => !ok);
  return html`<li class="row"><span><b>${name}</b><small>${summary}</small></span>
    <span class="quiet small">${
      stage
        ? html`${stage.stage}${
            stage.setting ? html` · <code>${stage.setting}</code>` : nothing
          }${stage.pattern ? html` · <code>${stage.pattern}</code>` : nothing}`
        : 'removed'
    }</span></li>`;
}

/** `Commands run in a sandbox (bwrap 0.8.0): workspace read only, no network.` */
export function sandboxLine({ sandboxed, because, setting, backend }: SandboxExplained): TemplateResult {
  if (!sandboxed) return html`<b>Commands run on the gateway’s machine</b>, without a sandbox: ${because}`;
  if (backend && 'problem' in backend)
    return html`<b class="bad">Commands need a sandbox, but none is available:</b> ${backend.problem}`;
  const access = { none: 'an empty folder', ro: 'the workspace, read only', rw: 'the workspace' };
  return html`<b>Commands run in a sandbox</b>${backend ? html` (${backend.name} ${backend.version})` : nothing}${
    setting ? html`: ${access[setting.workspaceAccess]}, ${setting.network ? 'with' : 'without'} network` : nothing
  }. ${because}`;
}
