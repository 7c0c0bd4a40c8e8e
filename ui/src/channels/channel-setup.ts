/** `<claw-channel-setup>`: sets up one channel: its secrets, its settings, and who may write to it. */
import { html, nothing, type TemplateResult } from 'lit';
import type { App } from '../app.ts';
import { icon } from '../elements/icons.ts';
import { LightElement } from '../elements/light-element.ts';
import { messageOf } from '../gateway/requests.ts';
import { saveConfig } from '../gateway/save-config.ts';
import type { ChannelOffer } from '../gateway/wire.ts';
import '../models/models.css';

/** Timeout: signing in to a platform can take long. */
const CONNECT_MS = 45_000;

type Outcome = { readonly tone: 'good' | 'bad'; readonly text: string };

export class ChannelSetup extends LightElement {
  static override properties = {
    app: { attribute: false },
    offer: { attribute: false },
    policy: { state: true },
    busy: { state: true },
    outcome: { state: true },
  };
  declare app: App;
  declare offer: ChannelOffer;
  declare policy: 'pairing' | 'allowlist' | 'open';
  declare busy: boolean;
  declare outcome: Outcome | undefined;

  constructor() {
    super();
    this.policy = 'pairing';
    this.busy = false;
  }

  override render(): unknown {
    const { offer } = this;
    const settings = offer.setup.filter(({ key }) => key !== 'allowFrom');
    const optional = offer.credentials.filter(({ needed }) => !needed);
    return html`<form class="setup-form" autocomplete="off" aria-label="Set up ${offer.label}"
      @submit=${(event: Event) => this.#submit(event)}>
      ${offer.credentials.filter(({ needed }) => needed).map(secret)}
      ${settings.map(
        ({ key, label, list }) => html`<label>${label}<input class="field" name=${`set:${key}`} spellcheck="false"
          placeholder=${list ? 'Several values: separate them with commas' : ''} /></label>`,
      )}
      ${
        optional.length > 0
          ? html`<details class="more-settings"><summary>More secrets, if needed</summary>
            ${optional.map(secret)}</details>`
          : nothing
      }
      <fieldset><legend class="offscreen">Who may send direct messages?</legend>
        <span aria-hidden="true">Who may send direct messages?</span>
        ${this.#choice('pairing', 'People you approve', 'A new sender gets a code and waits for your approval here.')}
        ${this.#choice('allowlist', 'Only these people', 'Everybody else is ignored.')}
        ${this.#choice('open', 'Everybody', 'Anybody who finds the bot can use your agent and its tools.')}
      </fieldset>
      ${
        this.policy === 'allowlist'
          ? html`<label>${offer.senderIdLabel ?? 'Sender id'}<input class="field" name="allowFrom" required
            spellcheck="false" placeholder="Separate several ids with commas" /></label>`
          : nothing
      }
      <div class="form-actions"><button class="button primary" ?disabled=${this.busy}>${
        this.busy ? 'Connecting…' : `Connect ${offer.label}`
      }</button></div></form>
      <div aria-live="polite">${
        this.outcome
          ? html`<p class="strip ${this.outcome.tone}">${icon(this.outcome.tone === 'good' ? 'check' : 'warn')}<span>${
              this.outcome.text
            }</span></p>`
          : nothing
      }</div>`;
  }

  #choice(policy: ChannelSetup['policy'], title: string, why: string): TemplateResult {
    return html`<label class="choice"><input type="radio" name="policy" value=${policy}
      .checked=${this.policy === policy} @change=${() => (this.policy = policy)} />
      <span><b>${title}</b><small>${why}</small></span></label>`;
  }

  #submit(event: Event): void {
    event.preventDefault();
    if (!this.busy) void this.#connect(event.currentTarget as HTMLFormElement);
  }

  async #connect(form: HTMLFormElement): Promise<void> {
    this.busy = true;
    this.outcome = undefined;
    const { id, label } = this.offer;
    try {
      await saveConfig(this.app, { channels: { [id]: this.#settings(new FormData(form)) } });
      for (const field of form.querySelectorAll<HTMLInputElement>('input[type=password]')) field.value = '';
      const { connected, lastError } = await this.app.request(
        'channels.restart',
        { channel: id },
        { timeoutMs: CONNECT_MS },
      );
      this.outcome = connected
        ? { tone: 'good', text: `${label} is connected. Send the bot a message to try it.` }
        : { tone: 'bad', text: `Saved, but ${label} did not connect: ${lastError ?? 'no answer yet'}` };
      if (connected) this.dispatchEvent(new CustomEvent('channel-ready', { bubbles: true, detail: id }));
    } catch (cause) {
      this.outcome = { tone: 'bad', text: `Not connected: ${messageOf(cause)}` };
    } finally {
      this.busy = false;
    }
  }

  #settings(form: FormData): object {
    const values = [...form].flatMap(([name, value]): [string, unknown][] => {
      const text = String(value).trim();
      const [kind, key] = name.split(':');
      if (text === '' || key === undefined) return [];
      const several = kind === 'set' && this.offer.setup.find((field) => field.key === key)?.list;
      return [[key, several ? parts(text) : text]];
    });
    const allowFrom = this.policy === 'open' ? ['*'] : parts(String(form.get('allowFrom') ?? ''));
    return {
      ...Object.fromEntries(values),
      enabled: true,
      dmPolicy: this.policy,
      ...(allowFrom.length > 0 ? { allowFrom } : {}),
    };
  }
}

const secret = ({ key, label, needed }: ChannelOffer['credentials'][number]): TemplateResult =>
  html`<label>${label}<input class="field mono" name=${`secret:${key}`} type="password" autocomplete="off"
    spellcheck="false" ?required=${needed} /></label>`;

const parts = (text: string): string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean);

customElements.define('claw-channel-setup', ChannelSetup);
