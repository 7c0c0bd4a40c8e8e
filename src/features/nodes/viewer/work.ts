/** The interface of a command of this node. */
import type { Params } from './params.ts';

/** Ids of the permissions that the person can switch. */
export type CapabilityId = 'camera' | 'microphone' | 'location' | 'notifications' | 'screen' | 'canvas';

/** One running command. */
export interface WorkCall {
  /** The reason of an abort is sent to the gateway as the error. */
  readonly signal: AbortSignal;
  isOn(id: CapabilityId): boolean;
}

/** Rejects with `NodeError` if the command cannot be performed. */
export type Work = (params: Params, call: WorkCall) => Promise<unknown>;
