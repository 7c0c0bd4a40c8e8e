/** The menu of a conversation in the list; loaded when it is opened. */
import { html, nothing } from 'lit';
import { icon } from '../elements/icons.ts';
import type { SessionRow } from '../gateway/wire.ts';
import type { SessionAction } from './session-actions.ts';

/** The main conversation cannot be deleted. */
export const sessionMenu = (
  {
    isMain,
    pinned,
    archived,
    branchedFrom,
  }: Pick<SessionRow, 'pinned' | 'archived' | 'branchedFrom'> & { readonly isMain: boolean },
  act: (action: SessionAction) => void,
): unknown => html`<div class="menu session-menu" role="menu">
  <button role="menuitem" class="menu-item" @click=${() => act('rename')}>${icon('edit')}Rename</button>
  <button role="menuitem" class="menu-item" @click=${() =>
    act(pinned ? 'unpin' : 'pin')}>${icon('pin')}${pinned ? 'Unpin' : 'Pin'}</button>
  ${
    isMain
      ? nothing
      : html`<button role="menuitem" class="menu-item" @click=${() =>
          act(archived ? 'unarchive' : 'archive')}>${icon('archive')}${archived ? 'Unarchive' : 'Archive'}</button>`
  }
  ${
    branchedFrom
      ? html`<button role="menuitem" class="menu-item" @click=${() =>
          act('parent')}>${icon('branch')}Open parent</button>`
      : nothing
  }
  <button role="menuitem" class="menu-item" @click=${() =>
    act('exportMarkdown')}>${icon('file')}Export Markdown</button>
  <button role="menuitem" class="menu-item" @click=${() => act('exportJson')}>${icon('file')}Export JSON</button>
  <button role="menuitem" class="menu-item" @click=${() => act('reset')}>${icon('retry')}Start new session</button>
  ${
    isMain
      ? nothing
      : html`<button role="menuitem" class="menu-item danger" @click=${() =>
          act('remove')}>${icon('close')}Delete</button>`
  }
</div>`;

/** Arrow keys move; Escape closes the menu and returns the focus. */
export function steerMenu(panel: HTMLElement, event: KeyboardEvent, close: () => void): void {
  const items = [...panel.querySelectorAll<HTMLElement>('.session-menu button')];
  const at = items.indexOf(document.activeElement as HTMLElement);
  if (event.key === 'Escape') {
    event.preventDefault();
    const opener = panel.querySelector<HTMLElement>('.session-more[aria-expanded="true"]');
    close();
    opener?.focus();
  } else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
    event.preventDefault();
    items.at((at + (event.key === 'ArrowDown' ? 1 : -1)) % items.length)?.focus();
  }
}
