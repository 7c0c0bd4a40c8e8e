/** Runs one turn for one HTTP request: send, pass the text on as it comes, answer with the outcome. */
import { AppError, ERROR_CODES, type ErrorCode } from '../../core/errors.ts';
import type { AgentEvent, PendingToolCall, TurnOutcome } from '../../core/turn.ts';
import type { Usage } from '../../core/transcript.ts';
import type { ChatRequest, ChatService } from '../../host/chat.ts';
import { orAborted } from '../../platform/timeout.ts';
import { createSpokenText, type SpokenText } from './spoken-text.ts';
import type { RunEvents } from './run-events.ts';

export interface TurnWatch {
  readonly signal: AbortSignal;
  /** False: nobody will read the answer later, so a lost connection stops the turn. */
  readonly outlivesConnection: boolean;
  readonly onText?: (delta: string) => void;
}

export interface TurnAnswer {
  /** For a watched turn exactly the concatenation of its deltas. */
  readonly text: string;
  readonly usage: Usage;
  readonly toolCalls: readonly PendingToolCall[];
  readonly ended: 'stop' | 'length' | 'tool_calls' | 'aborted';
}

/** Throws `AppError` for a turn that failed, was stopped before it said anything, or whose caller went away. */
export async function runTurn(
  request: ChatRequest,
  watch: TurnWatch,
  { chat, events }: { chat: ChatService; events: RunEvents },
): Promise<TurnAnswer> {
  const text = createSpokenText(watch.onText);
  const { promise: ended, resolve } = Promise.withResolvers<TurnOutcome>();
  let early: AgentEvent[] = [];
  let observe = (event: AgentEvent): void => void early.push(event);
  const unfollow = events.follow(request.runId, (event) => {
    if (event.type === 'ended') resolve(event.outcome);
    else observe(event);
  });
  try {
    const receipt = await chat.send(request);
    // A repeated request joins in the middle: it hears nothing now and gets the whole text with the outcome.
    observe = receipt.status === 'started' ? text.observe : () => {};
    early.forEach(observe);
    early = [];
    const outcome = receipt.outcome ?? (await orAborted(ended, watch.signal, 'The caller closed the connection.'));
    return answerOf(outcome, text);
  } catch (error) {
    if (watch.signal.aborted && !watch.outlivesConnection) await stop(request, chat);
    throw error;
  } finally {
    unfollow();
  }
}

async function stop({ sessionKey, runId }: ChatRequest, chat: ChatService): Promise<void> {
  try {
    await chat.abort({ sessionKey, runId });
  } catch (error) {
    // It may have ended in the meantime, or never have begun.
    if (!(error instanceof AppError)) throw error;
  }
}

function answerOf(outcome: TurnOutcome, spoken: SpokenText): TurnAnswer {
  if (outcome.kind === 'failed') throw turnError(outcome);
  const text = spoken.finish(outcome);
  if (outcome.kind === 'aborted') {
    if (text === '') throw new AppError('aborted', 'The turn was stopped before it produced output.');
    return { text, usage: outcome.usage, toolCalls: [], ended: 'aborted' };
  }
  const toolCalls = outcome.toolCalls ?? [];
  return {
    text,
    usage: outcome.usage,
    toolCalls,
    ended: toolCalls.length > 0 ? 'tool_calls' : (outcome.stopReason ?? 'stop'),
  };
}

/** The model's refusal of *our* key is no refusal of the caller's: what concerns only us becomes a bad gateway. */
function turnError({ code, message }: Extract<TurnOutcome, { kind: 'failed' }>): AppError {
  const known: ErrorCode = code in ERROR_CODES ? (code as ErrorCode) : 'internal';
  switch (known) {
    case 'auth':
    case 'denied':
    case 'not_found':
    case 'invalid':
    case 'too_large':
    case 'conflict':
    case 'unsupported':
      return new AppError('bad_response', message, { details: { code: `model_${known}` } });
    case 'context_overflow':
      return new AppError(known, message, { details: { code: 'context_length_exceeded' } });
    case 'internal':
      return new AppError('bad_response', message, { details: { code: 'turn_failed' } });
    default:
      return new AppError(known, message);
  }
}
