/** Finds the place where a history may be cut: never between a tool call and its results. Pure. */
import type { Message } from '../../core/transcript.ts';
import { estimateTokens, messageTokens } from './estimate-tokens.ts';

/**
 * The index of the first message that stays word for word: the newest messages that fit `keepRecentTokens`, begun at a
 * message of
 * the user where one is near, else at an answer. 0: nothing to cut. `messages.length`: nothing can stay.
 */
export function firstKept(messages: readonly Message[], keepRecentTokens: number): number {
  let tokens = 0;
  let wanted = messages.length;
  while (wanted > 0 && tokens + messageTokens(messages[wanted - 1]!) <= keepRecentTokens)
    tokens += messageTokens(messages[--wanted]!);
  if (wanted === 0) return 0;
  const user = messages.findIndex((message, index) => index >= wanted && message.role === 'user');
  if (user !== -1 && estimateTokens(messages.slice(user)) * 2 >= tokens) return user;
  const clean = messages.findIndex((message, index) => index >= wanted && message.role !== 'toolResult');
  return clean === -1 ? messages.length : clean;
}

/**
 * Groups messages so that each group fits `maxTokens`; calls stay with their results unless they alone are too large.
 */
export function chunksOf(messages: readonly Message[], maxTokens: number): readonly (readonly Message[])[] {
  const chunks: Message[][] = [];
  let room = 0;
  for (const message of messages) {
    const cost = messageTokens(message);
    if (chunks.length === 0 || (cost > room && message.role !== 'toolResult')) {
      chunks.push([]);
      room = maxTokens;
    }
    chunks.at(-1)!.push(message);
    room -= cost;
  }
  return chunks;
}
