/** The manual of `message`: where it can write from here. Pure. */
import type { ReachableChannel } from '../../sdk/messaging.ts';

/** OpenAI takes no longer one. */
const MAX_LENGTH = 1024;

const GENERAL = 'Writes in other chats and acts on messages: send, and what the channels offer beyond (see `action`). Your answer to this chat needs no tool. '
  + 'Without `target` it means this chat. Ids are the ones the channel gives; a name or @handle may be somebody else tomorrow. ';

export function messageDescription(channels: readonly ReachableChannel[], here: string): string {
  const there = channels.map(({ id, targetHint }) => `${id}${id === here ? ' (this one)' : ''}${targetHint ? `: ${targetHint}` : ''}`);
  const text = `${GENERAL}Channels: ${there.join('; ')}.`;
  if (text.length <= MAX_LENGTH) return text;
  const names = `${GENERAL}Channels: ${channels.map(({ id }) => id).join(', ')}.`;
  return names.length <= MAX_LENGTH ? names : GENERAL.trim();
}
