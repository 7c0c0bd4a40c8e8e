/** The sheet of keyboard shortcuts, opened with `?`. */
import { html, render } from 'lit';

const SHORTCUTS: readonly (readonly [keys: string, does: string])[] = [
  ['Ctrl K', 'Switch conversation'],
  ['Ctrl Shift O', 'New conversation'],
  ['/', 'Commands, in an empty message'],
  ['Enter', 'Send'],
  ['Shift Enter', 'New line'],
  ['↑', 'Last message again, in an empty message'],
  ['Esc', 'Stop the answer, close a dialog or menu'],
  ['?', 'This sheet'],
];

export function openShortcuts(): void {
  if (document.querySelector('dialog[open]')) return;
  const dialog = document.createElement('dialog');
  dialog.className = 'dialog shortcuts';
  dialog.setAttribute('aria-label', 'Keyboard shortcuts');
  const mac = /Mac|iPhone|iPad/.test(navigator.platform);
  render(
    html`<h2>Keyboard shortcuts</h2><dl>${SHORTCUTS.map(
      ([keys, does]) =>
        html`<div><dt>${keys
          .replace('Ctrl', mac ? '⌘' : 'Ctrl')
          .split(' ')
          .map((key) => html`<kbd>${key}</kbd>`)}</dt><dd>${does}</dd></div>`,
    )}</dl><div class="dialog-actions">
      <button class="button" autofocus @click=${() => dialog.close()}>Close</button></div>`,
    dialog,
  );
  dialog.addEventListener('click', (event) => event.target === dialog && dialog.close());
  dialog.addEventListener('close', () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}
