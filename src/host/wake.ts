/** The interface with which features wake agents; the heartbeat feature provides its own implementation. */
import type { Authority } from '../core/authority.ts';
import type { SessionKey } from '../core/session-key.ts';

/** Why an agent is to look, and in which conversation. */
export interface WakeRequest {
  readonly agentId: string;
  /** Absent: the conversation the agent looks in. Another one tells its own chat and no other. */
  readonly sessionKey?: SessionKey | undefined;
  readonly text: string;
  /** The same in every run of the gateway: it happens once. Also the run id. */
  readonly id: string;
  readonly reason: string;
  /** `next-heartbeat`: it is noted, and the next heartbeat takes it up. */
  readonly mode: 'now' | 'next-heartbeat';
  /** What becomes of the text when the agent may not be woken now. */
  readonly ifSkipped: 'note' | 'leave';
  /** Whose text it is: the turn acts on their word. */
  readonly authority: Authority;
}

/**
 * `ran`: the turn has ended, whatever it said. `noted`: it is told with the next turn. `retryAtMs`: when quiet hours
 * are over.
 */
export interface WakeResult {
  readonly status: 'ran' | 'noted' | 'skipped' | 'failed';
  readonly reason?: string;
  readonly error?: string;
  readonly retryAtMs?: number;
  readonly runId?: string;
}

/**
 * On disk, or skipped for good. `ended` rejects with `aborted` when the gateway stops first: then the turn goes on in
 * the next run.
 */
export interface StartedWake {
  readonly runId?: string;
  readonly ended: Promise<WakeResult>;
}

/** Wakes agents: a feature may do it its own way, e.g. as a heartbeat. */
export interface Waker {
  /** Resolves once the wake is on disk, or skipped. Unknown agent: `not_found`. */
  nudge(request: WakeRequest): Promise<StartedWake>;
  /** `nudge` to its end. A turn that wakes its own session must not wait for it. */
  wake(request: WakeRequest): Promise<WakeResult>;
  /** Nothing but "nothing to tell", by the rules of this agent. */
  isAck(text: string, agentId: string): boolean;
}
