/**
 * Gets one answer from the candidate models, with retries and fallbacks. Text that was already sent is never repeated.
 */
import { AppError, asAppError } from '../../core/errors.ts';
import { present } from '../../core/present.ts';
import { noUsage, textOf, type AssistantMessage, type Message } from '../../core/transcript.ts';
import { askModel } from './ask-model.ts';
import { retryDelay } from './retry-delay.ts';
import { callOptions } from './call-options.ts';
import { defaultLimits, defaultRetry, modelName, type LoopInput, type LoopModel } from './loop-input.ts';
import { capAnswer, keptBlocks, newAnswer, type Answer, type AnswerSink } from './read-answer.ts';
import { usageOf } from './usage.ts';

export interface StepRequest {
  readonly input: LoopInput;
  readonly index: number;
  readonly messages: readonly Message[];
  readonly signal: AbortSignal;
  readonly sink: AnswerSink;
  /** Where in the candidates to begin: a fallback that worked is kept for the rest of the turn. */
  readonly firstCandidate: number;
  /** Something was said earlier in the turn, so an empty answer is an ordinary end. */
  readonly mayBeEmpty: boolean;
  starting(model: LoopModel): void;
}

/** `partial`: what had been said when it broke; the person has seen it. */
export type StepAnswer =
  | { readonly kind: 'answered'; readonly message: AssistantMessage; readonly candidate: number }
  | { readonly kind: 'failed'; readonly error: AppError; readonly partial?: AssistantMessage };

type Tried =
  | { readonly kind: 'answered'; readonly message: AssistantMessage }
  | Extract<StepAnswer, { kind: 'failed' }>;

export async function answerStep(request: StepRequest): Promise<StepAnswer> {
  const { candidates } = request.input;
  const once = sayThinkingOnce(request.sink);
  const errors: AppError[] = [];
  for (let candidate = request.firstCandidate; candidate < candidates.length; candidate++) {
    const tried = await askWithRetries(request, candidates[candidate]!, once);
    if (tried.kind === 'answered') return { ...tried, candidate };
    if (request.signal.aborted || tried.partial) return tried;
    errors.push(tried.error);
    if (tried.error.code !== 'context_overflow') continue;
    // What is too long for one may fit another; where it fits none, the caller makes room.
    const larger = candidates.findIndex(
      (next, index) => index > candidate && windowOf(next) > windowOf(candidates[candidate]!),
    );
    if (larger === -1) return tried;
    candidate = larger - 1;
  }
  return { kind: 'failed', error: oneError(errors) };
}

async function askWithRetries(request: StepRequest, model: LoopModel, once: () => AnswerSink): Promise<Tried> {
  const { input, signal } = request;
  const retry = { ...defaultRetry, ...input.retry };
  for (let attempt = 1; ; attempt++) {
    const tried = await attemptOnce(request, model, once());
    if (tried.kind === 'answered' || tried.partial || signal.aborted) return tried;
    const delay = retryDelay(tried.error, attempt, emptyTwiceIsEnough(tried.error, retry), input.random ?? Math.random);
    input.log.warn('model.failed', {
      model: modelName(model),
      code: tried.error.code,
      error: tried.error.message,
      attempt,
      retryInMs: delay,
    });
    if (delay === undefined || !(await slept(request, delay))) return tried;
  }
}

const windowOf = ({ info }: LoopModel): number => info.contextWindow ?? 0;

/** The error code is that of the first model; the message lists the others. */
function oneError(errors: readonly AppError[]): AppError {
  const [first, ...others] = errors;
  if (!first) return new AppError('unavailable', 'No model is configured.');
  if (others.length === 0) return first;
  return new AppError(first.code, `Every model failed. ${errors.map((error) => error.message).join(' / ')}`, {
    cause: first,
    retryAfterMs: first.retryAfterMs,
    ...present({ details: first.details }),
  });
}

async function attemptOnce(request: StepRequest, model: LoopModel, sink: AnswerSink): Promise<Tried> {
  const { input, index, messages, signal } = request;
  const answer = newAnswer();
  request.starting(model);
  input.steps.modelStarted(index, { provider: model.provider, model: model.modelId });
  try {
    await askModel({
      model,
      answer,
      sink,
      signal,
      clock: input.clock,
      ...limitsOf(input),
      options: callOptions(input, model, { messages, stepIndex: index }),
    });
    if (!request.mayBeEmpty || answer.filtered) refuseEmpty(answer, model);
    return { kind: 'answered', message: messageOf(answer, model, input) };
  } catch (caught) {
    const error = asAppError(caught);
    const said = textOf(keptBlocks(answer)).trim() !== '';
    if (said && error.code === 'too_large') {
      capAnswer(answer, sink, inner(error.message));
      return { kind: 'answered', message: messageOf(answer, model, input) };
    }
    return said
      ? { kind: 'failed', error, partial: messageOf(answer, model, input, error) }
      : { kind: 'failed', error };
  }
}

const limitsOf = ({ limits }: LoopInput): { readonly idleTimeoutMs: number; readonly answerChars: number } => {
  const { idleTimeoutMs, answerChars } = { ...defaultLimits, ...limits };
  return { idleTimeoutMs, answerChars };
};

/** A sentence as a part of another one. */
const inner = (sentence: string): string => sentence.charAt(0).toLowerCase() + sentence.slice(1).replace(/\.$/, '');

const EMPTY = 'empty_answer';

function refuseEmpty(answer: Answer, model: LoopModel): void {
  const blocks = keptBlocks(answer);
  if (textOf(blocks).trim() || blocks.some((block) => block.type === 'toolCall')) return;
  const name = modelName(model);
  if (answer.filtered)
    throw new AppError('denied', `${name} returned no answer: the content filter of the provider blocked it.`);
  if (answer.stopReason === 'length')
    throw new AppError(
      'too_large',
      `${name} reached its output limit before it produced any text. Raise the output limit or lower ` +
        'the thinking level.',
    );
  throw new AppError('bad_response', `${name} gave an empty answer.`, { details: { reason: EMPTY } });
}

/** An empty answer is asked for once more, not as often as a busy server. */
const emptyTwiceIsEnough = (error: AppError, retry: typeof defaultRetry): typeof defaultRetry =>
  error.details?.['reason'] === EMPTY ? { ...retry, attempts: Math.min(2, retry.attempts) } : retry;

function messageOf(answer: Answer, model: LoopModel, { clock }: LoopInput, error?: AppError): AssistantMessage {
  const content = keptBlocks(answer);
  return {
    role: 'assistant',
    // What was cut off keeps its words alone: its calls never ran and its signatures are incomplete.
    content: error ? content.filter((block) => block.type === 'text') : content,
    timestamp: clock.now(),
    provider: model.provider,
    model: model.modelId,
    usage: answer.usage ? usageOf(answer.usage, model.info) : noUsage,
    stopReason: error ? (error.code === 'aborted' ? 'aborted' : 'error') : (answer.stopReason ?? 'stop'),
    ...present({ errorMessage: error?.message }),
  };
}

async function slept({ input, signal }: StepRequest, ms: number): Promise<boolean> {
  await input.clock.sleep(ms, signal).catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
  return !signal.aborted;
}

/** Thinking that broke off is thought again by a retry; the person has seen some and is not shown it twice. */
function sayThinkingOnce(sink: AnswerSink): () => AnswerSink {
  let shownBy = 0;
  let attempt = 0;
  return () => {
    const mine = ++attempt;
    return {
      text: sink.text,
      thinking(delta) {
        shownBy ||= mine;
        if (shownBy === mine) sink.thinking(delta);
      },
    };
  };
}
