/** The interface of a command of this node. */
import type { Params } from './params.ts';

/** Ids of what the person can switch on. */
export type CapabilityId = 'camera' | 'microphone' | 'location' | 'notifications' | 'screen' | 'canvas';

/** One command under way. */
export interface WorkCall {
  /** Its reason is what the gateway is told. */
  readonly signal: AbortSignal;
  isOn(id: CapabilityId): boolean;
}

/** Rejects with `NodeError` for what cannot be done. */
export type Work = (params: Params, call: WorkCall) => Promise<unknown>;
