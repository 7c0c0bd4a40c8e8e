/** Native dialogs: a confirmation, and one text field. */
import { html, nothing, render } from 'lit';

interface Question {
  readonly title: string;
  readonly body?: unknown;
  readonly action: string;
  readonly danger?: boolean;
  /** Present: asks for a line of text, starting with this one. */
  readonly value?: string;
  readonly placeholder?: string;
}

/** The text (empty for a plain question) when confirmed, undefined when not. */
export function ask(question: Question): Promise<string | undefined> {
  const dialog = document.createElement('dialog');
  dialog.className = 'dialog';
  dialog.setAttribute('aria-labelledby', 'dialog-title');
  const submit = (event: Event): void => {
    event.preventDefault();
    dialog.close(`ok:${dialog.querySelector('input')?.value ?? ''}`);
  };
  render(
    html`
    <form @submit=${submit}>
      <h2 id="dialog-title">${question.title}</h2>
      ${question.body ? html`<div class="dialog-body">${question.body}</div>` : nothing}
      ${
        question.value === undefined
          ? nothing
          : html`<input class="field" aria-label=${question.title} maxlength="64"
        .value=${question.value} placeholder=${question.placeholder ?? ''} autofocus />`
      }
      <div class="dialog-actions">
        <button type="button" class="button" @click=${() => dialog.close()}
          ?autofocus=${question.danger === true}>Cancel</button>
        <button type="submit" class=${question.danger ? 'button danger' : 'button primary'}>${question.action}</button>
      </div>
    </form>`,
    dialog,
  );
  dialog.addEventListener('click', (event) => event.target === dialog && dialog.close());
  document.body.append(dialog);
  dialog.showModal();
  dialog.querySelector('input')?.select();
  return new Promise((resolve) => {
    dialog.addEventListener('close', () => {
      dialog.remove();
      resolve(dialog.returnValue.startsWith('ok:') ? dialog.returnValue.slice(3) : undefined);
    });
  });
}

export const confirmed = async (question: Omit<Question, 'value'>): Promise<boolean> =>
  (await ask(question)) !== undefined;
