/** `sessions_spawn`: gives a task to a sub-agent, which works in parallel and reports its result. */
import { z } from 'zod';
import { defineTool, errorResult, textResult } from '../../../../sdk/index.ts';

export default defineTool({
  name: 'sessions_spawn',
  summary: 'Start a sub-agent for a task; its result is reported here',
  description:
    'Starts a sub-agent in a session of its own and returns at once. It knows nothing of this conversation: ' +
    '`task` says all it has to know. When it has ended you are told what came of it and can tell the person; ' +
    'do not wait or look for it. `agentId` takes another agent, one of agents_list.',
  resumes: () => true,
  aliases: { timeoutSeconds: 'runTimeoutSeconds', agent: 'agentId', prompt: 'task' },
  input: z.object({
    task: z.string().describe('What it is to do, with everything it has to know'),
    label: z.string().optional().describe('A short name for it'),
    agentId: z.string().optional().describe('Under which agent; this one unless given'),
    model: z.string().optional().describe('`provider/model` or an alias'),
    thinking: z.string().optional().describe('How long it thinks: off, minimal, low, medium, high, xhigh'),
    runTimeoutSeconds: z.number().optional().describe('Seconds after which it is stopped; 0: as long as any turn'),
    cleanup: z
      .enum(['delete', 'keep'])
      .optional()
      .describe('What becomes of its session: delete it at once, or keep it for a while (unless given)'),
  }),
  async run(input, ctx) {
    ctx.signal.throwIfAborted();
    const answer = (await ctx.rpc('sessions.spawn', { ...input, runId: `${ctx.turnId}:${ctx.callId}` })) as {
      readonly status: string;
    };
    const text = JSON.stringify(answer, null, 2);
    return answer.status === 'accepted' ? textResult(text, answer) : errorResult(text, answer);
  },
});
