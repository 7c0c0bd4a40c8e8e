/** Whether the browser offers to install the page as an app, and asking it to. */

interface InstallPrompt extends Event {
  prompt(): Promise<unknown>;
  readonly userChoice: Promise<{ readonly outcome: string }>;
}

const held: { prompt?: InstallPrompt | undefined } = {};

/** The browser fires this event once, soon after the page is loaded. */
export function noteInstall(): void {
  addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault();
    held.prompt = event as InstallPrompt;
  });
  addEventListener('appinstalled', () => delete held.prompt);
}

export const isInstalled = (): boolean => matchMedia('(display-mode: standalone)').matches;
export const mayInstall = (): boolean => held.prompt !== undefined;

/** True if the person agreed. */
export async function install(): Promise<boolean> {
  const { prompt } = held;
  delete held.prompt;
  if (!prompt) return false;
  await prompt.prompt();
  return (await prompt.userChoice).outcome === 'accepted';
}
