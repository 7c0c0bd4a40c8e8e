/** The output and usage of a turn so far. */
import type { AppError } from '../../core/errors.ts';
import { present } from '../../core/present.ts';
import {
  addUsage,
  noUsage,
  textOf,
  type AssistantMessage,
  type ImageBlock,
  type Message,
  type Usage,
} from '../../core/transcript.ts';
import type { AgentEvent, PendingToolCall, TurnOutcome } from '../../core/turn.ts';
import { hidePictures } from './hide-pictures.ts';
import type { LoopInput } from './loop-input.ts';
import type { AnswerSink } from './read-answer.ts';
import { shortenResults } from './shorten-results.ts';

const BETWEEN = '\n\n';

export interface TurnState {
  readonly messages: readonly Message[];
  /**
   * The text deltas of the whole turn, joined, are exactly the text of its outcome: answers are set apart by an empty
   * line.
   */
  readonly sink: AnswerSink;
  readonly hasSpoken: boolean;
  add(...messages: readonly Message[]): void;
  /** Keeps an answer and tells it; `recalled` ones are also spoken again, as one delta. */
  keep(message: AssistantMessage, options?: { readonly recalled: boolean }): void;
  /** Makes room by cutting long tool results; false when there are none. */
  shorten(): boolean;
  /**
   * Leaves pictures out for a vendor that refuses one: those of this turn, then all. Answers which; undefined when
   * there are none.
   */
  hidePictures(why: string): readonly ImageBlock[] | undefined;
  started(model: { readonly provider: string; readonly model: string }): void;
  done(message: AssistantMessage, toolCalls?: readonly PendingToolCall[]): TurnOutcome;
  aborted(): TurnOutcome;
  failed(error: Pick<AppError, 'code' | 'message'>): TurnOutcome;
}

export function createTurnState(input: LoopInput, emit: (event: AgentEvent) => void): TurnState {
  const messages: Message[] = [...input.history, ...input.opening];
  const past = input.history.length;
  let usage: Usage = noUsage;
  let said = '';
  let apart = false;
  let announced = false;

  const sink: AnswerSink = {
    text(delta) {
      const spoken = apart && said ? BETWEEN + delta : delta;
      apart = false;
      said += spoken;
      emit({ type: 'text', delta: spoken });
    },
    thinking: (delta) => emit({ type: 'thinking', delta }),
  };

  return {
    messages,
    sink,
    get hasSpoken() {
      return said.trim() !== '';
    },
    add: (...added) => void messages.push(...added),
    keep(message, { recalled } = { recalled: false }) {
      if (recalled) speakAgain(message, sink);
      apart = true;
      usage = addUsage(usage, message.usage);
      messages.push(message);
      emit({ type: 'message', message });
    },
    shorten() {
      const shorter = shortenResults(messages);
      if (shorter) messages.splice(0, messages.length, ...shorter);
      return shorter !== undefined;
    },
    hidePictures(why) {
      const hidden = hidePictures(messages, { from: past, why }) ?? hidePictures(messages, { from: 0, why });
      if (hidden) messages.splice(0, messages.length, ...hidden.messages);
      return hidden?.pictures;
    },
    started({ provider, model }) {
      if (announced) return;
      announced = true;
      emit({ type: 'started', turnId: input.turnId, provider, model });
    },
    done: (message, toolCalls) =>
      present({
        kind: 'done',
        text: said,
        usage,
        toolCalls,
        stopReason: message.stopReason === 'length' ? 'length' : 'stop',
      }),
    aborted: () => ({ kind: 'aborted', text: said, usage }),
    failed: ({ code, message }) => ({ kind: 'failed', code, message, usage }),
  };
}

function speakAgain(message: AssistantMessage, sink: AnswerSink): void {
  for (const block of message.content) if (block.type === 'thinking' && block.thinking) sink.thinking(block.thinking);
  const text = textOf(message.content);
  if (text) sink.text(text);
}
