/** Asks a question in a chat: with a poll of the platform, or where it has none with numbered answers in a message. */
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

const asText = ({ question, options, maxSelections }: Poll): string =>
  [
    question,
    ...options.map((option, index) => `${index + 1}. ${option}`),
    maxSelections > 1 ? 'Answer with one or more numbers.' : 'Answer with a number.',
  ].join('\n');
