/** Renders the page of a node: its identity, its permissions, and what is in use. */
import { html, nothing, type TemplateResult } from 'lit';
import type { Capability } from './capabilities.ts';
import type { Use } from './serve.ts';
import type { Approval, WebNode } from './web-node.ts';

export const drawNode = (node: WebNode): TemplateResult => html`
  ${node.uses.length > 0 ? inUse(node) : nothing}
  ${node.canvas === undefined ? nothing : canvasFrame(node, node.canvas)}
  <div class="page">
    <header>
      <h1>${node.name}</h1>
      <p class="state ${node.state.kind}" role="status">${stateText(node)}</p>
    </header>
    ${node.state.kind === 'connected' ? approvalNote(node.approval, node.code) : nothing}
    ${node.state.kind === 'refused' ? refusedNote(node) : nothing}
    ${node.notice === undefined ? nothing : html`<p class="notice" role="alert">${node.notice}</p>`}
    ${node.shared.map(
      (one) => html`<section class="card"><h2>Shared with this page</h2><p class="quote">${one.text}</p>
        <p class="buttons"><button class="primary" @click=${() => void node.sendShared(one)}>Send to the agent</button>
          <button @click=${() => void node.dropShared(one.id)}>Discard</button></p></section>`,
    )}
    <section class="card"><h2>What your assistant may use</h2>
      <p class="quiet">Everything is off until you switch it on. You see here, at the top, when something is in use and
        who asked for it.</p>
      <ul>${node.capabilities.map((one) => capability(node, one))}</ul></section>
    <section class="card"><h2>This device</h2>
      <form class="buttons" @submit=${(event: SubmitEvent) => renamed(event, node)}>
        <label>Name <input name="name" maxlength="100" .value=${node.name} autocomplete="off"></label>
        <button>Rename</button></form>
      <p class="quiet">Connected to <b>${location.host}</b>. Code <code>${node.code}</code>. It takes pictures and sound
        only while this page is in front; keep it open, or add it to the home screen.</p>
      <p class="buttons"><button class="danger" @click=${() => void node.forget()}>Forget this device</button></p>
    </section>
  </div>`;

function renamed(event: SubmitEvent, node: WebNode): void {
  event.preventDefault();
  void node.rename(String(new FormData(event.target as HTMLFormElement).get('name')));
}

const inUse = (node: WebNode): TemplateResult =>
  html`<div class="in-use" role="alert">${node.uses.map(
    (use) => html`<p><span><i aria-hidden="true"></i>${title(use)} in use for ${use.by}</span>
      <button @click=${() => node.stop(use)}>Stop</button></p>`,
  )}</div>`;

const title = ({ what }: Use): string => what[0]!.toUpperCase() + what.slice(1);

/** Without an origin, the shown page cannot access this page or the stored data of the gateway's origin. */
const canvasFrame = (node: WebNode, url: string): TemplateResult =>
  html`<div class="canvas"><p><b>From your assistant</b><button @click=${() => node.closeCanvas()}>Close</button></p>
    <iframe src=${url} sandbox="allow-scripts allow-forms" referrerpolicy="no-referrer" title="Canvas"></iframe></div>`;

const BLOCKED = 'The browser blocks it: allow it in the settings of this site.';

function capability(node: WebNode, one: Capability): TemplateResult {
  const missing = one.missing();
  const on = node.isOn(one.id);
  const blocked = node.isBlocked(one.id);
  return html`<li class=${missing === undefined ? '' : 'missing'}><span id="of-${one.id}"><b>${one.title}</b>
      <small>${missing === undefined ? one.allows : `Not here: ${missing}.`}</small>
      ${blocked ? html`<small class="bad">${BLOCKED}</small>` : nothing}
    </span>
    <button role="switch" aria-checked=${String(on)} aria-labelledby="of-${one.id}" ?disabled=${missing !== undefined}
      @click=${() => void node.toggle(one)}><i aria-hidden="true"></i></button></li>`;
}

function stateText({ state }: WebNode): string {
  switch (state.kind) {
    case 'connecting':
      return 'Connecting…';
    case 'connected':
      return 'Connected';
    case 'waiting':
      return `Not connected: ${state.reason} Trying again.`;
    case 'refused':
      return 'Not connected';
  }
}

const NOTES: Readonly<Partial<Record<Approval, readonly [title: string, text: string]>>> = {
  waiting: [
    'Waiting for approval',
    'Approve this device on the Nodes page of the Control UI, or with “nodes approve”. Compare the code first:',
  ],
  rejected: ['Rejected', 'The gateway rejected this device. Its code is'],
  removed: ['Removed', 'The gateway removed this device. Its code was'],
};

function approvalNote(approval: Approval, code: string): TemplateResult | typeof nothing {
  const note = NOTES[approval];
  if (!note) return nothing;
  return html`<section class="card note"><h2>${note[0]}</h2>
    <p>${note[1]} <code class="code">${code}</code></p></section>`;
}

const refusedNote = (node: WebNode): TemplateResult =>
  html`<section class="card note bad"><h2>The gateway does not let this device in</h2>
    <p>${node.state.kind === 'refused' ? node.state.message : ''}</p>
    <p>Make a new QR code on the Nodes page of the Control UI, or with <code>devices qr</code>, and open it here.</p>
    <p class="buttons"><button @click=${() => node.reconnect()}>Try again</button></p></section>`;

const caddyLine = (): string =>
  `caddy reverse-proxy --from clawdbot.example.org --to 127.0.0.1:${location.port || '18789'}`;

/** Over plain HTTP, browsers provide none of the functions that a node needs. */
export const drawInsecure = (): TemplateResult => html`<div class="page"><header><h1>HTTPS is needed</h1></header>
  <section class="card note bad"><p>This page was opened over plain HTTP, at <b>${location.host}</b>. There, browsers
    forbid pages the camera, the microphone, the location, the screen and notifications, and give them no key to prove
    themselves with. So this device cannot become a node at this address.</p></section>
  <section class="card"><h2>Ways to HTTPS</h2><ol>
    <li><b>Tailscale</b>, if this device and the gateway are in the same tailnet: run
      <code>tailscale serve --bg ${location.port || '18789'}</code> on the gateway machine. It prints an address that
      begins with <code>https://</code>.</li>
    <li><b>A reverse proxy with a certificate</b>, e.g. Caddy with a domain of yours:
      <code class="line">${caddyLine()}</code>
      In a network without a public name, <code>tls internal</code> of Caddy makes a certificate of your own; install
      its root certificate on this device, and trust it there.</li></ol>
    <p>Add that address to <code>gateway.controlUi.allowedOrigins</code>, then make a new QR code with
      <code>devices qr --address https://…</code>.</p></section></div>`;

export const drawUninvited =
  (): TemplateResult => html`<div class="page"><header><h1>Make this device a node</h1></header>
  <section class="card note"><p>This page needs an invitation. On the gateway run <code>devices qr</code>, or press
    “Connect a phone or browser” on the Nodes page of the Control UI, and open the address of the QR code on this
    device. It works once, for ten minutes.</p></section></div>`;

export const drawUnsupported = (
  why: string,
): TemplateResult => html`<div class="page"><header><h1>This browser cannot be a node</h1></header>
  <section class="card note bad"><p>${why}</p><p>Use a current Chrome, Edge, Firefox or Safari, in a window that is not
    private.</p></section></div>`;
