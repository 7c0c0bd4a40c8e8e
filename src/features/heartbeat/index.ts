/** The heartbeat feature: agents check regularly whether anything needs a person, and are woken by events. */
import { join } from 'node:path';
import { HEARTBEAT_OK } from '../../core/trigger.ts';
import { defineFeature } from '../../host/feature.ts';
import { heartbeatSchema } from './config.ts';
import { createHeartbeats, type Heartbeats } from './create-heartbeats.ts';
import { heartbeatMethods, heartbeatSpecs } from './methods.ts';
import type { HeartbeatEvent } from './answers.ts';
import { heartbeatRules } from './setting-rules.ts';

const PROMPT = `## Heartbeats
Now and then you are asked to look around without anybody having written. HEARTBEAT.md in your workspace says what to look at; put there what you are to keep an eye on.
When nothing needs a person, answer ${HEARTBEAT_OK} and nothing else: it is not sent. When something does, say it without that word.`;

export default defineFeature({
  id: 'heartbeat',
  summary: 'Lets agents check regularly whether anything needs a person.',
  config: [
    {
      path: 'agents.defaults.heartbeat',
      schema: heartbeatSchema.optional().describe('Regular checks whether anything needs a person.'),
    },
    {
      path: 'agents.list[].heartbeat',
      schema: heartbeatSchema
        .optional()
        .describe(
          'Heartbeat of this agent; missing settings come from `agents.defaults.heartbeat`. If any agent has ' +
            'this, only agents that have it run heartbeats.',
        ),
    },
  ],
  methods: heartbeatSpecs,
  settings: heartbeatRules,
  events: { heartbeat: 'operator.read' },

  create(host) {
    const { machine, agents, gateway } = host;
    const path = join(machine.env.stateDir, 'heartbeat.json');
    const heartbeats = createHeartbeats({
      ...host,
      agents,
      log: machine.log,
      clock: machine.clock,
      path,
      hostZone: machine.zone,
    });
    const unfollow = heartbeats.subscribe((report) => gateway.publish('heartbeat', report satisfies HeartbeatEvent));
    return {
      methods: heartbeatMethods(heartbeats, agents),
      replyPolicies: { heartbeat: heartbeats.policy },
      waker: heartbeats,
      prompt: (agentId) => (heartbeats.ticks(agentId) ? PROMPT : undefined),
      status: () => ({ heartbeat: statusOf(heartbeats, agents.defaultId()) }),
      health: () => ({ heartbeatSeconds: secondsOf(heartbeats, agents.defaultId()) }),
      secretPaths: () => [path],
      configChanged: () => heartbeats.configChanged(),
      start: () => heartbeats.start(),
      async close() {
        await heartbeats.close();
        unfollow();
      },
    };
  },
});

function statusOf(heartbeats: Heartbeats, defaultAgentId: string) {
  const { enabled } = heartbeats;
  return {
    defaultAgentId,
    enabled,
    agents: heartbeats.agents().map((agent) => ({ ...agent, enabled: enabled && agent.everyMs !== null })),
  };
}

/** How often the default agent looks by itself, in seconds; 0: it does not. */
function secondsOf(heartbeats: Heartbeats, defaultAgentId: string): number {
  const { everyMs } = heartbeats.agents().find(({ agentId }) => agentId === defaultAgentId) ?? { everyMs: null };
  return everyMs === null || !heartbeats.enabled ? 0 : Math.round(everyMs / 1000);
}
