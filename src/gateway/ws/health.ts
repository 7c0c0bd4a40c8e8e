/**
 * Builds the health summary: fast facts immediately, channel probes in the background, and an event when something
 * changed.
 */
import { asAppError } from '../../core/errors.ts';
import type { Clock } from '../../platform/clock.ts';
import type { HealthSummary } from '../../protocol/answers/system.ts';
import type { AccountStatus, ChannelStatus } from '../../host/channel-services.ts';
import type { GatewayServices, GatewayStatus, StorageStatus } from '../services.ts';

const MAX_AGE_MS = 60_000;
/** Collecting without probes is cheap: a caller gets current values, and simultaneous callers share one answer. */
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
  /** Collects again; with `probe` the channels are tested. */
  refresh(options: { probe: boolean }): Promise<HealthSummary>;
  /** What holds now, without probes; not collected more than once a second. */
  recent(): Promise<HealthSummary>;
  /**
   * The same in the background and with probes, for observers; errors are logged. While there are none, the sessions
   * are left alone: a gateway at rest does not read 100 000 entries for nobody.
   */
  refreshIfOld(): void;
  /** The same without probes, at once, for what changed just now. */
  refreshSoon(): void;
  version(): number;
  /** The listener is called for changes that a person would act on. */
  onChange(listener: (details: HealthDetails) => void): void;
}

export interface HealthDeps {
  readonly services: GatewayServices;
  readonly clock: Clock;
  /** Whether anybody is connected who hears of it. */
  observed(): boolean;
}

export const createHealth = (deps: HealthDeps): Health => new CollectedHealth(deps);

class CollectedHealth implements Health {
  readonly #deps: HealthDeps;
  readonly #listeners: ((details: HealthDetails) => void)[] = [];
  #channels: readonly ChannelStatus[] = [];
  #sessions: HealthSummary['sessions'];
  #collectedAt = -Infinity;
  #durationMs = 0;
  #version = 0;
  #shown = '';
  #refreshing: Promise<HealthSummary> | undefined;

  constructor(deps: HealthDeps) {
    this.#deps = deps;
    this.#sessions = { path: deps.services.sessions.storePath(), count: 0, recent: [] };
  }

  current(): HealthSummary {
    const { services, clock } = this.#deps;
    const channels = this.#channels;
    return {
      ok: true,
      ts: clock.now(),
      durationMs: this.#durationMs,
      eventLoop: eventLoop(services),
      channels: Object.fromEntries(channels.map((channel) => [channel.id, channelHealth(channel, clock.now())])),
      channelOrder: channels.map((channel) => channel.id),
      channelLabels: Object.fromEntries(channels.map((channel) => [channel.id, channel.label])),
      ...services.features.health(),
      defaultAgentId: services.agents.defaultId(),
      sessions: this.#sessions,
    };
  }

  async details(): Promise<HealthDetails> {
    const { services } = this.#deps;
    const { storage, overdue } = await services.storage();
    const { phase, config } = services.status();
    return { phase, storage, config, overdue };
  }

  refresh({ probe }: { probe: boolean }): Promise<HealthSummary> {
    this.#refreshing ??= this.#collect(probe).finally(() => (this.#refreshing = undefined));
    return this.#refreshing;
  }

  async recent(): Promise<HealthSummary> {
    return this.#isOlder(FRESH_MS) ? this.refresh({ probe: false }) : this.current();
  }

  refreshIfOld(): void {
    if (this.#isOlder(MAX_AGE_MS)) this.#quietly({ probe: true });
  }

  refreshSoon(): void {
    this.#quietly({ probe: false });
  }

  #quietly(how: { probe: boolean }): void {
    const { observed } = this.#deps;
    const done = observed() ? this.refresh(how) : this.#collectChannels(how.probe).then(() => this.#noteChange());
    void done.catch((error: unknown) =>
      this.#deps.services.log.warn('health.refresh', { error: asAppError(error).message }),
    );
  }

  version(): number {
    return this.#version;
  }

  #isOlder(maxAgeMs: number): boolean {
    return this.#deps.clock.monotonic() - this.#collectedAt >= maxAgeMs;
  }

  async #collect(probe: boolean): Promise<HealthSummary> {
    const { services, clock } = this.#deps;
    const startedAt = clock.monotonic();
    const [recent, count] = await Promise.all([
      services.sessions.list({ limit: 5 }),
      services.sessions.count(),
      this.#collectChannels(probe),
    ]);
    const now = clock.now();
    this.#sessions = {
      path: services.sessions.storePath(),
      count,
      recent: recent.map(({ key, entry }) => ({
        key,
        updatedAt: entry.updatedAt,
        age: Math.max(0, now - entry.updatedAt),
      })),
    };
    this.#collectedAt = clock.monotonic();
    this.#durationMs = Math.round(this.#collectedAt - startedAt);
    await this.#noteChange();
    return this.current();
  }

  /** A probe that throws must cost one line of the summary, not the summary. */
  async #collectChannels(probe: boolean): Promise<void> {
    const { services } = this.#deps;
    this.#channels = await services.channels.status({ probe, timeoutMs: PROBE_TIMEOUT_MS }).catch((error: unknown) => {
      services.log.warn('health.channels', { error: asAppError(error).message });
      return this.#channels;
    });
  }

  onChange(listener: (details: HealthDetails) => void): void {
    this.#listeners.push(listener);
  }

  /** Times and session counts move all the time; only what a person would act on counts as a change. */
  async #noteChange(): Promise<void> {
    const { clock } = this.#deps;
    const found = await this.details();
    const now = JSON.stringify([
      this.#channels.map((channel) => channelHealth(channel, clock.now())).map(({ ok, summary }) => [ok, summary]),
      found,
    ]);
    if (now === this.#shown) return;
    this.#shown = now;
    this.#version += 1;
    for (const listener of this.#listeners) listener(found);
  }
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
