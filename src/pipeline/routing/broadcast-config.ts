/** The `broadcast` settings: chats answered by several agents. */
import { z } from 'zod';

const MAX_AGENTS = 16;
const agents = z.array(z.string().min(1)).max(MAX_AGENTS);

export const BROADCAST_STRATEGIES = ['parallel', 'sequential'] as const;

export const broadcastConfigSchema = z
  .object({
    strategy: z
      .enum(BROADCAST_STRATEGIES)
      .default('parallel')
      .describe('`parallel`: all agents at the same time. `sequential`: one after another, in list order.'),
  })
  .catchall(
    z
      .union([
        agents,
        z.object({
          agents: agents.describe('Ids of the agents that answer.'),
          strategy: z.enum(BROADCAST_STRATEGIES).optional().describe('Replaces `broadcast.strategy`.'),
        }),
      ])
      .describe('Chat id, or `<channel>:<chat id>`, to the agents that answer there. An empty list has no effect.'),
  )
  .prefault({});

export type BroadcastConfig = z.output<typeof broadcastConfigSchema>;
export type BroadcastEntry =
  | readonly string[]
  | { readonly agents: readonly string[]; readonly strategy?: (typeof BROADCAST_STRATEGIES)[number] | undefined };

/** The entry of a key, which is never one of the slice's own settings or of its prototype. */
export const broadcastEntry = (config: BroadcastConfig, key: string): BroadcastEntry | undefined =>
  key !== 'strategy' && Object.hasOwn(config, key) ? (config[key] as BroadcastEntry | undefined) : undefined;

/** Agents nobody has, each with its path in the file; nothing where no agents are listed. */
export function strayBroadcastAgents(
  config: BroadcastConfig,
  agentIds: readonly string[],
): readonly { readonly path: readonly (string | number)[]; readonly agentId: string }[] {
  if (agentIds.length === 0) return [];
  const known = new Set(agentIds.map((id) => id.trim().toLowerCase()));
  return Object.keys(config).flatMap((key) => {
    const entry = broadcastEntry(config, key);
    if (!entry) return [];
    const [list, at] = 'agents' in entry ? [entry.agents, [key, 'agents']] : [entry, [key]];
    return list.flatMap((agentId, index) =>
      known.has(agentId.trim().toLowerCase()) ? [] : [{ path: ['broadcast', ...at, index], agentId }],
    );
  });
}
