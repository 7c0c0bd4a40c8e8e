/** The dependencies of the app, and the named checkpoints at which tests kill the process. */
import type { ConfigStore } from '../config/store.ts';
import type { Log } from '../core/log.ts';
import type { RequestRestart } from '../host/restart.ts';
import type { Feature } from '../host/feature.ts';
import type { OutboxSenderDeps } from '../pipeline/delivery/outbox-sender.ts';
import type { InboundDeps } from '../pipeline/inbound-deps.ts';
import type { MessageInboxDeps } from '../pipeline/inbox.ts';
import type { Clock } from '../platform/clock.ts';
import type { Env } from '../platform/env.ts';
import type { Config } from '../schema.ts';
import type { UnderstandingPartsDeps } from '../pipeline/understander/understanding-parts.ts';

/** The kernel's named checkpoints: crash tests kill the process there, tracing listens. Features have their own. */
export type Checkpoint =
  | Parameters<MessageInboxDeps['checkpoint']>[0]
  | Parameters<InboundDeps['checkpoint']>[0]
  | Parameters<InboundDeps['turns']['checkpoint']>[0]
  | Parameters<OutboxSenderDeps['checkpoint']>[0];

export interface AppDeps {
  readonly env: Env;
  readonly config: ConfigStore<Config>;
  readonly log: Log;
  readonly clock: Clock;
  readonly version: string;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  /** The installed package or checkout. */
  readonly root: string;
  /** Found, not created yet. */
  readonly features: readonly Feature[];
  /** DNS, for what messages link to; the system's when absent. */
  readonly resolve?: UnderstandingPartsDeps['resolve'];
  readonly requestRestart?: RequestRestart;
  /** The port it listens on, once it does; whether the system chose it. */
  readonly listening?: { port(): number | undefined; readonly bySystem: boolean };
  checkpoint?(checkpoint: Checkpoint, runId: string): void;
}
