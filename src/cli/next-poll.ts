/** Waits until the next poll of something that is followed. */
import { pause } from '../platform/pause.ts';

const POLL_MS = 500;

/** False once interrupted. */
export const nextPoll = (signal: AbortSignal): Promise<boolean> => pause(POLL_MS, signal);
