/** Records a turn: first in the journal, and once that is durable, in the transcript in source order. */
import type { Journal } from '../../journal/journal.ts';
import type { StepLogRows } from '../../journal/rows.ts';
import type { AssistantMessage, Message, ToolResultMessage, UserMessage } from '../../core/transcript.ts';
import type { Transcript } from '../../sessions/transcript.ts';
import type { StepLog } from '../steps.ts';
import { createTurnLines, type Call, type SeenAnswer, type TurnLines } from './turn-lines.ts';
import { whenOver } from '../../platform/settled.ts';

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
  finish(seen?: SeenAnswer): Promise<void>;
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
  checkpoint(point: TurnPoint): void;
  onWriteError(error: unknown): void;
}

const callsOf = (message: AssistantMessage): Call[] =>
  message.content.flatMap((block) => (block.type === 'toolCall' ? [{ callId: block.id, tool: block.name }] : []));
const brokeOff = ({ stopReason }: AssistantMessage): boolean => stopReason === 'error' || stopReason === 'aborted';

export function createTurnRecord(deps: TurnRecordDeps): TurnRecord {
  const { turnId, journal, transcript, recall } = deps;
  const lines = createTurnLines(deps);
  const steps = createSteps(deps, lines);

  return {
    steps,
    broken(message) {
      if (deps.suspended()) return;
      journal.turns.modelFinished(turnId, lines.answers, message, []).catch(deps.onWriteError);
      lines.answered(lines.answers, message, []);
    },
    async catchUp() {
      if (deps.suspended()) return;
      for (const [index, message] of [...(recall?.models ?? [])].sort(([a], [b]) => a - b)) {
        if (index < lines.answers) continue;
        steps.recalledSteer(index);
        lines.answered(index, message, brokeOff(message) ? [] : callsOf(message));
        for (const { callId } of lines.expected) steps.recalledTool(callId);
      }
      for (const { callId, tool } of lines.expected.filter((call) => !lines.hasResult(call.callId)))
        await steps.toolFinished(lostResult(callId, tool), 0);
      // What was handed over for an answer that never came was said all the same.
      for (const index of [...(recall?.steers.keys() ?? [])].sort((a, b) => a - b))
        if (index >= lines.answers) steps.recalledSteer(index);
    },
    get messages() {
      return lines.messages;
    },
    async finish(seen) {
      deps.checkpoint('transcript.before');
      lines.finish(seen);
      await transcript.append([]);
      deps.checkpoint('transcript.after');
    },
  };
}

/** First the journal, then the lines; what an earlier run wrote is taken from there. */
function createSteps(deps: TurnRecordDeps, lines: TurnLines): StepLog {
  const { turnId, journal, recall } = deps;
  return {
    recalledModel(index) {
      const message = recall?.models.get(index);
      // half an answer is not taken for a whole one: the model is asked again
      if (!message || brokeOff(message)) return undefined;
      lines.answered(index, message, callsOf(message));
      return message;
    },
    recalledTool(callId) {
      const found = recall?.tools.get(callId);
      if (found === undefined) return undefined;
      if (found === 'unknown') return { state: 'unknown' };
      lines.result(found);
      return { state: 'finished', result: found };
    },
    recalledSteer(index) {
      const steered = recall?.steers.get(index);
      if (steered) lines.steered(index, steered);
      return steered;
    },
    modelStarted(index, info) {
      deps.checkpoint('model.before');
      // the synced write that follows reports what went wrong
      void whenOver(journal.turns.modelStarted(turnId, index, `${info.provider}/${info.model}`));
    },
    async modelFinished(index, message, tools) {
      if (deps.suspended()) return;
      const written = journal.turns.modelFinished(turnId, index, message, tools);
      deps.checkpoint('model.after');
      if (tools.length === 0) {
        lines.answered(index, message, tools);
        return written;
      }
      await written;
      lines.answered(index, message, tools);
      deps.checkpoint('tool.started');
    },
    async toolFinished(result) {
      if (deps.suspended()) return;
      await journal.turns.toolFinished(turnId, result);
      deps.checkpoint('tool.finished');
      lines.result(result);
    },
    async steered(index, steered: readonly UserMessage[]) {
      await journal.turns.steered(turnId, index, steered, deps.takeSteeredSeqs());
      lines.steered(index, steered);
    },
  };
}

/** The result of a call nobody heard of again. */
function lostResult(toolCallId: string, toolName: string): ToolResultMessage {
  const text = `The turn was stopped. It is unknown whether ${toolName} took effect.`;
  return {
    role: 'toolResult',
    toolCallId,
    toolName,
    content: [{ type: 'text', text }],
    isError: true,
    timestamp: Date.now(),
  };
}
