/** Asks a question in a chat: with a poll of the platform, or where it has none with lettered answers in a message. */
import type { ChannelConnection, Poll } from '../../core/channel.ts';
import type { ChatAddress } from '../../core/message.ts';

interface Asking {
  readonly to: ChatAddress;
  readonly poll: Poll;
  /** What makes this poll one, also when it is sent again. */
  readonly token: string;
}

export function askPoll(
  connection: Pick<ChannelConnection, 'poll' | 'send'>,
  { to, poll, token }: Asking,
): Promise<{ readonly messageIds: readonly string[]; readonly pollId?: string }> {
  if (connection.poll) return connection.poll(to, poll);
  const payload = { kind: 'final', text: asText(poll), plain: true } as const;
  return connection.send(to, { token: `${token}:poll`, runId: token, sessionKey: '', payload });
}

/** Options get letters, because a number could be taken for a choice of another message (`choices.ts`). */
const asText = ({ question, options, maxSelections }: Poll): string =>
  [
    question,
    ...options.map((option, index) => `${letters(index)}. ${option}`),
    maxSelections > 1 ? 'Answer with one or more letters.' : 'Answer with a letter.',
  ].join('\n');

/** A to Z, then AA. */
const letters = (index: number): string =>
  (index < 26 ? '' : letters(Math.floor(index / 26) - 1)) + String.fromCharCode(65 + (index % 26));
