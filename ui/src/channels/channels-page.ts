/** `<claw-channels>`: the channels with their status, pairing requests, and recent messages of all channels. */
import { html, nothing } from 'lit';
import type { App } from '../app.ts';
import { icon } from '../elements/icons.ts';
import { LightElement } from '../elements/light-element.ts';
import { toast } from '../elements/toast.ts';
import type { ChannelAccount, ChannelOffer, ChannelsStatus, Pairing, SeenMessage } from '../gateway/wire.ts';
import { isDisconnected, messageOf } from '../gateway/requests.ts';
import { channelCard, type Card } from './channel-card.ts';
import './channels.css';
import { confirmed } from '../elements/dialogs.ts';
import { decidePairing } from './decide-pairing.ts';
import { showLogin } from './login-dialog.ts';
import { otherChannels } from './other-channels.ts';
import { pairingRequests, type PairingDecision } from './pairing-requests.ts';
import { recentMessages } from './recent-messages.ts';
import './sender-rights.ts';

/** Events within this time cause one refresh. */
const SOON_MS = 300;
const PROBE_MS = 20_000;
const SHOWN_MESSAGES = 50;

export class ChannelsPage extends LightElement {
  static override properties = {
    status: { state: true },
    offers: { state: true },
    pending: { state: true },
    messages: { state: true },
    ignoredOnly: { state: true },
    busy: { state: true },
    problem: { state: true },
    open: { state: true },
  };
  declare app: App;
  declare status: ChannelsStatus | undefined;
  declare offers: readonly ChannelOffer[];
  declare pending: readonly Pairing[];
  declare messages: readonly SeenMessage[] | undefined;
  declare ignoredOnly: boolean;
  /** Running actions: `probe telegram/default`. */
  declare busy: ReadonlySet<string>;
  declare problem: string;
  /** The channel whose setup is open. */
  declare open: string;
  #soon: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    super();
    this.offers = [];
    this.pending = [];
    this.ignoredOnly = false;
    this.busy = new Set();
    this.problem = '';
    this.open = '';
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.onLeave(
      this.app.whenConnected(() => void this.#all()),
      this.app.on(({ event }) => {
        if (event.startsWith('channel.pair.')) void this.#loadRequests();
        else if (event === 'sessions.changed' || event === 'channels.changed' || event === 'health') this.#loadSoon();
      }),
    );
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearTimeout(this.#soon);
  }

  override render(): unknown {
    const { status } = this;
    if (!status)
      return html`<div class="column wide pad"><p class="quiet">${this.problem || 'Loading channels…'}</p></div>`;
    const cards = status.channelOrder.flatMap((channel) =>
      (status.channelAccounts[channel] ?? []).map((account) => this.#card(channel, account)),
    );
    const labels = { webchat: 'Web chat', ...status.channelLabels };
    return html`<div class="column wide pad channels">
      ${this.problem ? html`<p class="strip bad" role="alert">${this.problem}</p>` : nothing}
      ${pairingRequests({
        pending: this.pending,
        labels,
        mayMakeOwner: this.app.hello.get()?.auth?.scopes?.includes('operator.admin') ?? false,
        decide: (request, decision) => void this.#decide(request, decision),
      })}
      ${cards.length > 0 ? html`<section class="channel-cards" aria-label="Channels">${cards}</section>` : EMPTY}
      ${
        this.messages && (cards.length > 0 || this.messages.length > 0)
          ? recentMessages({
              messages: this.messages,
              labels,
              ignoredOnly: this.ignoredOnly,
              filter: (ignoredOnly) => this.#filter(ignoredOnly),
              ...(this.app.offers('chat.timeline')
                ? { open: (message: SeenMessage) => void this.#timeline(message) }
                : {}),
            })
          : nothing
      }
      ${
        cards.length > 0 && this.app.offers('access.explain')
          ? html`<claw-sender-rights .app=${this.app}
        .labels=${this.#writtenOn(status)}></claw-sender-rights>`
          : nothing
      }
      ${otherChannels({
        app: this.app,
        offers: this.offers.filter(({ id }) => id === this.open || (status.channelAccounts[id] ?? []).length === 0),
        open: this.open,
        show: (channel) => (this.open = channel),
      })}
    </div>`;
  }

  /** Channels with an account, by name. */
  #writtenOn({ channelOrder, channelLabels, channelAccounts }: ChannelsStatus): Readonly<Record<string, string>> {
    return Object.fromEntries(
      channelOrder
        .filter((channel) => (channelAccounts[channel] ?? []).length > 0)
        .map((channel) => [channel, channelLabels[channel] ?? channel]),
    );
  }

  #card(channel: string, account: ChannelAccount): unknown {
    const { status, app } = this;
    const name = `${channel}/${account.accountId}`;
    return channelCard({
      channel,
      account,
      label: status!.channelLabels[channel] ?? channel,
      several: status!.channelAccounts[channel]!.length > 1,
      probing: this.busy.has(`probe ${channel}`),
      restarting: this.busy.has(`restart ${name}`),
      probe: () => void this.#during(`probe ${channel}`, () => this.#probe(channel)),
      restart:
        app.offers('channels.restart') && account.enabled && account.configured
          ? () =>
              void this.#during(`restart ${name}`, () =>
                app.request('channels.restart', { channel, accountId: account.accountId }, { timeoutMs: PROBE_MS }),
              )
          : undefined,
      ...this.#login(channel, account),
    });
  }

  /** The login actions of a channel that is confirmed on a phone. */
  #login(channel: string, account: ChannelAccount): Pick<Card, 'logIn' | 'logOut'> {
    const { login, label = channel } = this.offers.find(({ id }) => id === channel) ?? {};
    const { app } = this;
    if (!login || !account.enabled || !account.configured || !app.offers('web.login.start')) return {};
    const { accountId } = account;
    return {
      logIn: () =>
        void showLogin(app, { channel, accountId, label, login }).then((linked) => {
          if (linked) toast(`${label} is logged in`);
          void this.#load();
        }),
      logOut: () => void this.#logOut({ channel, accountId, label }),
    };
  }

  async #logOut({ channel, accountId, label }: { channel: string; accountId: string; label: string }): Promise<void> {
    const body = 'The device is removed from the phone. To use the account again, you log in again.';
    if (!(await confirmed({ title: `Log out of ${label}?`, body, action: 'Log out', danger: true }))) return;
    await this.#during(`logout ${channel}/${accountId}`, () =>
      this.app.request('channels.logout', { channel, accountId }),
    );
  }

  async #probe(channel: string): Promise<void> {
    const { channelAccounts } = await this.app.request(
      'channels.status',
      { channel, probe: true, timeoutMs: PROBE_MS / 2 },
      { timeoutMs: PROBE_MS },
    );
    if (this.status)
      this.status = { ...this.status, channelAccounts: { ...this.status.channelAccounts, ...channelAccounts } };
  }

  /** Disables the button until the answer arrives. */
  async #during(what: string, work: () => Promise<unknown>): Promise<void> {
    if (this.busy.has(what)) return;
    this.busy = new Set([...this.busy, what]);
    try {
      await work();
    } catch (cause) {
      toast(messageOf(cause), 'bad');
    }
    this.busy = new Set([...this.busy].filter((one) => one !== what));
    await this.#load();
  }

  async #decide(request: Pairing, decision: PairingDecision): Promise<void> {
    if (await decidePairing(this.app, request, decision)) await this.#loadRequests();
  }

  async #timeline({ runId }: SeenMessage): Promise<void> {
    const { showTimeline } = await import('../chat/timeline-dialog.ts');
    await showTimeline(() => this.app.request('chat.timeline', { runId }));
  }

  #filter(ignoredOnly: boolean): void {
    this.ignoredOnly = ignoredOnly;
    void this.#load();
  }

  async #all(): Promise<void> {
    await Promise.all([this.#load(), this.#loadRequests(), this.#loadOffers()]);
  }

  /** Several messages cause one refresh. */
  #loadSoon(): void {
    clearTimeout(this.#soon);
    this.#soon = setTimeout(() => void this.#load(), SOON_MS);
  }

  async #load(): Promise<void> {
    const { app, ignoredOnly } = this;
    await this.#reporting(async () => {
      const [status, recent] = await Promise.all([
        app.request('channels.status', {}),
        app.offers('access.recent')
          ? app.request('access.recent', {
              limit: SHOWN_MESSAGES,
              ...(ignoredOnly ? { refusedOnly: true } : {}),
            })
          : undefined,
      ]);
      this.status = status;
      if (recent && ignoredOnly === this.ignoredOnly) this.messages = recent.messages;
      this.problem = '';
    });
  }

  /** Requests are loaded only with the scope to decide on them. */
  async #loadRequests(): Promise<void> {
    if (!this.app.offers('channel.pairing.list')) return;
    try {
      this.pending = (await this.app.request('channel.pairing.list', {})).pending;
    } catch (cause) {
      console.info('No pairing requests.', cause);
    }
  }

  async #loadOffers(): Promise<void> {
    if (!this.app.offers('channels.capabilities')) return;
    await this.#reporting(async () => {
      this.offers = (await this.app.request('channels.capabilities', {})).channels;
    });
  }

  async #reporting(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (cause) {
      if (!isDisconnected(cause)) this.problem = messageOf(cause);
    }
  }
}

const EMPTY = html`<section class="channels-empty"><span
  class="channels-mark">${icon('channels')}</span><h2>No channels configured</h2>
  <p class="quiet">You can chat with the agent in this page. To connect another channel, choose it
  below.</p></section>`;

customElements.define('claw-channels', ChannelsPage);
