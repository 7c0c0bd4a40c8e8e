/** Parameters of the heartbeat methods, and how a look is told on the wire. */
import { z } from 'zod';
import { text } from '../../protocol/fields.ts';

export const lastHeartbeatParams = z.strictObject({
  agentId: text.optional().describe('Default: whichever agent looked last.'),
});
export const setHeartbeatsParams = z.strictObject({
  enabled: z.boolean().describe('False: nobody looks and nobody is woken, until the next start.'),
});

/**
 * The event `heartbeat`, and the answer of `last-heartbeat` before `nextAtMs`. Times in milliseconds since the epoch.
 */
export interface HeartbeatEvent {
  readonly ts: number;
  readonly agentId: string;
  readonly sessionKey: string;
  /**
   * `sent`: a person was told; `ok`: nothing needed them; `skipped`: it was not asked, or said nothing new; `failed`:
   * it could not look.
   */
  readonly status: 'sent' | 'ok' | 'skipped' | 'failed';
  /**
   * Why it looked (`interval`, `wake`, `cron:<id>` …), or why it did not (`quiet-hours`, `disabled`,
   * `empty-heartbeat-file`, `alerts-disabled`, `requests-in-flight`, `duplicate`, `no-target`).
   */
  readonly reason: string;
  readonly preview?: string;
  readonly channel?: string;
  readonly to?: string;
  readonly durationMs?: number;
  readonly silent?: boolean;
  /** False: clients are asked to make nothing of it (`useIndicator`). */
  readonly indicator?: boolean;
}

export interface LastHeartbeat extends HeartbeatEvent {
  /** Null: it does not look by itself, or nobody does for now. */
  readonly nextAtMs: number | null;
  readonly enabled: boolean;
}
