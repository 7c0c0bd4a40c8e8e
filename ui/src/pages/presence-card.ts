/** The connected clients, and those that left recently. */
import { html } from 'lit';
import { ago } from '../elements/times.ts';
import type { PresenceEntry } from '../gateway/wire.ts';

/** A row per client; a sentence if there is no other one. */
export const presenceCard = (presence: readonly PresenceEntry[]): unknown =>
  html`<section class="card"><h2>Connected now</h2>
  ${
    presence.length === 0
      ? html`<p class="quiet">No other clients.</p>`
      : html`<ul
    class="rows">${presence.map(
      (entry) =>
        html`<li class="row"><span><b>${entry.host ?? entry.text ?? entry.mode ?? 'client'}</b><small>${[
          entry.mode,
          entry.platform,
          entry.version,
        ]
          .filter(Boolean)
          .join(' · ')}</small></span><span class="quiet">${
          entry.reason === 'disconnect'
            ? `disconnected ${ago(entry.ts, Date.now())}`
            : entry.onlineSince === undefined
              ? ago(entry.ts, Date.now())
              : `connected ${ago(entry.onlineSince, Date.now())}`
        }</span></li>`,
    )}</ul>`
  }
</section>`;
