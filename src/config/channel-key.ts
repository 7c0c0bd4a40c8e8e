/** Formats a setting's path for the command line. Pure. */

/** `botToken` → `bot-token` */
export const channelKey = (key: string): string => key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
