/** Which agents look by themselves, in which conversation, at which times: read from the configuration as it is. */
import type { AgentsConfig } from '../../agent/config.ts';
import { agentEntry, agentIds, defaultAgentId } from '../../agent/resolve-agent.ts';
import { heartbeatSettings, type HeartbeatSettings } from '../../config/heartbeat-config.ts';
import { agentOfKey, type SessionKey } from '../../core/session-key.ts';
import { nextOpening, wallMinuteIn, type WallMinute } from '../../cron/heartbeat/active-hours.ts';

interface WithAgents { readonly agents: AgentsConfig }

/** What is in force for one agent, whether it looks by itself or can only be woken. */
export const settingsFor = (config: WithAgents, agentId: string): HeartbeatSettings => heartbeatSettings(config.agents.defaults.heartbeat, agentEntry(config, agentId)?.heartbeat);

/** Those that look by themselves: with a `heartbeat` of their own somewhere, those that have one; else the default agent. */
export function beatingAgents(config: WithAgents): readonly string[] {
  const own = agentIds(config).filter((id) => agentEntry(config, id)?.heartbeat !== undefined);
  return (own.length > 0 ? own : [defaultAgentId(config)]).filter((id) => settingsFor(config, id).everyMs !== null);
}

/** For the prompt: this agent is asked now and then. */
export const hasHeartbeat = (config: WithAgents, agentId: string): boolean => beatingAgents(config).includes(agentId);

export interface SessionOfDeps { mainSessionKey(agentId: string): SessionKey; canonicalKey(raw: string): string }

/** The conversation an agent looks in. One of another agent is none of its business: then it is its main one. */
export function beatSession(agentId: string, { session }: Pick<HeartbeatSettings, 'session'>, { mainSessionKey, canonicalKey }: SessionOfDeps): SessionKey {
  const main = mainSessionKey(agentId);
  const written = session?.trim().toLowerCase();
  if (!written || written === 'main') return main;
  const key = canonicalKey(written.startsWith('agent:') || written === 'global' ? written : `agent:${agentId}:${written}`) as SessionKey;
  return key === main || agentOfKey(key) === agentId ? key : main;
}

export type Zones = ReturnType<typeof createZones>;

/** The zones of people and of their quiet hours; each clock is made once. */
export function createZones({ config, hostZone }: { config(): WithAgents; hostZone(): string }) {
  const clocks = new Map<string, WallMinute>();

  function clockOf(zone: string): WallMinute {
    const known = clocks.get(zone);
    if (known) return known;
    const made = wallMinuteIn(zone);
    clocks.set(zone, made);
    return made;
  }

  const userZone = (): string => config().agents.defaults.userTimezone ?? hostZone();

  return {
    userZone,
    /** When quiet hours end, milliseconds since the epoch; undefined: it is none of them. */
    quietUntil({ activeHours }: Pick<HeartbeatSettings, 'activeHours'>, now: number): number | undefined {
      if (!activeHours) return undefined;
      const zone = activeHours.timezone === 'user' ? userZone() : activeHours.timezone === 'local' ? hostZone() : activeHours.timezone;
      return nextOpening(activeHours, now, clockOf(zone));
    },
  };
}
