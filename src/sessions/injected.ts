/** Messages that the gateway adds to a conversation in the agent's name. */
import { PRODUCT } from '../core/product.ts';
import { noUsage, type AssistantMessage } from '../core/transcript.ts';

/** An assistant message no model wrote. */
export const injected = (text: string, timestamp: number): AssistantMessage => ({
  role: 'assistant',
  content: [{ type: 'text', text }],
  timestamp,
  provider: PRODUCT,
  model: 'gateway',
  usage: noUsage,
  stopReason: 'injected',
});
