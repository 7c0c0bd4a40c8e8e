/** `<claw-pairing>`: the pairing requests, updated by events. */
import { html } from 'lit';
import type { App } from '../app.ts';
import { LightElement } from '../elements/light-element.ts';
import { toast } from '../elements/toast.ts';
import { messageOf } from '../gateway/requests.ts';
import type { Pairing } from '../gateway/wire.ts';
import { decidePairing } from './decide-pairing.ts';
import { pairingRequests, type PairingDecision } from './pairing-requests.ts';

export class PairingStrip extends LightElement {
  static override properties = { app: { attribute: false }, pending: { state: true } };
  declare app: App;
  declare pending: readonly Pairing[] | undefined;

  override connectedCallback(): void {
    super.connectedCallback();
    this.onLeave(
      this.app.whenConnected(() => void this.#load()),
      this.app.on(({ event }) => void (event.startsWith('channel.pair.') && this.#load())),
    );
  }

  override render(): unknown {
    const { pending } = this;
    if (!pending || pending.length === 0) return html`<p class="small quiet" role="status">No requests yet.</p>`;
    return pairingRequests({
      pending,
      labels: {},
      mayMakeOwner: this.app.hello.get()?.auth?.scopes?.includes('operator.admin') ?? false,
      decide: (request, decision) => void this.#decide(request, decision),
    });
  }

  async #decide(request: Pairing, decision: PairingDecision): Promise<void> {
    if (await decidePairing(this.app, request, decision)) await this.#load();
  }

  async #load(): Promise<void> {
    if (!this.app.offers('channel.pairing.list')) return;
    try {
      this.pending = (await this.app.request('channel.pairing.list', {})).pending;
    } catch (cause) {
      toast(messageOf(cause), 'bad');
    }
  }
}

customElements.define('claw-pairing', PairingStrip);
