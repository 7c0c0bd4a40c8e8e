/**
 * What sessions may know of and say to each other: `tools.sessions`, `tools.agentToAgent`, `session.agentToAgent` and
 * the settings of sub-agents.
 */
import { z } from 'zod';
import { THINKING_LEVELS } from '../core/turn.ts';

export const SESSION_VISIBILITIES = ['self', 'tree', 'agent', 'all'] as const;
export type SessionVisibility = (typeof SESSION_VISIBILITIES)[number];

/** More would be two models entertaining each other. */
const MAX_TURNS = 5;

export const pingPongSchema = z
  .object({
    maxPingPongTurns: z
      .number()
      .transform((turns) => Math.min(MAX_TURNS, Math.max(0, Math.floor(turns))))
      .default(MAX_TURNS)
      .describe('Maximum number of answers two sessions exchange after the first one, 0 to 5.'),
  })
  .prefault({});

export const agentToAgentSchema = z
  .object({
    enabled: z.boolean().default(false).describe('Let sessions of one agent see and write to sessions of another.'),
    allow: z
      .array(z.string())
      .default([])
      .describe('Agents that may do this: ids or `*` patterns, case-insensitive. Both sides must match. Empty: all.'),
  })
  .prefault({});
export type AgentToAgentConfig = z.output<typeof agentToAgentSchema>;

export const sessionToolsSchema = z
  .object({
    visibility: z
      .enum(SESSION_VISIBILITIES)
      .optional()
      .describe(
        'What the session tools reach. self: their own session; tree: and those it started; agent: every ' +
          'session of their agent; all: those of other agents too, as far as `tools.agentToAgent` lets them. ' +
          'Absent: agent, or all where `tools.agentToAgent.enabled` is on; tree for turns of groups and of ' +
          'programs outside, unless everybody in them may configure.',
      ),
  })
  .prefault({});

/** Keys of other releases of the family. */
const accepted = z.unknown().optional().describe('Accepted; no part of this version reads it.');
const others = {
  announceTimeoutMs: accepted,
  delegationMode: accepted,
  maxChildrenPerAgent: accepted,
  maxSpawnDepth: accepted,
  requireAgentId: accepted,
  runTimeoutSeconds: accepted,
};

const subagents = {
  model: z
    .union([
      z.string().min(1).describe('`provider/model` or an alias.'),
      z.object({
        primary: z.string().min(1).optional().describe('`provider/model` or an alias.'),
        fallbacks: accepted,
      }),
    ])
    .transform((written) => (typeof written === 'string' ? written : written.primary))
    .optional()
    .describe('Model of sub-agents. Absent: the model of their agent.'),
  thinking: z
    .enum(THINKING_LEVELS)
    .optional()
    .describe('Thinking level of sub-agents. Absent: the level of their agent.'),
  allowAgents: z
    .array(z.string())
    .optional()
    .describe('Other agents under which sub-agents may be started; `*`: all. Absent: none.'),
};

export const subagentsSchema = z
  .object({
    maxConcurrent: z
      .number()
      .int()
      .min(1)
      .default(8)
      .describe('Maximum number of concurrent sub-agents over all sessions.'),
    archiveAfterMinutes: z
      .number()
      .min(0)
      .default(60)
      .describe('Minutes after which the session of a finished sub-agent is archived; 0: never.'),
    ...subagents,
    ...others,
  })
  .prefault({});

export const agentSubagentsSchema = z.object({
  ...subagents,
  maxConcurrent: accepted,
  archiveAfterMinutes: accepted,
  ...others,
});
