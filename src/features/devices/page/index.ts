/** `<claw-devices>`: who may connect: requests to approve, devices to send away. */
import { html, nothing } from 'lit';
import type { App } from '../../../../ui/src/app.ts';
import { confirmed } from '../../../../ui/src/elements/dialogs.ts';
import { LightElement } from '../../../../ui/src/elements/light-element.ts';
import { ago, exactTime } from '../../../../ui/src/elements/times.ts';
import { toast } from '../../../../ui/src/elements/toast.ts';
import { loadDeviceIdentity } from '../../../../ui/src/gateway/device-identity.ts';
import { isDisconnected, messageOf } from '../../../../ui/src/gateway/requests.ts';
import type { Answers } from '../../../protocol/answers.ts';
import type { WireDevice as PairedDevice, WirePairingRequest as PairingRequest } from '../answers.ts';

type DeviceList = Answers['device.pair.list'];
type DeviceAct = 'device.pair.approve' | 'device.pair.reject' | 'device.pair.remove';

export class DevicesPage extends LightElement {
  static override properties = { list: { state: true }, problem: { state: true }, own: { state: true } };
  declare app: App;
  declare list: DeviceList | undefined;
  declare problem: string;
  /** The id of this browser, where it has one. */
  declare own: string | undefined;
  #leave: (() => void) | undefined;

  constructor() {
    super();
    this.problem = '';
  }

  override connectedCallback(): void {
    super.connectedCallback();
    void loadDeviceIdentity().then((identity) => (this.own = identity?.id));
    const arrived = this.app.whenConnected(() => void this.#load());
    const watched = this.app.on((event) => event.event.startsWith('device.pair.') && void this.#load());
    this.#leave = () => {
      arrived();
      watched();
    };
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#leave?.();
  }

  override render(): unknown {
    const { list } = this;
    return html`<div class="column wide pad">
      ${this.problem ? html`<p class="strip bad" role="alert">${this.problem}</p>` : nothing}
      ${
        list
          ? html`
        <section class="card"><h2>Waiting for approval</h2>
          ${
            list.pending.length === 0
              ? html`<p class="quiet">No pairing requests.</p>`
              : html`<ul
            class="rows">${list.pending.map((request) => this.#request(request))}</ul>`
          }</section>
        <section class="card"><h2>Paired devices</h2>
          ${
            list.paired.length === 0
              ? html`<p class="quiet">No paired devices.</p>`
              : html`<ul
            class="rows">${list.paired.map((device) => this.#device(device))}</ul>`
          }</section>`
          : html`<p class="quiet">Loading…</p>`
      }
    </div>`;
  }

  #request(request: PairingRequest): unknown {
    return html`<li class="row"><span><b><bdi>${request.displayName ?? request.clientId ?? 'Unknown device'}</bdi></b>
        <small>${[request.platform, request.role, request.remoteIp]
          .filter(Boolean)
          .join(' · ')} · asked ${ago(request.ts, Date.now())}</small>
        <small>requests ${request.scopes.join(', ') || 'no scopes'}</small><small
          class="mono">${request.deviceId.slice(0, 16)}</small></span>
      <span class="row-actions"><button class="button small" @click=${() =>
        void this.#act('device.pair.reject', { requestId: request.requestId }, 'Rejected')}>Reject</button>
        <button class="button small primary" @click=${() =>
          void this.#act(
            'device.pair.approve',
            { requestId: request.requestId },
            'Approved',
          )}>Approve</button></span></li>`;
  }

  #device(device: PairedDevice): unknown {
    return html`<li class="row"><span><b><bdi>${device.displayName ?? device.clientId ?? 'Device'}</bdi></b>${
      device.deviceId === this.own ? html` <span class="this-device">this browser</span>` : nothing
    }
        <small>${[device.platform, device.roles.join(', ')].filter(Boolean).join(' · ')} · <span
          title=${exactTime(device.approvedAtMs)}>approved ${ago(device.approvedAtMs, Date.now())}</span></small><small
          class="mono">${device.deviceId.slice(0, 16)}</small></span>
      <span class="row-actions"><button class="button small danger" @click=${() =>
        void this.#remove(device)}>Revoke</button></span></li>`;
  }

  async #remove(device: PairedDevice): Promise<void> {
    if (
      !(await confirmed({
        title: `Revoke ${device.displayName ?? 'this device'}?`,
        body: 'Its tokens stop working immediately. To connect again it needs a new approval.',
        action: 'Revoke',
        danger: true,
      }))
    )
      return;
    await this.#act('device.pair.remove', { deviceId: device.deviceId }, 'Revoked');
  }

  async #act(method: DeviceAct, params: object, done: string): Promise<void> {
    try {
      await this.app.request(method, params);
      toast(done);
    } catch (cause) {
      toast(messageOf(cause), 'bad');
    }
    await this.#load();
  }

  async #load(): Promise<void> {
    try {
      this.list = await this.app.request('device.pair.list');
      this.problem = '';
    } catch (cause) {
      if (!isDisconnected(cause)) this.problem = messageOf(cause);
    }
  }
}

customElements.define('claw-devices', DevicesPage);
