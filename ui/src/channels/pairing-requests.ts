/** People who wrote in a direct chat and wait for the owner's approval. */
import { html, nothing, type TemplateResult } from 'lit';
import { ago } from '../elements/times.ts';
import type { Pairing } from '../gateway/wire.ts';
import { visible } from '../tools/visible-view.ts';

export type PairingDecision = 'reject' | 'approve' | 'approve as owner';

export interface Requests {
  readonly pending: readonly Pairing[];
  readonly labels: Readonly<Record<string, string>>;
  decide(request: Pairing, decision: PairingDecision): void;
  /** Whether this device may make somebody the owner. */
  readonly mayMakeOwner: boolean;
}

export function pairingRequests({ pending, labels, decide, mayMakeOwner }: Requests): unknown {
  if (pending.length === 0) return nothing;
  return html`<section class="card pairing" aria-label="Pairing requests"><h2>Pairing requests</h2>
    <p class="small quiet">Approved people can send direct messages. Groups are not affected.</p>
    <ul class="rows">${pending.map((request) => row(request, { labels, decide, mayMakeOwner }))}</ul></section>`;
}

function row(request: Pairing, { labels, decide, mayMakeOwner }: Omit<Requests, 'pending'>): TemplateResult {
  const { channel, accountId, id, code, name, handle, createdAtMs, expiresAtMs } = request;
  const left = expiresAtMs - Date.now();
  return html`<li class="row"><span><b>${visible(name ?? handle ?? id)}</b>
      <small>${labels[channel] ?? channel}${accountId === 'default' ? '' : ` · ${accountId}`} · asked ${ago(
        createdAtMs,
        Date.now(),
      )}${left > 0 ? ` · ${Math.ceil(left / 60_000)} min left` : ' · expired'}</small>
      <small class="mono">${id}${
        handle ? html` · ${visible(`@${handle.replace(/^@/, '')}`)}` : nothing
      } · code ${code}</small></span>
    <span class="row-actions"><button class="button small" @click=${() => decide(request, 'reject')}>Reject</button>
      ${
        mayMakeOwner
          ? html`<button class="button small" @click=${() => decide(request, 'approve as owner')}>Make owner</button>`
          : nothing
      }
      <button class="button small primary" @click=${() => decide(request, 'approve')}>Approve</button></span></li>`;
}
