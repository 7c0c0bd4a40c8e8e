/** A command before its process starts: the request, the decisions so far, and the result. */
import type { ShellRequest, ShellWatch } from '../../core/shell.ts';
import type { ProcessSpec } from './processes/process-spec.ts';
import type { ShellPlace } from './shell-place.ts';

/** What holds wherever it runs. */
export type Settled = Pick<ProcessSpec, 'owner' | 'command' | 'host' | 'pty' | 'spoolMaxBytes' | 'timeoutMs'>;

export interface Job {
  readonly request: ShellRequest;
  readonly watch: ShellWatch;
  readonly place: ShellPlace;
  readonly settled: Settled;
}

/** It may run, exactly so. */
export type Prepared = ProcessSpec & { readonly warnings: readonly string[] };
