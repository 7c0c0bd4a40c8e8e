/** Whether a secret may be printed: to a person at a terminal, or because the caller asked for it in so many words. */
import type { Call } from './command.ts';

export const showsSecrets = ({ io, flags }: Pick<Call, 'io' | 'flags'>): boolean =>
  flags.has('show-token') || (io.stdout as { isTTY?: boolean }).isTTY === true;
