/** `session_status`: tells the model how its conversation stands, and lets it change the model of it. */
import { z } from 'zod';
import { defineTool, textResult } from '../../sdk/index.ts';
import { statusCard, type SessionDescription } from './card.ts';

export default defineTool({
  name: 'session_status',
  summary: 'Show this conversation: model, tokens, age, queue; change its model',
  does: [
    ['read', 'session'],
    ['change', 'session'],
  ],
  description:
    'Shows a status card of a conversation (this one unless `sessionKey` names another): model, tokens used, ' +
    'how full the context is, age, messages that wait. `model` sets the model of the conversation from the ' +
    'next message on; `default` removes that choice.',
  aliases: { session: 'sessionKey' },
  input: z.object({
    sessionKey: z.string().optional().describe('Another conversation'),
    model: z.string().optional().describe('`provider/model` or an alias; `default` returns to the configured one'),
  }),
  async run({ sessionKey, model }, ctx) {
    const key = sessionKey?.trim() || ctx.route.sessionKey;
    const wanted = model?.trim();
    if (wanted) await ctx.rpc('sessions.patch', { key, model: wanted.toLowerCase() === 'default' ? null : wanted });
    const session = (await ctx.rpc('sessions.describe', { sessionKey: key })) as SessionDescription;
    const changed = wanted
      ? `Model ${wanted.toLowerCase() === 'default' ? 'choice removed' : `set to ${wanted}`}; it holds from ` +
        `the next message on.\n`
      : '';
    return textResult(changed + statusCard(session, Date.now()), session);
  },
});
