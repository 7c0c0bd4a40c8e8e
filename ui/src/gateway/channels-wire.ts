/** The shapes of channels on the wire: how they stand, who asks to be let in, what came lately; fields this page does not use are left out. */
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

export type Pairing = WirePairing;

export interface SeenMessage {
  readonly runId: string;
  readonly channel: string;
  readonly accountId: string;
  readonly chat: { readonly kind: string; readonly id: string };
  readonly threadId?: string;
  readonly sender: { readonly id: string; readonly name?: string };
  readonly at: number;
  readonly state: 'accepted' | 'answered' | 'declined' | 'failed';
  readonly reason?: string;
  readonly sessionKey: string;
  readonly agentId: string;
  readonly text: string;
  readonly steps?: readonly { readonly step: string; readonly ok: boolean; readonly setting?: string; readonly detail: string }[];
}
