// What is loaded before anybody writes: the library of the configured model and what it is told of the tools.
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { z } from 'zod';
import type { SessionKey } from '../../core/session-key.ts';
import { defineTool, textResult } from '../../core/tool.ts';
import { agentsConfigSchema } from '../config.ts';
import type { ModelCandidate, ModelSource } from '../models/candidate.ts';
import { warmTurn, type WarmTurnDeps } from './warm-turn.ts';

function deps(source: ModelSource, happened: string[]): WarmTurnDeps {
  const seen = z.object({ path: z.string() });
  const tool = defineTool({
    name: 'read',
    summary: 's',
    description: 'd',
    input: seen,
    run: async () => textResult('x'),
  });
  const input = Object.defineProperty({ ...tool }, 'input', {
    get: () => (happened.push(`schema of ${tool.name}`), seen),
  });
  const model = { provider: 'mock', modelId: 'm', source, open: async () => void happened.push('opened') };
  return {
    config: () => ({ agents: agentsConfigSchema.parse({}) }),
    models: { choose: async () => [model as unknown as ModelCandidate] },
    toolbox: {
      of: ({ route }) => {
        happened.push(`tools of ${route.sessionKey}`);
        return { profile: 'full', tools: [input], decisions: [], warnings: [] };
      },
    },
    mainKey: (agentId) => `agent:${agentId}:main` as SessionKey,
  };
}

async function warmed(source: ModelSource): Promise<readonly string[]> {
  const happened: string[] = [];
  for await (const _ of warmTurn(deps(source, happened))) happened.push('-');
  return happened;
}

it('a configured model is opened, and the schema of each tool is made in a step of its own', async () =>
  assert.deepEqual(await warmed('config'), ['opened', '-', 'tools of agent:main:main', '-', 'schema of read']));

it('without a model there is nothing to prepare', async () => assert.deepEqual(await warmed('offline'), []));
