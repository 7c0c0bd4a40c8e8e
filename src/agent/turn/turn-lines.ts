/** Orders the transcript lines of a turn: each answer, then the results of its calls. */
import type { CanvasBlock, CanvasPreview } from '../../core/canvas.ts';
import type { AssistantMessage, Message, ToolResultMessage } from '../../core/transcript.ts';
import { present } from '../../core/present.ts';
import type { Shown } from '../../core/shown.ts';
import { turnLineId } from '../../sessions/transcript-line.ts';
import type { Transcript } from '../../sessions/transcript.ts';

export interface Call {
  readonly callId: string;
  readonly tool: string;
}

export interface TurnLinesDeps {
  readonly turnId: string;
  readonly transcript: Pick<Transcript, 'append'>;
  onWriteError(error: unknown): void;
}

/** What people see of an answer: in place of its words, and framed beside them. */
export interface SeenAnswer {
  readonly shown?: Shown;
  readonly canvas?: readonly CanvasPreview[];
}

export interface TurnLines {
  /** Everything said and done so far, the answer that waits for the end included. */
  readonly messages: readonly Message[];
  /** Answers so far: the next one has this index. */
  readonly answers: number;
  /** Calls of the last answer that are still without their lines. */
  readonly expected: readonly Call[];
  hasResult(callId: string): boolean;
  answered(index: number, message: AssistantMessage, calls: readonly Call[]): void;
  /** Results go down once all of a step are in, in the order of the calls. */
  result(result: ToolResultMessage): void;
  steered(index: number, messages: readonly Message[]): void;
  /** The answer that waits goes down, with what people see of it. */
  finish(seen?: SeenAnswer): void;
}

export function createTurnLines({ turnId, transcript, onWriteError }: TurnLinesDeps): TurnLines {
  const messages: Message[] = [];
  const results = new Map<string, ToolResultMessage>();
  let expected: readonly Call[] = [];
  let answers = 0;
  let last: { readonly place: string; readonly message: Message } | undefined;

  function append(place: string, message: Message): void {
    messages.push(message);
    transcript.append([{ type: 'message', id: turnLineId(turnId, place), turnId, message }]).catch(onWriteError);
  }

  /** An answer without calls waits for the end of the turn; when the turn goes on after all, it goes down first. */
  function flushLast(): void {
    if (last) append(last.place, last.message);
    last = undefined;
  }

  return {
    get messages() {
      return last ? [...messages, last.message] : messages;
    },
    get answers() {
      return answers;
    },
    get expected() {
      return expected;
    },
    hasResult: (callId) => results.has(callId),
    answered(index, message, calls) {
      flushLast();
      answers = index + 1;
      if (calls.length === 0) {
        last = { place: `model${index}`, message };
        return;
      }
      append(`model${index}`, message);
      expected = calls;
    },
    result(result) {
      results.set(result.toolCallId, result);
      if (expected.length === 0 || !expected.every(({ callId }) => results.has(callId))) return;
      for (const { callId } of expected) append(`tool:${callId}`, results.get(callId)!);
      expected = [];
    },
    steered(index, steered) {
      flushLast();
      steered.forEach((message, nth) => append(`steer${index}.${nth}`, message));
    },
    finish(seen) {
      if (seen && last?.message.role === 'assistant') last = { ...last, message: asSeen(last.message, seen) };
      flushLast();
    },
  };
}

/** The previews stand in the message itself, once. */
function asSeen(message: AssistantMessage, { shown, canvas = shown?.canvas ?? [] }: SeenAnswer): AssistantMessage {
  const blocks = canvas.map((preview): CanvasBlock => ({ type: 'canvas', preview }));
  return {
    ...message,
    content: blocks.length > 0 ? [...message.content, ...blocks] : message.content,
    ...present({ shown: shown && { text: shown.text, files: shown.files } }),
  };
}
