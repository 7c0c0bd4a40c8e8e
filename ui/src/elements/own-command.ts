/** How the command line is typed on the gateway's machine, as the gateway wrote it into this page. */

const command = (): string | undefined =>
  typeof document === 'undefined'
    ? undefined
    : document.querySelector<HTMLMetaElement>('meta[name="clawdbot-command"]')?.content;

/** `words`: what follows the program's name. */
export const ownCommand = (words: string): string => `${command() ?? 'clawdbot'} ${words}`;
