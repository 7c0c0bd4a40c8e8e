/** The name of the installed command on the gateway's machine, which the gateway wrote into this page. */

const command = (): string | undefined =>
  typeof document === 'undefined'
    ? undefined
    : document.querySelector<HTMLMetaElement>('meta[name="clawdbot-command"]')?.content;

/** `words`: the arguments after the program name. */
export const ownCommand = (words: string): string => `${command() ?? 'clawdbot'} ${words}`;
