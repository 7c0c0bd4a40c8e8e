/** Channels that could be set up, each with the line that does it. */
import { html, nothing } from 'lit';
import { copyText } from '../elements/clipboard.ts';
import { icon } from '../elements/icons.ts';
import type { ChannelOffer } from '../gateway/wire.ts';
import { addLine } from './channel-words.ts';

export function otherChannels(offers: readonly ChannelOffer[]): unknown {
  if (offers.length === 0) return nothing;
  return html`<section class="card" aria-label="More channels"><h2>More channels</h2>
    <ul class="rows">${offers.map(
      (offer) => html`<li class="row other-channel"><span><b>${offer.label}</b>${
        offer.blurb ? html`<small>${offer.blurb}</small>` : nothing
      }</span>
      <span class="command"><code>${addLine(offer)}</code><button class="ghost" title="Copy"
        aria-label="Copy the command for ${offer.label}" @click=${() =>
          void copyText(addLine(offer))}>${icon('copy')}</button></span></li>`,
    )}</ul></section>`;
}
