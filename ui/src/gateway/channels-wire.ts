/** The shapes of channels on the wire: how they stand, who asks to be let in, what came lately; fields this page does not use are left out. */
import type { WirePairing } from '../../../src/protocol/doors.ts';

export interface ChannelProblem { readonly kind: string; readonly message: string; readonly fix?: string }

export interface ChannelAccount {
  readonly accountId: string;
  readonly name?: string;
  readonly enabled: boolean;
  readonly configured: boolean;
  readonly running: boolean;
  readonly connected?: boolean;
  readonly reconnectAttempts?: number;
  readonly lastError?: string;
  readonly lastConnectedAt?: number;
  readonly lastEventAt?: number;
  readonly lastInboundAt?: number;
  readonly lastOutboundAt?: number;
  readonly lastProbeAt?: number;
  readonly probe?: { readonly ok: boolean; readonly detail?: string; readonly ms?: number };
  readonly mode?: string;
  readonly self?: { readonly id: string; readonly name?: string; readonly handle?: string };
  readonly dmPolicy?: string;
  readonly groupPolicy?: string;
  readonly credentialSources?: Readonly<Record<string, string>>;
  readonly problems?: readonly ChannelProblem[];
}

export interface ChannelsStatus {
  readonly channelOrder: readonly string[];
  readonly channelLabels: Readonly<Record<string, string>>;
  readonly channelAccounts: Readonly<Record<string, readonly ChannelAccount[]>>;
}

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
