/** The manual of `message`: where it can write from here. Pure. */
import type { ReachableChannel } from '../../sdk/messaging.ts';

/** OpenAI takes no longer one. */
const MAX_LENGTH = 1024;

const FILES = 'A file for this chat goes with `mediaUrl`; your answer to it needs no tool. ';
const GENERAL =
  `Writes in other chats and acts on messages: send, and what the channels offer beyond (see \`action\`). ${FILES}` +
  ('Without `target` it means this chat. Ids are the ones the channel gives; a name or @handle may be ' +
    'somebody else tomorrow. ');
const ALONE = `Gives this chat files. ${FILES}No channel is configured: it reaches no other chat.`;

export function messageDescription(channels: readonly ReachableChannel[], here: string): string {
  if (channels.length === 0) return ALONE;
  const there = channels.map(
    ({ id, targetHint }) => `${id}${id === here ? ' (this one)' : ''}${targetHint ? `: ${targetHint}` : ''}`,
  );
  const text = `${GENERAL}Channels: ${there.join('; ')}.`;
  if (text.length <= MAX_LENGTH) return text;
  const names = `${GENERAL}Channels: ${channels.map(({ id }) => id).join(', ')}.`;
  return names.length <= MAX_LENGTH ? names : GENERAL.trim();
}
