/** Adds what a chat turned on to an answer: reasoning before it, usage after it. Pure. */
import type { MessageSent } from '../../core/message-tool.ts';
import { present } from '../../core/present.ts';
import type { AssistantMessage, Message, Usage } from '../../core/transcript.ts';
import type { Turn, TurnOutcome } from '../../core/turn.ts';
import type { SessionEntry } from '../../sessions/entry.ts';
import { reasoningOf } from './turn-levels.ts';

export interface ReplyExtras {
  /** Sent as a notice before the answer. */
  readonly thoughts?: string;
  /** The last line of the answer. */
  readonly usage?: string;
  /** What the message tool said in this turn: the answer does not say it again where it was said. */
  readonly sent?: readonly MessageSent[];
}

export function replyExtras({
  turn,
  entry,
  messages,
  outcome,
}: {
  readonly turn: Pick<Turn, 'options'>;
  readonly entry: SessionEntry;
  readonly messages: readonly Message[];
  readonly outcome: TurnOutcome;
}): ReplyExtras {
  if (outcome.kind !== 'done') return {};
  const answers = messages.filter((message): message is AssistantMessage => message.role === 'assistant');
  const thoughts = reasoningOf({ options: turn.options, entry }) === 'on' ? thoughtsOf(answers) : '';
  const usage =
    entry.responseUsage === undefined || entry.responseUsage === 'off'
      ? ''
      : usageLine(entry.responseUsage, outcome.usage, answers.at(-1));
  return present({ thoughts: thoughts ? `💭 ${thoughts}` : undefined, usage: usage || undefined });
}

const thoughtsOf = (answers: readonly AssistantMessage[]): string =>
  answers
    .flatMap(({ content }) =>
      content.flatMap((block) => (block.type === 'thinking' && block.thinking.trim() ? [block.thinking.trim()] : [])),
    )
    .join('\n\n');

/** `tokens`: what went in and came out; `full`: also the cache, the price and the model. */
export function usageLine(
  level: 'tokens' | 'full',
  usage: Usage,
  answer?: Pick<AssistantMessage, 'provider' | 'model'>,
): string {
  const tokens = `Usage: ${usage.input} in, ${usage.output} out`;
  if (level === 'tokens') return tokens;
  const cached =
    usage.cacheRead + usage.cacheWrite > 0 ? [`cache ${usage.cacheRead} read, ${usage.cacheWrite} written`] : [];
  const cost = usage.cost === undefined ? [] : [`about $${usage.cost.toFixed(4)}`];
  return [tokens, ...cached, ...cost, ...(answer ? [`${answer.provider}/${answer.model}`] : [])].join(' · ');
}
