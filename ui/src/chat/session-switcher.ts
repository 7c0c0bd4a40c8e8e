/** The dialog of Ctrl/Cmd+K: type a few letters and press Enter to switch the conversation. */
import { html, render } from 'lit';
import type { App } from '../app.ts';
import { placeOf, findRows, titleOf } from '../gateway/sessions.ts';

export function openSwitcher(app: App): void {
  if (document.querySelector('dialog[open]')) return;
  const dialog = document.createElement('dialog');
  dialog.className = 'dialog switcher';
  dialog.setAttribute('aria-label', 'Switch conversation');
  let query = '';
  let choice = 0;
  const choose = (index: number): void => {
    const row = findRows(app.sessions.store.get().rows, query)[index];
    dialog.close();
    if (row) app.openSession(row.key);
    else app.newSession();
  };
  const key = (event: KeyboardEvent): void => {
    const count = findRows(app.sessions.store.get().rows, query).length + 1;
    const step = { ArrowDown: 1, ArrowUp: count - 1 }[event.key];
    if (step !== undefined) choice = (choice + step) % count;
    else if (event.key === 'Enter') return choose(choice);
    else return;
    event.preventDefault();
    show();
  };
  function show(): void {
    const rows = findRows(app.sessions.store.get().rows, query);
    render(
      html`<input class="field" type="search" role="combobox" aria-expanded="true" aria-controls="switcher-list"
        aria-activedescendant="switch-${choice}" aria-label="Find a conversation" placeholder="Find a conversation"
        autofocus
        @input=${(event: Event) => {
          query = (event.target as HTMLInputElement).value;
          choice = 0;
          show();
        }} @keydown=${key} />
      <ul id="switcher-list" class="switcher-list" role="listbox">
        ${rows.map(
          (row, index) => html`<li id="switch-${index}" role="option" class="menu-item"
          aria-selected=${index === choice ? 'true' : 'false'} @click=${() => choose(index)}><span
          class="session-title">${titleOf(row)}</span><span class="session-channel">${placeOf(row)}</span></li>`,
        )}
        <li id="switch-${rows.length}" role="option" class="menu-item" aria-selected=${
          choice === rows.length ? 'true' : 'false'
        } @click=${() => choose(rows.length)}><span class="session-title">New conversation</span></li>
      </ul>`,
      dialog,
    );
    dialog.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  }
  dialog.addEventListener('click', (event) => event.target === dialog && dialog.close());
  dialog.addEventListener('close', () => dialog.remove());
  document.body.append(dialog);
  show();
  dialog.showModal();
}
