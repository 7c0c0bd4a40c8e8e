/** Shows a short message at the edge of the screen, and announces it to screen readers. */

/** An action that is offered for a short time. */
export interface ToastAction {
  readonly label: string;
  act(): void;
}

const ACTION_MS = 8000;

export function toast(text: string, tone: 'plain' | 'bad' = 'plain', action?: ToastAction): void {
  const region =
    document.querySelector('.toasts') ??
    document.body.appendChild(Object.assign(document.createElement('div'), { className: 'toasts', role: 'status' }));
  const note = Object.assign(document.createElement('div'), { className: `toast ${tone}`, textContent: text });
  if (action) {
    const button = Object.assign(document.createElement('button'), { className: 'link', textContent: action.label });
    button.addEventListener('click', () => {
      note.remove();
      action.act();
    });
    note.append(' ', button);
  }
  region.append(note);
  setTimeout(() => note.remove(), action ? ACTION_MS : tone === 'bad' ? 6000 : 2200);
}
