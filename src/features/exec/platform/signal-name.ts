/** The names of signals by their numbers on this machine. */
import { constants } from 'node:os';

/** `SIGTERM` for 15; undefined for numbers that are no signal. */
export function signalName(number: number): string | undefined {
  return Object.entries(constants.signals).find(([, value]) => value === number)?.[0];
}
