/** The dialog with the QR code that makes a phone or browser a node. */
import { html, nothing, render, svg, type TemplateResult } from 'lit';
import { encode } from 'uqr';
import type { App } from '../../../../ui/src/app.ts';
import { copyText } from '../../../../ui/src/elements/clipboard.ts';
import { messageOf } from '../../../../ui/src/gateway/requests.ts';

interface Invite {
  readonly secret: string;
  readonly expiresAtMs: number;
  readonly addresses: readonly { readonly url: string; readonly secure: boolean }[];
}

/** The quiet zone: light modules around the code, which QR readers need. */
const BORDER = 3;

/** Resolves when the person closed it. */
export async function showInvite(app: App): Promise<void> {
  const dialog = document.createElement('dialog');
  dialog.className = 'dialog invite';
  document.body.append(dialog);
  const draw = (body: unknown): void =>
    void render(
      html`<h2>Connect a phone or browser</h2>${body}<div class="dialog-actions"><button class="button"
        @click=${() => dialog.close()}>Close</button></div>`,
      dialog,
    );
  draw(html`<p class="quiet">Making an invitation…</p>`);
  dialog.showModal();
  const closed = new Promise<void>((resolve) => dialog.addEventListener('close', () => resolve(), { once: true }));
  try {
    const invite = await app.requestOffered<Invite>('device.pair.invite');
    if (!invite) throw new Error('This gateway pairs no devices.');
    let base = invite.addresses[0]?.url ?? new URL('.', document.baseURI).href;
    const again = (): void => draw(inviteView(invite, base, (next) => ((base = next), again())));
    again();
  } catch (cause) {
    draw(html`<p class="strip bad" role="alert">${messageOf(cause)}</p>`);
  }
  await closed;
  dialog.remove();
}

function inviteView({ secret, expiresAtMs }: Invite, base: string, change: (base: string) => void): TemplateResult {
  const url = URL.canParse(base) ? new URL(`node/#${secret}`, base.replace(/(?<!\/)\/*$/, '/')).href : undefined;
  return html`<p>Scan the code, or open the address, on the device. The first one that does becomes a node.
      It works once,
      until ${new Date(expiresAtMs).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' })}.</p>
    ${url === undefined ? nothing : picture(url)}
    <label>Address of this gateway, as the device reaches it
      <input class="field" type="url" .value=${base}
        @change=${(event: Event) => change((event.target as HTMLInputElement).value)}>
    </label>
    ${warning(base)}
    <p class="row-actions"><button class="button small" ?disabled=${url === undefined}
      @click=${() => void copyText(url ?? '')}>Copy address</button></p>
    <p class="quiet">The device asks for approval here, on this page. Compare the code it shows.</p>`;
}

function warning(base: string): TemplateResult | typeof nothing {
  if (!URL.canParse(base)) return html`<p class="strip bad">This is no address.</p>`;
  const { protocol, hostname } = new URL(base);
  const local = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
  if (local)
    return html`<p class="invite-note">This address works on the gateway machine only. For other devices,
      serve the gateway over
      HTTPS, e.g. with <code>tailscale serve</code>, and enter that address.</p>`;
  return protocol === 'https:'
    ? nothing
    : html`<p class="invite-note">Over plain HTTP browsers give a page no camera, microphone or location.
        Serve the gateway over
        HTTPS, e.g. with <code>tailscale serve</code>, and enter that address.</p>`;
}

/** Dark on light in every theme, because QR readers need it. */
function picture(text: string): TemplateResult {
  const { data, size } = encode(text, { border: BORDER, ecc: 'L' });
  const path = data.flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : []))).join('');
  return html`<svg class="qr" viewBox="0 0 ${size} ${size}" role="img" aria-label="QR code of the address"
    shape-rendering="crispEdges">
    ${svg`<rect width=${size} height=${size} fill="#fff"/><path d=${path} fill="#000"/>`}</svg>`;
}
