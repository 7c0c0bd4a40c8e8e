/** What `elevated` means for the people of a turn, or of a direct tool call. */
import { isDirectRequest, sendersOf } from '../../core/authority.ts';
import type { HostAgents, HostChannels } from '../../host/host.ts';
import type { ToolRequester } from '../../host/tool-environment.ts';
import { execAgent, type ExecConfiguration } from './configuration.ts';
import { elevation, type Elevation } from './elevated.ts';

export interface ElevationFacts {
  readonly config: Pick<ExecConfiguration, 'agents' | 'tools'>;
  readonly agents: Pick<HostAgents, 'entry'>;
  /** An entry of a channel's list, as that channel spells its senders. */
  readonly entryOf?: HostChannels['senderEntry'] | undefined;
}

/**
 * The message's own word, then the session's, then the configured default. Whoever asked for it, work that nobody wrote
 * is never elevated for their sake.
 */
export function elevationOf(
  { turn, entry, place }: ToolRequester,
  isRequested: boolean | undefined,
  { config, agents, entryOf }: ElevationFacts,
): Elevation {
  const {
    agentId,
    sessionKey,
    replyTo: { channel },
  } = turn.route;
  return elevation({
    entryOf: entryOf && ((entry) => entryOf(channel, entry)),
    config: config.tools.elevated,
    agent: execAgent(agents, agentId)?.tools?.elevated,
    agentId,
    sessionKey,
    channel,
    isRequested,
    level: turn.options?.elevated ?? entry?.elevatedLevel ?? config.agents.defaults.elevatedDefault,
    senders: isDirectRequest(turn.authority) ? sendersOf(turn.authority) : [],
    operator: isDirectRequest(turn.authority) && turn.authority.rights.includes('elevate'),
    sandboxed: place.sandbox !== undefined,
  });
}
