/** How channels and their accounts stand, as `channels.status` tells it. Times are milliseconds since the epoch. */
import type { ChannelProblem } from '../core/channel.ts';

export interface AccountStatus {
  readonly accountId: string;
  readonly name?: string;
  readonly enabled: boolean;
  readonly configured: boolean;
  /** A task looks after it, connected or not. */
  readonly running: boolean;
  readonly connected?: boolean;
  readonly reconnectAttempts?: number;
  readonly lastError?: string;
  /** Not connected since then; absent while it is connected, or stopped. */
  readonly downSince?: number;
  readonly lastConnectedAt?: number;
  readonly lastStartAt?: number;
  readonly lastStopAt?: number;
  /** Anything at all came from the platform. */
  readonly lastEventAt?: number;
  readonly lastInboundAt?: number;
  readonly lastOutboundAt?: number;
  /** Since the start. `repeated`: said again, because nobody could tell whether it had arrived. */
  readonly sends?: { readonly sent: number; readonly failed: number; readonly repeated: number };
  readonly lastProbeAt?: number;
  readonly probe?: { readonly ok: boolean; readonly detail?: string; readonly ms?: number };
  readonly mode?: string;
  readonly self?: { readonly id: string; readonly name?: string; readonly handle?: string };
  readonly dmPolicy?: string;
  readonly groupPolicy?: string;
  /** Where each credential comes from; never what it is. */
  readonly credentialSources?: Readonly<Record<string, 'config' | 'file' | 'env' | 'none'>>;
  readonly problems: readonly ChannelProblem[];
}

/** Keyed by the channel's id; `channelOrder` is the order of display. */
export interface ChannelsStatusResult {
  readonly ts: number;
  readonly channelOrder: readonly string[];
  readonly channelLabels: Readonly<Record<string, string>>;
  readonly channelMeta: readonly { readonly id: string; readonly label: string; readonly detailLabel: string }[];
  readonly channels: Readonly<
    Record<
      string,
      { readonly configured: boolean; readonly ok: boolean; readonly summary: string; readonly running: boolean }
    >
  >;
  readonly channelAccounts: Readonly<Record<string, readonly AccountStatus[]>>;
  readonly channelDefaultAccountId: Readonly<Record<string, string>>;
}
