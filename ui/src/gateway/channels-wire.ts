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
export type { SeenMessage } from '../../../src/protocol/doors.ts';
