/** What the overview of the Control UI shows of storage: how much is stored, and what the disk has left. */
import { html, type TemplateResult } from 'lit';
import type { Glance } from '../../../../ui/src/pages/glances.ts';
import { sizeText } from '../../../core/size-text.ts';
import type { StorageUse } from '../answers.ts';

export const glance: Glance<StorageUse> = { method: 'storage.use', line };

function line({ freeBytes, ...use }: StorageUse): TemplateResult {
  const stored = Object.values(use).reduce((sum, bytes) => sum + bytes, 0);
  const parts = [
    `journal ${sizeText(use.journalBytes)}`,
    `transcripts ${sizeText(use.transcriptBytes + use.leftTranscriptBytes)}`,
    `media ${sizeText(use.mediaBytes)}`,
    `logs ${sizeText(use.logBytes)}`,
  ].join(', ');
  return html`<p class="small coming-look"><b>Stored</b> ${sizeText(stored)}
    <span class="quiet">(${parts}) · ${sizeText(freeBytes)} free</span></p>`;
}
