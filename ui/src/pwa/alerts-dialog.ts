/** The dialog for notifications and for the installation of the page as an app. */
import { html, nothing, render } from 'lit';
import { toast } from '../elements/toast.ts';
import { alertChoice, canAlert, chooseAlerts, type AlertChoice } from './alerts.ts';
import { install, isInstalled, mayInstall } from './install.ts';

const CHOICES: Readonly<Record<AlertChoice, string>> = {
  off: 'No notifications',
  names: 'Notifications without their text',
  words: 'Notifications with the text of answers and commands',
};

export function openAlerts(): void {
  const dialog = document.createElement('dialog');
  dialog.className = 'dialog';
  dialog.setAttribute('aria-labelledby', 'alerts-title');
  const draw = (): void => void render(content(dialog, draw), dialog);
  draw();
  dialog.addEventListener('close', () => dialog.remove());
  dialog.addEventListener('click', (event) => event.target === dialog && dialog.close());
  document.body.append(dialog);
  dialog.showModal();
}

const content = (dialog: HTMLDialogElement, draw: () => void): unknown => html`
  <h2 id="alerts-title">Notifications and app</h2>
  <div class="dialog-body">${canAlert() ? alerts(draw) : html`<p>${NONE}</p>`}
    <h3 class="alerts-head">App</h3>${
      isInstalled()
        ? html`<p>The app is installed.</p>`
        : mayInstall()
          ? html`<button class="button" @click=${() =>
              void install().then((agreed) => {
                if (agreed) dialog.close();
                else draw();
              })}>Install the app</button>`
          : html`<p>To install it, use “Install app” or “Add to home screen” in the menu of the browser.</p>`
    }</div>
  <div class="dialog-actions"><button class="button" @click=${() => dialog.close()}>Close</button></div>`;

const NONE = 'Notifications need HTTPS or the gateway’s own machine, and a browser that allows a service worker.';

const alerts = (draw: () => void): unknown => html`<fieldset class="alerts-choices"><legend>When this page is open in
  the background and something needs you</legend>${Object.entries(CHOICES).map(
    ([choice, label]) => html`<label class="check"><input type="radio" name="alerts" value=${choice}
      .checked=${alertChoice() === choice} @change=${() =>
        void choose(choice as AlertChoice, draw)} />${label}</label>`,
  )}</fieldset>
  ${
    Notification.permission === 'denied'
      ? html`<p>The browser blocks notifications of this page. Allow them in its settings for this site.</p>`
      : nothing
  }
  <p class="small">A command can be allowed from a notification only where its whole text is shown.</p>`;

async function choose(choice: AlertChoice, draw: () => void): Promise<void> {
  if ((await chooseAlerts(choice)) !== choice) toast('The browser does not allow notifications', 'bad');
  draw();
}
