/** The storage card of the overview: stored data as parts of one bar, and free space. */
import './storage.css';
import { html, type TemplateResult } from 'lit';
import type { App } from '../../../../ui/src/app.ts';
import type { OverviewCard } from '../../../../ui/src/pages/glances.ts';
import { sizeText } from '../../../core/size-text.ts';
import type { StorageUse } from '../answers.ts';

export const card: OverviewCard = {
  async load(app: App) {
    if (!app.offers('storage.use')) return undefined;
    const use = await app.connection.request<StorageUse>('storage.use');
    return () => storageCard(use);
  },
};

function storageCard(use: StorageUse): TemplateResult {
  const parts = [
    { label: 'Journal', bytes: use.journalBytes },
    { label: 'Transcripts', bytes: use.transcriptBytes },
    { label: 'Transcripts of ended sessions', bytes: use.leftTranscriptBytes },
    { label: 'Media', bytes: use.mediaBytes },
    { label: 'Logs', bytes: use.logBytes },
  ].filter(({ bytes }) => bytes > 0);
  const total = parts.reduce((sum, { bytes }) => sum + bytes, 0);
  return html`<section class="card storage" aria-label="Storage"><h2>Storage</h2>
    <p class="small quiet">${sizeText(total)} used, ${sizeText(use.freeBytes)} free on this disk.</p>
    <div class="storage-bar" aria-hidden="true">${parts.map(
      ({ bytes }) => html`<span style="flex-grow: ${bytes}"></span>`,
    )}</div>
    <ul class="storage-parts">${parts.map(
      ({ label, bytes }) => html`<li><i aria-hidden="true"></i>${label} <b>${sizeText(bytes)}</b></li>`,
    )}</ul>
  </section>`;
}
