/** `sessions_send`: sends a message to the agent of another session and returns its answer. */
import { z } from 'zod';
import { defineTool, errorResult, textResult } from '../../../../sdk/index.ts';

/** Outcomes in which the message is on its way or was answered. */
const TAKEN = ['ok', 'accepted', 'timeout'];

export default defineTool({
  name: 'sessions_send',
  summary: 'Send a message to the agent of another conversation (session) and get its answer',
  does: [['send', 'session']],
  description:
    'Writes to another session, by `sessionKey` (from sessions_list) or by `label`, and waits up to ' +
    '`timeoutSeconds` for the answer. Its agent answers to you, not to its chat; afterwards you two may go ' +
    'on, and it may tell its own chat, unless `announce` is false. With `timeoutSeconds` 0 nothing is waited ' +
    'for. After a timeout the other session goes on: do not send again. To write to people, use the tool ' +
    'message.',
  resumes: () => true,
  aliases: {
    key: 'sessionKey',
    session: 'sessionKey',
    sessionId: 'sessionKey',
    text: 'message',
    content: 'message',
    timeout: 'timeoutSeconds',
  },
  input: z.object({
    sessionKey: z.string().optional().describe('Which session: its key or id'),
    label: z.string().optional().describe('Which session, by its label; in place of sessionKey'),
    agentId: z.string().optional().describe('Whose session, with label'),
    message: z.string().describe('What to say to its agent'),
    timeoutSeconds: z.number().optional().describe('Seconds to wait for the answer; 30 unless given, 0: do not wait'),
    announce: z.boolean().optional().describe('False: only this message and its answer, nothing afterwards'),
  }),
  async run(input, ctx) {
    ctx.signal.throwIfAborted();
    const answer = (await ctx.rpc('sessions.send', {
      ...input,
      runId: `${ctx.turnId}:${ctx.callId}`,
      signal: ctx.signal,
    })) as { readonly status: string };
    const text = JSON.stringify(answer, null, 2);
    return TAKEN.includes(answer.status) ? textResult(text, answer) : errorResult(text, answer);
  },
});
