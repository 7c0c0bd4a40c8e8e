/** Decides whether a secret may be printed: only to a terminal, or if the caller explicitly requests it. */
import type { Call } from './command.ts';

export const showsSecrets = ({ io, flags }: Pick<Call, 'io' | 'flags'>): boolean =>
  flags.has('show-token') || (io.stdout as { isTTY?: boolean }).isTTY === true;
