/** The card of one node: what it offers, what is unavailable and why, what is in use, and a test of each command. */
import { html, nothing, type TemplateResult } from 'lit';
import { ago, exactTime } from '../../../../ui/src/elements/times.ts';
import type { NodeView, WireNodeRequest } from '../answers.ts';

/** What can be done with a node on its page. */
export interface NodeActs {
  readonly picture: string | undefined;
  readonly busy: boolean;
  snap(node: NodeView): void;
  notify(node: NodeView): void;
  rename(node: NodeView): void;
  remove(node: NodeView): void;
}

/** Commands that run programs stand out: they are the ones to think about. */
const runsPrograms = (command: string): boolean =>
  /^(?:system\.run|terminal|desktop|mcp|browser)(?:\.|$)/.test(command);

export const commandList = (commands: readonly string[]): TemplateResult =>
  commands.length === 0
    ? html`<p class="quiet small">No commands.</p>`
    : html`<ul class="node-commands" aria-label="Commands">${commands.map(
        (command) =>
          html`<li class=${runsPrograms(command) ? 'mono programs' : 'mono'} title=${
            runsPrograms(command) ? 'Runs programs on the node' : ''
          }>${command}</li>`,
      )}</ul>`;

export function requestRow(request: WireNodeRequest, decide: (method: 'approve' | 'reject') => void): TemplateResult {
  return html`<li class="row"><span><b><bdi>${request.displayName ?? request.nodeId.slice(0, 12)}</bdi></b>
      <small><bdi>${[request.platform, request.remoteIp].filter(Boolean).join(' · ')}</bdi> · ${
        request.isRepair ? 'paired already, offers more' : 'asked'
      } ${ago(request.ts, Date.now())} · code <code>${request.nodeId.slice(0, 12)}</code></small>
      ${commandList(request.commands)}</span>
    <span class="row-actions"><button class="button small" @click=${() => decide('reject')}>Reject</button>
      <button class="button small primary" @click=${() => decide('approve')}>Approve</button></span></li>`;
}

export function nodeCard(node: NodeView, acts: NodeActs): TemplateResult {
  const name = node.displayName ?? node.nodeId.slice(0, 12);
  const can = (command: string): boolean => node.connected && node.commands.includes(command);
  return html`<section class="card" aria-label=${name}>
    <div class="node-head"><h2><bdi>${name}</bdi></h2>${stateOf(node)}</div>
    <p class="small quiet"><bdi>${[node.platform, node.version, node.remoteIp].filter(Boolean).join(' · ')}</bdi>
      <span class="mono">${node.nodeId.slice(0, 12)}</span>${load(node)}</p>
    ${node.inUse.map(
      ({ what, by, sinceMs }) =>
        html`<p class="node-use" role="status">The ${what} is in use for ${by}, since ${ago(sinceMs, Date.now())}.</p>`,
    )}
    ${node.background ? html`<p class="node-use">Its page is in the background: it cannot record now.</p>` : nothing}
    ${commandList(node.commands)}${permissionsOf(node)}${missing(node)}
    ${acts.picture ? html`<img class="node-picture" src=${acts.picture} alt="Last picture of ${name}" />` : nothing}
    <div class="node-actions">
      ${can('camera.snap') ? button('Take a picture', () => acts.snap(node), acts.busy) : nothing}
      ${can('system.notify') ? button('Notify', () => acts.notify(node), acts.busy) : nothing}
      ${node.paired ? button('Rename', () => acts.rename(node), acts.busy) : nothing}
      ${button('Remove', () => acts.remove(node), acts.busy, 'danger')}
    </div>
  </section>`;
}

const button = (label: string, act: () => void, busy: boolean, kind = ''): TemplateResult =>
  html`<button class="button small ${kind}" ?disabled=${busy} @click=${act}>${label}</button>`;

function stateOf(node: NodeView): TemplateResult {
  if (node.connected)
    return html`<span class="node-state on" title=${exactTime(node.connectedAtMs ?? 0)}>connected ${ago(
      node.connectedAtMs ?? 0,
      Date.now(),
    )}</span>`;
  return node.lastSeenAtMs === undefined
    ? html`<span class="node-state">never connected</span>`
    : html`<span class="node-state">last seen ${ago(node.lastSeenAtMs, Date.now())}</span>`;
}

function load({ hostStats }: NodeView): string {
  if (!hostStats || hostStats.memoryTotalBytes === 0) return '';
  const used = Math.round((1 - hostStats.memoryFreeBytes / hostStats.memoryTotalBytes) * 100);
  return ` · load ${hostStats.loadAverage[0]?.toFixed(1) ?? '?'} · memory ${used} %`;
}

/** What the person at the device granted, and what not. */
function permissionsOf({ permissions = {} }: NodeView): TemplateResult | typeof nothing {
  const named = (granted: boolean): string =>
    Object.keys(permissions)
      .filter((name) => permissions[name] === granted)
      .sort()
      .join(', ');
  const [yes, no] = [named(true), named(false)];
  if (yes === '' && no === '') return nothing;
  return html`<p class="small quiet node-permissions">Allowed on the device: ${yes || 'nothing'}.${
    no === '' ? nothing : html` Not allowed: ${no}.`
  }</p>`;
}

function missing({ unavailable = {} }: NodeView): TemplateResult | typeof nothing {
  const reasons = Object.entries(unavailable);
  if (reasons.length === 0) return nothing;
  return html`<details class="node-missing"><summary>Not offered (${reasons.length})</summary>
    <ul>${reasons.map(([command, why]) => html`<li><span class="mono">${command}</span>: ${why}</li>`)}</ul></details>`;
}
