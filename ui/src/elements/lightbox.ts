/** Shows one picture over the whole window; Escape, a click or the button closes it. */
import { html, render } from 'lit';
import { icon } from './icons.ts';

export function openPicture(src: string, alt: string): void {
  if (document.querySelector('dialog[open]')) return;
  const dialog = document.createElement('dialog');
  dialog.className = 'lightbox';
  dialog.setAttribute('aria-label', alt || 'Picture');
  render(
    html`<img src=${src} alt=${alt} /><button class="ghost lightbox-close" aria-label="Close" autofocus
      >${icon('close')}</button>`,
    dialog,
  );
  dialog.addEventListener('click', () => dialog.close());
  dialog.addEventListener('close', () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}
