/**
 * The shapes of channels on the wire: how they stand, who asks to be let in, what came lately; fields this page does
 * not use are left out.
 */
import type { AccountStatus, ChannelsStatusResult } from '../../../src/protocol/channels.ts';
import type { WirePairing } from '../../../src/protocol/doors.ts';

export type ChannelAccount = AccountStatus;
export type ChannelProblem = AccountStatus['problems'][number];
export type ChannelsStatus = Pick<ChannelsStatusResult, 'channelOrder' | 'channelLabels' | 'channelAccounts'>;

/** A channel there is, configured or not. */
export interface ChannelOffer {
  readonly id: string;
  readonly label: string;
  readonly blurb?: string;
  readonly configured: boolean;
  readonly credentials?: readonly { readonly key: string; readonly needed?: boolean }[];
}

export interface AccessStep {
  readonly ok: boolean;
  readonly setting?: string;
  readonly detail: string;
}
/** How far somebody reaches with one verb on one kind of thing. */
export interface Reach {
  readonly kind: string;
  readonly verb: string;
  readonly means: string;
  readonly reach: 'everywhere' | 'own' | 'nowhere';
}
export interface AccessAnswer {
  readonly kind: string;
  readonly verb: string;
  readonly means: string;
  readonly thing: string;
  readonly ok: boolean;
  readonly steps: readonly AccessStep[];
  readonly changes: readonly string[];
}
/** Who would ask, and what they may; `acts` for the one act that was asked about. */
export interface AccessExplained {
  readonly allowed: boolean;
  readonly reason: string;
  readonly requester: {
    readonly standing: string;
    readonly ids: readonly string[];
    readonly rights: readonly string[];
    readonly sessionKey: string;
  };
  readonly reaches: readonly Reach[];
  readonly acts?: readonly AccessAnswer[];
}

export type Pairing = WirePairing;
export type { SeenMessage } from '../../../src/protocol/doors.ts';
