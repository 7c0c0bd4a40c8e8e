/** An exchange between two sessions, and the runs of its steps. */
import type { Authority } from '../../core/authority.ts';
import type { ChatAddress } from '../../core/message.ts';
import type { ThinkingLevel } from '../../core/turn.ts';
import { sha256Hex } from '../../platform/ids.ts';

/** Everything it takes to go on with it in another run. What has happened is told by the messages of its steps. */
export interface Exchange {
  /** 32 hex characters; the same whenever the same tool call asks for it. */
  readonly id: string;
  readonly kind: 'send' | 'spawn';
  readonly requesterKey: string;
  readonly targetKey: string;
  /** What the requester wrote. */
  readonly request: string;
  /** Answers the two give each other after the first one; of a spawn 0. */
  readonly turns: number;
  /** After a send: the target may tell its chat. */
  readonly announce: boolean;
  /** 1: begun in a turn that is no step of an exchange itself. */
  readonly depth: number;
  /** Of a spawn: where the requester tells what came of it. */
  readonly replyTo?: ChatAddress;
  readonly child?: ExchangeChild;
  /** On whose word the requester asked: every step acts on it. */
  readonly authority: Authority;
  readonly createdAt: number;
}

/** The session of a sub-agent, as it was asked for. */
export interface ExchangeChild {
  readonly label?: string;
  readonly model?: { readonly provider: string; readonly modelId: string };
  readonly thinking?: ThinkingLevel;
  /** Absent: as long as any turn. */
  readonly timeoutMs?: number;
  readonly cleanup: 'keep' | 'delete';
}

/** `open`: steps are still to come; `kept`: over, its sub-agent's session waits to be archived. */
export type ExchangeState = 'open' | 'kept' | 'closed';

export interface ExchangeRow extends Exchange {
  readonly state: ExchangeState;
  readonly endedAt?: number;
  /** Milliseconds since the epoch. */
  readonly archiveAt?: number;
}

/** Of what a tool call begins; `callId`: turn and call, the same in whichever run of the gateway. */
export const exchangeIdOf = (callId: string): string => sha256Hex(`exchange ${callId}`).slice(0, 32);

/** Also the id of its message: the same after a restart. */
export const stepRunId = (exchangeId: string, step: number): string => `exchange:${exchangeId}:${step}`;

/** The exchange a run is a step of; undefined for any other run. */
export const exchangeOfRun = (runId: string): string | undefined => /^exchange:([0-9a-f]{32}):\d+$/.exec(runId)?.[1];
