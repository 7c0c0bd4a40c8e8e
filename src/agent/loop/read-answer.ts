/** Collects a model's stream into the blocks of one assistant message, and passes on each delta immediately. */
import type { LanguageModelV4StreamPart, LanguageModelV4Usage } from '@ai-sdk/provider';
import { AppError } from '../../core/errors.ts';
import { present } from '../../core/present.ts';
import type { AssistantMessage, StopReason } from '../../core/transcript.ts';

/** What has been said so far; grows while the stream is read, so that an abort keeps it. */
export interface Answer {
  readonly blocks: DraftBlock[];
  usage?: LanguageModelV4Usage;
  /** Unset: the stream has not finished. */
  stopReason?: StopReason;
  /** It was ended here, and says so itself. */
  capped?: true;
  /** The vendor's own filter withheld the answer or the rest of it. */
  filtered?: boolean;
}

type DraftBlock =
  | { type: 'text'; text: string }
  | { type: 'thinking'; thinking: string; meta?: Record<string, unknown> }
  | { type: 'toolCall'; id: string; name: string; arguments: unknown; meta?: Record<string, unknown> };

export interface AnswerSink {
  text(delta: string): void;
  thinking(delta: string): void;
}

export const newAnswer = (): Answer => ({ blocks: [] });

/** One part of the stream. Throws what the vendor reports inside its stream. */
type FoldPart = (part: LanguageModelV4StreamPart) => void;

/** Ends an answer that would not end by itself: what is whole of it stands, with a sentence; its calls do not run. */
export function capAnswer(answer: Answer, sink: AnswerSink, why: string): void {
  const said = answer.blocks.findLast((block) => block.type === 'text');
  const sentence = `${said?.text ? '\n\n' : ''}⚠️ The answer was stopped here: ${why}.`;
  if (said) said.text += sentence;
  else answer.blocks.push({ type: 'text', text: sentence });
  answer.blocks.splice(0, answer.blocks.length, ...answer.blocks.filter(({ type }) => type !== 'toolCall'));
  answer.capped = true;
  answer.stopReason = 'length';
  sink.text(sentence);
}

export function answerFold(answer: Answer, sink: AnswerSink): FoldPart {
  const open = new Map<string, DraftBlock>();

  const blockOf = <T extends 'text' | 'thinking'>(type: T, id: string): Extract<DraftBlock, { type: T }> => {
    const key = type + id;
    const known = open.get(key);
    if (known) return known as Extract<DraftBlock, { type: T }>;
    const block: DraftBlock = type === 'text' ? { type: 'text', text: '' } : { type: 'thinking', thinking: '' };
    open.set(key, block);
    answer.blocks.push(block);
    return block as Extract<DraftBlock, { type: T }>;
  };

  return (part) => {
    switch (part.type) {
      case 'text-delta':
        if (!part.delta) return;
        blockOf('text', part.id).text += part.delta;
        return sink.text(part.delta);
      case 'reasoning-start':
      case 'reasoning-delta':
      case 'reasoning-end': {
        const block = blockOf('thinking', part.id);
        if (part.providerMetadata) block.meta = mergedMeta(block.meta, part.providerMetadata);
        if (part.type === 'reasoning-end') open.delete(`thinking${part.id}`);
        if (part.type !== 'reasoning-delta' || !part.delta) return;
        block.thinking += part.delta;
        return sink.thinking(part.delta);
      }
      case 'text-end':
        return void open.delete(`text${part.id}`);
      case 'tool-call':
        if (part.providerExecuted) return;
        return void answer.blocks.push({
          type: 'toolCall',
          id: part.toolCallId,
          name: part.toolName,
          arguments: parsedInput(part.input),
          ...present({ meta: part.providerMetadata }),
        });
      case 'error':
        throw part.error;
      case 'finish':
        return finish(answer, part);
    }
  };
}

function finish(answer: Answer, part: Extract<LanguageModelV4StreamPart, { type: 'finish' }>): void {
  answer.usage = part.usage;
  const { unified } = part.finishReason;
  if (unified === 'error') throw new AppError('bad_response', 'the model reported an unspecified error');
  if (unified === 'interrupted') throw new AppError('network', 'the stream ended before the answer was complete');
  answer.filtered = unified === 'content-filter';
  const calls = answer.blocks.some((block) => block.type === 'toolCall');
  answer.stopReason = calls ? 'toolUse' : unified === 'length' ? 'length' : 'stop';
}

/** The blocks as they are kept: nothing empty, except thinking that carries a signature. */
export function keptBlocks(answer: Answer): AssistantMessage['content'] {
  return answer.blocks.filter((block) => {
    if (block.type === 'text') return block.text !== '';
    return block.type === 'toolCall' || block.thinking !== '' || block.meta !== undefined;
  });
}

/** Arguments that are not JSON stay the text they are; the validation tells the model. */
function parsedInput(input: unknown): unknown {
  if (typeof input !== 'string') return input;
  if (!input.trim()) return {};
  try {
    return JSON.parse(input);
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
    return input;
  }
}

/** Later facts win; each vendor's facts are merged, because signatures arrive apart from ids. */
function mergedMeta(
  earlier: Record<string, unknown> | undefined,
  later: Record<string, unknown>,
): Record<string, unknown> {
  const merged: Record<string, unknown> = { ...earlier };
  for (const [vendor, facts] of Object.entries(later))
    merged[vendor] = { ...(merged[vendor] as object | undefined), ...(facts as object) };
  return merged;
}
