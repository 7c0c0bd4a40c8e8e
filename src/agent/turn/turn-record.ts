/** Where a turn writes what it does: first the journal, then, once that is durable, the transcript in source order. */
import type { Journal } from '../../journal/journal.ts';
import type { StepLogRows } from '../../journal/rows.ts';
import type { AssistantMessage, Message, ToolResultMessage, UserMessage } from '../../core/transcript.ts';
import type { Shown } from '../../core/shown.ts';
import { turnLineId } from '../../sessions/transcript-line.ts';
import type { Transcript } from '../../sessions/transcript.ts';
import type { StepLog } from '../steps.ts';

/** A named checkpoint between two writes; the crash tests kill the process there. */
export type TurnPoint =
  | 'model.before'
  | 'model.after'
  | 'tool.started'
  | 'tool.finished'
  | 'transcript.before'
  | 'transcript.after';

export interface TurnRecord {
  readonly steps: StepLog;
  /** Everything said and done so far, for the end of the turn; in source order. */
  readonly messages: readonly Message[];
  /** An answer that broke off: the person has seen its words, so they are kept. */
  broken(message: AssistantMessage): void;
  /**
   * For a turn that was stopped: what an earlier run did and this one did not get to go over is kept all the same, and
   * a call
   * that will have no result gets one that says so.
   */
  catchUp(): Promise<void>;
  /** Writes the lines that wait for the end of the turn; the answer with what people see of it, where that differs. */
  finish(shown?: Shown): Promise<void>;
}

export interface TurnRecordDeps {
  readonly turnId: string;
  readonly journal: Journal;
  readonly transcript: Transcript;
  /** What an earlier run wrote; undefined for a turn that begins now. */
  readonly recall?: StepLogRows | undefined;
  /** The rows of steered messages, claimed by the turn when they are handed over. */
  takeSteeredSeqs(): readonly number[];
  /**
   * The process is going: what tools and models say now is only the noise of being interrupted, and the next run must
   * not believe it.
   */
  suspended(): boolean;
  reached(point: TurnPoint): void;
  onWriteError(error: unknown): void;
}

interface Call {
  readonly callId: string;
  readonly tool: string;
}

const callsOf = (message: AssistantMessage): Call[] =>
  message.content.flatMap((block) => (block.type === 'toolCall' ? [{ callId: block.id, tool: block.name }] : []));
const brokeOff = ({ stopReason }: AssistantMessage): boolean => stopReason === 'error' || stopReason === 'aborted';

export function createTurnRecord(deps: TurnRecordDeps): TurnRecord {
  const { turnId, journal, transcript, recall } = deps;
  const messages: Message[] = [];
  const results = new Map<string, ToolResultMessage>();
  let expected: readonly Call[] = [];
  let answers = 0;
  let last: { readonly place: string; readonly message: Message } | undefined;

  function append(place: string, message: Message): void {
    messages.push(message);
    transcript.append([{ type: 'message', id: turnLineId(turnId, place), turnId, message }]).catch(deps.onWriteError);
  }

  /** Results go down once all of a step are in, in the order of the calls. */
  function appendResults(): void {
    if (expected.length === 0 || !expected.every(({ callId }) => results.has(callId))) return;
    for (const { callId } of expected) append(`tool:${callId}`, results.get(callId)!);
    expected = [];
  }

  /** An answer without calls waits for the end of the turn; when the turn goes on after all, it goes down first. */
  function flushLast(): void {
    if (last) append(last.place, last.message);
    last = undefined;
  }

  function answered(index: number, message: AssistantMessage, calls: readonly Call[]): void {
    flushLast();
    answers = index + 1;
    if (calls.length === 0) {
      last = { place: `model${index}`, message };
      return;
    }
    append(`model${index}`, message);
    expected = calls;
  }

  const steps: StepLog = {
    recalledModel(index) {
      const message = recall?.models.get(index);
      // half an answer is not taken for a whole one: the model is asked again
      if (!message || brokeOff(message)) return undefined;
      answered(index, message, callsOf(message));
      return message;
    },
    recalledTool(callId) {
      const found = recall?.tools.get(callId);
      if (found === undefined) return undefined;
      if (found === 'unknown') return { state: 'unknown' };
      results.set(callId, found);
      appendResults();
      return { state: 'finished', result: found };
    },
    recalledSteer(index) {
      const steered = recall?.steers.get(index);
      if (steered) flushLast();
      steered?.forEach((message, nth) => append(`steer${index}.${nth}`, message));
      return steered;
    },
    modelStarted(index, info) {
      deps.reached('model.before');
      journal.turns
        .modelStarted(turnId, index, `${info.provider}/${info.model}`)
        .catch(() => undefined /* the synced write that follows reports it */);
    },
    async modelFinished(index, message, tools) {
      if (deps.suspended()) return;
      const written = journal.turns.modelFinished(turnId, index, message, tools);
      deps.reached('model.after');
      if (tools.length === 0) {
        answered(index, message, tools);
        return written;
      }
      await written;
      answered(index, message, tools);
      deps.reached('tool.started');
    },
    async toolFinished(result) {
      if (deps.suspended()) return;
      await journal.turns.toolFinished(turnId, result);
      results.set(result.toolCallId, result);
      deps.reached('tool.finished');
      appendResults();
    },
    async steered(index, steered: readonly UserMessage[]) {
      await journal.turns.steered(turnId, index, steered, deps.takeSteeredSeqs());
      flushLast();
      steered.forEach((message, nth) => append(`steer${index}.${nth}`, message));
    },
  };

  return {
    steps,
    broken(message) {
      if (deps.suspended()) return;
      journal.turns.modelFinished(turnId, answers, message, []).catch(deps.onWriteError);
      answered(answers, message, []);
    },
    async catchUp() {
      if (deps.suspended()) return;
      for (const [index, message] of [...(recall?.models ?? [])].sort(([a], [b]) => a - b)) {
        if (index < answers) continue;
        steps.recalledSteer(index);
        answered(index, message, brokeOff(message) ? [] : callsOf(message));
        for (const { callId } of expected) steps.recalledTool(callId);
      }
      for (const { callId, tool } of expected.filter((call) => !results.has(call.callId)))
        await steps.toolFinished(lostResult(callId, tool), 0);
      // What was handed over for an answer that never came was said all the same.
      for (const index of [...(recall?.steers.keys() ?? [])].sort((a, b) => a - b))
        if (index >= answers) steps.recalledSteer(index);
    },
    get messages() {
      return last ? [...messages, last.message] : messages;
    },
    async finish(shown) {
      deps.reached('transcript.before');
      if (shown && last?.message.role === 'assistant') last = { ...last, message: { ...last.message, shown } };
      flushLast();
      await transcript.append([]);
      deps.reached('transcript.after');
    },
  };
}

/** The result of a call nobody heard of again. */
function lostResult(toolCallId: string, toolName: string): ToolResultMessage {
  const text = `The turn was stopped. Whether ${toolName} took effect is unknown.`;
  return {
    role: 'toolResult',
    toolCallId,
    toolName,
    content: [{ type: 'text', text }],
    isError: true,
    timestamp: Date.now(),
  };
}
