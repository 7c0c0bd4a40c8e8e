/** The health summary: cheap facts at once, channel probes in the background, and an event when something changed. */
import { asAppError } from '../../core/errors.ts';
import type { Clock } from '../../platform/clock.ts';
import type { HealthSummary } from '../../protocol/answers/system.ts';
import type { AccountStatus, ChannelStatus } from '../../host/channel-services.ts';
import type { GatewayServices, GatewayStatus, StorageStatus } from '../services.ts';

const MAX_AGE_MS = 60_000;
/** Without probes collecting is cheap: who asks is told what holds now, and a crowd that asks shares an answer. */
const FRESH_MS = 1000;
const PROBE_TIMEOUT_MS = 10_000;
/** Over this the event loop is somebody's long synchronous work. */
const DEGRADED_P99_MS = 100;

interface ChannelHealth {
  readonly configured: boolean;
  readonly ok: boolean;
  /** One line for a person; says `failed` as soon as one account's probe failed. */
  readonly summary: string;
  readonly accounts: readonly ChannelStatus['accounts'][number][];
}

/** What the published summary has no place for: added to the answer of `health`, not to the handshake. */
export interface HealthDetails {
  readonly phase: GatewayStatus['phase'];
  readonly storage: StorageStatus['storage'];
  readonly config: GatewayStatus['config'];
  readonly overdue: number;
}

export interface Health {
  /** The newest summary, without waiting. */
  current(): HealthSummary;
  details(): Promise<HealthDetails>;
  /** Collects anew; with `probe` the channels are asked whether they really work. */
  refresh(options: { probe: boolean }): Promise<HealthSummary>;
  /** What holds now, without probes; not collected more than once a second. */
  recent(): Promise<HealthSummary>;
  /** The same in the background and with probes, for those who only watch; trouble goes to the log. */
  refreshIfOld(): void;
  version(): number;
}

export function createHealth({
  services,
  clock,
  onChange,
}: {
  services: GatewayServices;
  clock: Clock;
  onChange(details: HealthDetails): void;
}): Health {
  let channels: readonly ChannelStatus[] = [];
  let sessions: HealthSummary['sessions'] = { path: services.sessions.storePath(), count: 0, recent: [] };
  let collectedAt = -Infinity;
  let durationMs = 0;
  let version = 0;
  let shown = '';
  let refreshing: Promise<HealthSummary> | undefined;

  const current = (): HealthSummary => ({
    ok: true,
    ts: clock.now(),
    durationMs,
    eventLoop: eventLoop(services),
    channels: Object.fromEntries(channels.map((channel) => [channel.id, channelHealth(channel, clock.now())])),
    channelOrder: channels.map((channel) => channel.id),
    channelLabels: Object.fromEntries(channels.map((channel) => [channel.id, channel.label])),
    ...services.features.health(),
    defaultAgentId: services.agents.defaultId(),
    sessions,
  });

  async function collect(probe: boolean): Promise<HealthSummary> {
    const startedAt = clock.monotonic();
    // A probe that throws must cost one line of the summary, not the summary.
    const [status, recent, count] = await Promise.all([
      services.channels.status({ probe, timeoutMs: PROBE_TIMEOUT_MS }).catch((error: unknown) => {
        services.log.warn('health.channels', { error: asAppError(error).message });
        return channels;
      }),
      services.sessions.list({ limit: 5 }),
      services.sessions.count(),
    ]);
    channels = status;
    const now = clock.now();
    sessions = {
      path: services.sessions.storePath(),
      count,
      recent: recent.map(({ key, entry }) => ({
        key,
        updatedAt: entry.updatedAt,
        age: Math.max(0, now - entry.updatedAt),
      })),
    };
    collectedAt = clock.monotonic();
    durationMs = Math.round(collectedAt - startedAt);
    noteChange(await details());
    return current();
  }

  /** Times and session counts move all the time; only what a person would act on counts as a change. */
  function noteChange(found: HealthDetails): void {
    const now = JSON.stringify([
      channels.map((channel) => channelHealth(channel, clock.now())).map(({ ok, summary }) => [ok, summary]),
      found,
    ]);
    if (now === shown) return;
    shown = now;
    version += 1;
    onChange(found);
  }

  async function details(): Promise<HealthDetails> {
    const { storage, overdue } = await services.storage();
    const { phase, config } = services.status();
    return { phase, storage, config, overdue };
  }

  function refresh({ probe }: { probe: boolean }): Promise<HealthSummary> {
    refreshing ??= collect(probe).finally(() => (refreshing = undefined));
    return refreshing;
  }

  const isOld = (maxAgeMs = MAX_AGE_MS): boolean => clock.monotonic() - collectedAt >= maxAgeMs;

  return {
    current,
    details,
    refresh,
    recent: async () => (isOld(FRESH_MS) ? refresh({ probe: false }) : current()),
    refreshIfOld: () =>
      void (
        isOld() &&
        refresh({ probe: true }).catch((error: unknown) =>
          services.log.warn('health.refresh', { error: asAppError(error).message }),
        )
      ),
    version: () => version,
  };
}

function eventLoop(services: GatewayServices): HealthSummary['eventLoop'] {
  const { p99Ms, maxMs, utilization } = services.status().eventLoop;
  const degraded = p99Ms > DEGRADED_P99_MS;
  return {
    degraded,
    reasons: degraded ? ['event_loop_delay'] : [],
    intervalMs: MAX_AGE_MS,
    delayP99Ms: p99Ms,
    delayMaxMs: maxMs,
    utilization,
    cpuCoreRatio: 0,
  };
}

/** Milliseconds without a connection that are no more than a hiccup. */
const HICCUP_MS = 60_000;

/** `now`: milliseconds since the epoch. One failing account degrades its channel, whatever the others do. */
export function channelHealth(channel: ChannelStatus, now: number): ChannelHealth {
  const configured = channel.accounts.some((account) => account.configured);
  const failed = channel.accounts.find(
    (account) => account.enabled && account.configured && whyDegraded(account, now) !== undefined,
  );
  return {
    configured,
    ok: !failed,
    summary: summaryLine(channel, {
      configured,
      failed: failed && `(${failed.accountId}) - ${whyDegraded(failed, now)}`,
    }),
    accounts: channel.accounts,
  };
}

/** Undefined while the account is well. */
export function whyDegraded(
  { probe, running, lastError, connected, downSince, problems }: AccountStatus,
  now: number,
): string | undefined {
  if (probe?.ok === false) return probe.detail ?? 'the probe failed';
  if (!running && lastError !== undefined) return lastError;
  const refused = problems.find(({ kind }) => kind === 'auth');
  if (refused) return refused.message;
  return connected === false && downSince !== undefined && now - downSince > HICCUP_MS
    ? (lastError ?? 'not connected')
    : undefined;
}

function summaryLine(
  { label, accounts }: ChannelStatus,
  { configured, failed }: { readonly configured: boolean; readonly failed: string | undefined },
): string {
  if (!configured) return `${label}: not configured`;
  if (failed !== undefined) return `${label}: failed ${failed}`;
  if (accounts.every(({ enabled }) => !enabled)) return `${label}: disabled`;
  if (accounts.some(({ running, connected }) => running && connected === false)) return `${label}: connecting`;
  return `${label}: ${accounts.some((account) => account.running) ? 'running' : 'configured'}`;
}
