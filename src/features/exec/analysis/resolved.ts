/** A resolved command of a line, with everything needed to classify and run it. */
import type { Segment } from './analysis.ts';
import type { Pipeline, PlainCommand } from './reading/read-script.ts';

export interface Resolved {
  readonly segment: Segment;
  /** Harmless only as long as nothing changes what paths lead to. */
  readonly reads: boolean;
  /** The words that are run: the same arguments, programs by absolute path. */
  readonly runs: readonly string[];
  /** Set for it alone, before it. */
  readonly env?: Readonly<Record<string, string>>;
}

export type Runnable = Resolved & Pick<PlainCommand, 'redirects'>;
export interface ResolvedPipeline extends Omit<Pipeline, 'commands'> {
  readonly commands: readonly Runnable[];
}

/** Why it could not be proven, one sentence. */
export interface Unproven {
  readonly why: string;
  /** There is no such program. */
  readonly missing?: true;
}
