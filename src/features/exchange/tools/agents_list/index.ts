/** `agents_list`: lists the agents that sub-agents may run under. */
import { z } from 'zod';
import { defineTool, textResult } from '../../../../sdk/index.ts';

export default defineTool({
  name: 'agents_list',
  summary: 'List the agents that sub-agents may be started under',
  description:
    'Lists the agents whose ids sessions_spawn takes as `agentId`, this one first. `allowAny`: every ' +
    'configured agent may be taken. `configured` false: it is allowed but does not exist.',
  readOnly: true,
  input: z.object({}),
  async run(_input, ctx) {
    ctx.signal.throwIfAborted();
    const answer = await ctx.rpc('agents.list', {});
    return textResult(JSON.stringify(answer, null, 2), answer);
  },
});
