/** The parts of the `status` result that commands show. */

export interface GatewayFacts {
  readonly version: string;
  readonly stateDir: string;
  readonly phase: 'starting' | 'ready' | 'draining';
  readonly accepting: boolean;
  readonly uptimeMs: number;
  readonly connections: number;
  readonly rssBytes: number;
  readonly activeTurns: number;
  readonly queuedMessages: number;
  readonly outboxPending: number;
  /** Accepted messages that should have ended by now. */
  readonly overdue: number;
  readonly storage: { readonly ok: boolean; readonly error?: string; readonly loss?: string };
  readonly config: {
    readonly valid: boolean;
    readonly source: string;
    readonly safeMode: boolean;
    readonly issues: readonly { readonly path: string; readonly problem: string; readonly fix?: string }[];
  };
  /** `problem`: few are allowed, or none are left. */
  readonly descriptors?: { readonly limit: number; readonly used: number; readonly problem?: string } | undefined;
  readonly eventLoop: { readonly p99Ms: number };
  /** `source` says why: configuration, a key in the environment, Ollama, or nothing better. */
  readonly model: { readonly provider: string; readonly model: string; readonly source: string };
  readonly channelSummary: readonly string[];
  readonly channelProblems?: readonly {
    readonly channel: string;
    readonly accountId: string;
    readonly message: string;
    readonly fix?: string;
  }[];
  readonly sessions: {
    readonly count: number;
    readonly recent: readonly { readonly key: string; readonly updatedAt: number }[];
  };
}

/** Everything that is not as it should be, one line each. */
export function troubles({
  storage,
  config,
  overdue,
  accepting,
  phase,
  descriptors,
  channelProblems = [],
}: Pick<
  GatewayFacts,
  'storage' | 'config' | 'overdue' | 'accepting' | 'phase' | 'descriptors' | 'channelProblems'
>): readonly string[] {
  return [
    ...(storage.ok ? [] : [`storage: ${storage.error ?? 'not writable'}`]),
    ...(storage.loss === undefined ? [] : [`storage: ${storage.loss}`]),
    ...(config.valid
      ? []
      : [
          'config: invalid, running on ' +
            `${config.safeMode ? 'defaults (safe mode)' : `the ${config.source} configuration`}`,
        ]),
    ...config.issues.map(
      ({ path, problem, fix }) => `config: ${path ? `${path}: ` : ''}${problem}${fix ? ` (${fix})` : ''}`,
    ),
    ...channelProblems.map(
      ({ channel, accountId, message, fix }) => `${channel}/${accountId}: ${message}${fix ? ` (${fix})` : ''}`,
    ),
    ...(descriptors?.problem === undefined ? [] : [descriptors.problem]),
    ...(overdue > 0 ? [`${overdue} accepted ${overdue === 1 ? 'message has' : 'messages have'} not finished`] : []),
    ...(accepting || phase === 'starting' ? [] : ['not accepting new work']),
  ];
}
