/** Which agents run heartbeats, in which session, at which times: from the current configuration. */
import type { HostAgents, HostConfig } from '../../host/host.ts';
import { heartbeatSettings, type HeartbeatConfig, type HeartbeatSettings } from './config.ts';
import { agentOfKey, type SessionKey } from '../../core/session-key.ts';
import { nextOpening, wallMinuteIn, type WallMinute } from './active-hours.ts';

export type HeartbeatPlan = ReturnType<typeof createHeartbeatPlan>;

export interface HeartbeatPlanDeps {
  readonly agents: Pick<HostAgents, 'ids' | 'defaultId' | 'entry'>;
  readonly config: Pick<HostConfig, 'current'>;
}

/** The settings of agents as the configuration has them now. */
export function createHeartbeatPlan({ agents, config }: HeartbeatPlanDeps) {
  const own = (agentId: string): HeartbeatConfig | undefined => written(agents.entry(agentId));

  /** What is in force for one agent, whether it looks by itself or can only be woken. */
  const settingsFor = (agentId: string): HeartbeatSettings =>
    heartbeatSettings(written(config.current().agents.defaults), own(agentId));

  return {
    settingsFor,

    /**
     * Those that look by themselves: with a `heartbeat` of their own somewhere, those that have one; else the default
     * agent.
     */
    tickingAgents(): readonly string[] {
      const named = agents.ids().filter((id) => own(id) !== undefined);
      return (named.length > 0 ? named : [agents.defaultId()]).filter((id) => settingsFor(id).everyMs !== null);
    },
  };
}

/** The slice this feature adds to the settings of an agent. */
const written = (section: object | undefined): HeartbeatConfig | undefined =>
  (section as { readonly heartbeat?: HeartbeatConfig } | undefined)?.heartbeat;

export interface SessionOfDeps {
  mainSessionKey(agentId: string): SessionKey;
  canonicalKey(raw: string): string;
}

/** The conversation an agent looks in. One of another agent is none of its business: then it is its main one. */
export function tickSession(
  agentId: string,
  { session }: Pick<HeartbeatSettings, 'session'>,
  { mainSessionKey, canonicalKey }: SessionOfDeps,
): SessionKey {
  const main = mainSessionKey(agentId);
  const written = session?.trim().toLowerCase();
  if (!written || written === 'main') return main;
  const key = canonicalKey(
    written.startsWith('agent:') || written === 'global' ? written : `agent:${agentId}:${written}`,
  ) as SessionKey;
  return key === main || agentOfKey(key) === agentId ? key : main;
}

export type Zones = ReturnType<typeof createZones>;

/** The zones of people and of their quiet hours; each clock is made once. */
export function createZones({
  config,
  hostZone,
}: {
  readonly config: Pick<HostConfig, 'current'>;
  hostZone(): string;
}) {
  const clocks = new Map<string, WallMinute>();

  function clockOf(zone: string): WallMinute {
    const known = clocks.get(zone);
    if (known) return known;
    const made = wallMinuteIn(zone);
    clocks.set(zone, made);
    return made;
  }

  const userZone = (): string => config.current().agents.defaults.userTimezone ?? hostZone();

  return {
    userZone,
    /** When quiet hours end, milliseconds since the epoch; undefined: it is none of them. */
    quietUntil({ activeHours }: Pick<HeartbeatSettings, 'activeHours'>, now: number): number | undefined {
      if (!activeHours) return undefined;
      const zone =
        activeHours.timezone === 'user'
          ? userZone()
          : activeHours.timezone === 'local'
            ? hostZone()
            : activeHours.timezone;
      return nextOpening(activeHours, now, clockOf(zone));
    },
  };
}
