/** The facts of one tick or wake of an agent in one session, decided before it starts. */
import { heartbeatVisibility, type Visibility } from './visibility.ts';
import type { HostConfig } from '../../host/host.ts';
import type { HeartbeatSettings } from './config.ts';
import type { Log } from '../../core/log.ts';
import type { ChatAddress } from '../../core/message.ts';
import { present } from '../../core/present.ts';
import type { SessionKey } from '../../core/session-key.ts';
import type { TurnOptions } from '../../core/turn.ts';
import type { SessionEntry } from '../../sessions/entry.ts';
import type { DeliveryTargetDeps } from '../../host/delivery-target.ts';
import { tickTarget } from './tick-target.ts';
import { tickSession, type HeartbeatPlan, type SessionOfDeps, type Zones } from './heartbeat-plan.ts';

/** Why the agent is not asked. `retryAtMs`: when that is over. */
export interface Skip {
  readonly reason: 'disabled' | 'quiet-hours' | 'alerts-disabled';
  readonly retryAtMs?: number;
}

export interface Tick {
  readonly agentId: string;
  readonly sessionKey: SessionKey;
  readonly settings: HeartbeatSettings;
  readonly options: TurnOptions;
  /** Where its answer goes. */
  readonly replyTo: ChatAddress;
  readonly skip: Skip | undefined;
}

export interface TickDeps extends SessionOfDeps, DeliveryTargetDeps {
  readonly config: Pick<HostConfig, 'current'>;
  readonly plan: HeartbeatPlan;
  /** The entry of a session; undefined: there is none yet. */
  session(key: string): Promise<SessionEntry | undefined>;
  readonly zones: Zones;
  readonly log: Log;
  now(): number;
  isOn(): boolean;
}

export type Ticks = ReturnType<typeof createTicks>;

export function createTicks(deps: TickDeps) {
  const { config, zones, plan } = deps;
  const sessionFor = (agentId: string): SessionKey => tickSession(agentId, plan.settingsFor(agentId), deps);
  const visibility = (address: ChatAddress): Visibility => heartbeatVisibility(config.current().channels, address);

  /** Quiet hours and the switch hold for wakes as for looks. */
  function skipOf(settings: HeartbeatSettings, replyTo: ChatAddress): Skip | undefined {
    if (!deps.isOn()) return { reason: 'disabled' };
    const retryAtMs = zones.quietUntil(settings, deps.now());
    if (retryAtMs !== undefined) return { reason: 'quiet-hours', retryAtMs };
    return Object.values(visibility(replyTo)).some(Boolean) ? undefined : { reason: 'alerts-disabled' };
  }

  return {
    sessionFor,
    visibility,

    /** Another conversation than the one an agent looks in tells its own chat, whatever is configured. */
    targetIn: (agentId: string, sessionKey: string): string =>
      sessionKey === sessionFor(agentId) ? plan.settingsFor(agentId).target : 'last',

    async tickIn(agentId: string, sessionKey: SessionKey): Promise<Tick> {
      const settings = plan.settingsFor(agentId);
      const replyTo = tickTarget(
        {
          sessionKey,
          entry: await deps.session(sessionKey),
          request: sessionKey === sessionFor(agentId) ? settings : undefined,
        },
        deps,
      );
      const options: TurnOptions = present({
        model: settings.model,
        reasoning: settings.includeReasoning ? 'on' : 'off',
      });
      return { agentId, sessionKey, settings, options, replyTo, skip: skipOf(settings, replyTo) };
    },
  };
}
