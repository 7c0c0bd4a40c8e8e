/** What the method `channels.status` answers, as far as commands show it. */

export interface AccountFacts {
  readonly accountId: string;
  readonly enabled: boolean;
  readonly configured: boolean;
  readonly running: boolean;
  readonly connected?: boolean;
  readonly reconnectAttempts?: number;
  readonly lastError?: string;
  readonly lastInboundAt?: number;
  readonly lastOutboundAt?: number;
  readonly sends?: { readonly sent: number; readonly failed: number; readonly repeated: number };
  readonly mode?: string;
  readonly self?: { readonly id: string; readonly name?: string; readonly handle?: string };
  readonly probe?: { readonly ok: boolean; readonly detail?: string; readonly ms?: number };
  readonly credentialSources?: Readonly<Record<string, string>>;
  readonly problems: readonly { readonly kind: string; readonly message: string; readonly fix?: string }[];
}

export interface ChannelFacts {
  readonly channelOrder: readonly string[];
  readonly channels: Readonly<Record<string, { readonly ok: boolean; readonly summary: string }>>;
  readonly channelAccounts: Readonly<Record<string, readonly AccountFacts[]>>;
}

/** Every problem of every account, with where it is. */
export const problemsOf = ({ channelOrder, channelAccounts }: ChannelFacts): readonly { readonly where: string; readonly kind: string; readonly message: string; readonly fix?: string }[] =>
  channelOrder.flatMap((id) => (channelAccounts[id] ?? []).filter(({ enabled }) => enabled).flatMap(({ accountId, problems }) => problems.map((problem) => ({ where: `${id}/${accountId}`, ...problem }))));
