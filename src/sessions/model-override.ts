/** Resolves the model of a session that does not use its agent's model. Pure. */
import type { SessionEntry } from './entry.ts';

/** The model chosen for a session. */
export const modelOverride = (entry: SessionEntry): string | undefined =>
  entry.modelOverride &&
  (entry.providerOverride ? `${entry.providerOverride}/${entry.modelOverride}` : entry.modelOverride);
