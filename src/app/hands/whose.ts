/**
 * Whose hands: those of one turn, or of a tool a person calls; and what `elevated` would mean for the people behind it.
 */
import type { AgentsConfig, ToolsConfig } from '../../agent/config.ts';
import { agentEntry } from '../../agent/resolve-agent.ts';
import { inPerson, sendersOf } from '../../core/authority.ts';
import type { Turn } from '../../core/turn.ts';
import { elevation, type Elevation } from '../../features/exec/elevated.ts';
import type { SessionEntry } from '../../sessions/entry.ts';
import type { HandsPlace } from './place.ts';

export interface Whose {
  readonly turn: Pick<Turn, 'id' | 'route' | 'authority'> & {
    readonly options?: Pick<Turn['options'], 'elevated' | 'exec'>;
  };
  readonly entry: Pick<SessionEntry, 'elevatedLevel' | 'exec'> | undefined;
  readonly place: HandsPlace;
}

export interface ElevationFacts {
  readonly config: { readonly agents: AgentsConfig; readonly tools: ToolsConfig };
  /** An entry of a channel's list, as that channel spells its senders. */
  readonly entryOf?: ((channel: string, entry: string) => string | undefined) | undefined;
}

/**
 * The message's own word, then the session's, then the configured default. Whoever asked for it, work that nobody wrote
 * is never elevated for their sake.
 */
export function elevationOf(
  { turn, entry, place }: Whose,
  asked: boolean | undefined,
  { config, entryOf }: ElevationFacts,
): Elevation {
  const {
    agentId,
    sessionKey,
    replyTo: { channel },
  } = turn.route;
  return elevation({
    entryOf: entryOf && ((entry) => entryOf(channel, entry)),
    config: config.tools.elevated,
    agent: agentEntry(config, agentId)?.tools?.elevated,
    agentId,
    sessionKey,
    channel,
    asked,
    level: turn.options?.elevated ?? entry?.elevatedLevel ?? config.agents.defaults.elevatedDefault,
    senders: inPerson(turn.authority) ? sendersOf(turn.authority) : [],
    operator: inPerson(turn.authority) && turn.authority.rights.includes('elevate'),
    sandboxed: place.sandbox !== undefined,
  });
}
