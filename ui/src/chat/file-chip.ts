/** Renders a file as a chip: removable in the composer, read-only in the conversation. */
import { html, nothing, type TemplateResult } from 'lit';
import { icon } from '../elements/icons.ts';
import { fileFacts, fileIcon, fileTitle } from './file-kind.ts';
import type { FileView } from './items.ts';

export const fileChip = (
  file: FileView,
  remove?: () => void,
): TemplateResult => html`<li class="file-chip" title=${file.name}>
  <span class="file-icon">${icon(fileIcon(file))}</span><span
    class="file-words"><b>${fileTitle(file)}</b><small>${fileFacts(file)}</small></span>
  ${remove ? removeButton(file, remove) : nothing}
</li>`;

export const removeButton = (file: FileView, remove: () => void): TemplateResult =>
  html`<button type="button" class="preview-remove" aria-label="Remove ${file.name}"
    @click=${remove}>${icon('close')}</button>`;
