/** The model of one session, where somebody chose another than the agent's own. Pure. */
import type { SessionEntry } from './entry.ts';

/** The model a session was told to use. */
export const modelOverride = (entry: SessionEntry): string | undefined =>
  entry.modelOverride &&
  (entry.providerOverride ? `${entry.providerOverride}/${entry.modelOverride}` : entry.modelOverride);
