/** The channels that are not set up; choosing one opens its form. */
import { html, nothing } from 'lit';
import type { App } from '../app.ts';
import type { ChannelOffer } from '../gateway/wire.ts';
import { addLine } from './channel-words.ts';
import './channel-setup.ts';

export interface Others {
  readonly app: App;
  readonly offers: readonly ChannelOffer[];
  /** The channel whose form is open. */
  readonly open: string;
  show(channel: string): void;
}

export function otherChannels({ app, offers, open, show }: Others): unknown {
  if (offers.length === 0) return nothing;
  return html`<section class="card" aria-label="More channels"><h2>More channels</h2>
    <ul class="rows">${offers.map(
      (offer) => html`<li class="other-channel"><div class="row"><span><b>${offer.label}</b>${
        offer.blurb ? html`<small>${offer.blurb}</small>` : nothing
      }</span>
      <span class="row-actions"><button class="button small" aria-expanded=${open === offer.id ? 'true' : 'false'}
        @click=${() => show(open === offer.id ? '' : offer.id)}>${
          open === offer.id ? 'Cancel' : 'Set up'
        }<span class="offscreen"> ${offer.label}</span></button></span></div>
      ${
        open === offer.id
          ? html`<claw-channel-setup .app=${app} .offer=${offer}></claw-channel-setup>
          <p class="small quiet">From a shell: <code>${addLine(offer)}</code></p>`
          : nothing
      }</li>`,
    )}</ul></section>`;
}
