/**
 * Sends one request to one model: opens the stream, reads it with an idle timeout, and ends when the turn is stopped.
 */
import type { LanguageModelV4CallOptions, LanguageModelV4StreamPart } from '@ai-sdk/provider';
import { AppError, asAppError } from '../../core/errors.ts';
import type { Clock } from '../../platform/clock.ts';
import { raceSignal } from '../../platform/timeout.ts';
import { modelName, type LoopModel } from './loop-input.ts';
import { answerMeter } from './answer-cap.ts';
import { answerFold, capAnswer, type Answer, type AnswerSink } from './read-answer.ts';
import { ignoreOutcome } from '../../platform/settled.ts';

export interface Ask {
  readonly model: LoopModel;
  readonly options: Omit<LanguageModelV4CallOptions, 'abortSignal'>;
  /** Filled while the stream is read; what is in it when the ask fails was said. */
  readonly answer: Answer;
  readonly sink: AnswerSink;
  readonly signal: AbortSignal;
  readonly idleTimeoutMs: number;
  readonly answerChars: number;
  readonly clock: Clock;
}

/** Rejects with `AppError`; `aborted` only when `signal` fired. */
export async function askModel(ask: Ask): Promise<void> {
  const stop = new AbortController();
  const onAbort = (): void => stop.abort(new AppError('aborted', 'The turn was stopped.'));
  if (ask.signal.aborted) onAbort();
  ask.signal.addEventListener('abort', onAbort, { once: true });
  using idle = idleWatch(ask, () =>
    stop.abort(
      new AppError('timeout', `${modelName(ask.model)} sent nothing for ${Math.round(ask.idleTimeoutMs / 1000)} s.`),
    ),
  );
  try {
    await readAll(ask, stop.signal, idle.seen);
    stop.signal.throwIfAborted();
    if (!ask.answer.stopReason)
      throw new AppError('bad_response', `${modelName(ask.model)} ended its stream without finishing the answer.`);
  } catch (error) {
    const failure = stop.signal.aborted ? (stop.signal.reason as AppError) : asAppError(error, 'bad_response');
    stop.abort(failure);
    throw failure;
  } finally {
    ask.signal.removeEventListener('abort', onAbort);
  }
}

async function readAll(
  { model, options, answer, sink, answerChars }: Ask,
  signal: AbortSignal,
  seen: () => void,
): Promise<void> {
  signal.throwIfAborted();
  const opened = model.open().then((chat) => chat.doStream({ ...options, abortSignal: signal }));
  const { stream } = await raceSignal(opened, signal);
  const reader = stream.getReader();
  // Cancelling ends a pending read at once, also when the model does not listen to the signal.
  const cancel = (): void => void ignoreOutcome(reader.cancel(signal.reason));
  signal.addEventListener('abort', cancel, { once: true });
  const fold = answerFold(answer, sink);
  const meter = answerMeter(answerChars);
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    seen();
    const part = checked(next.value);
    if (meter.takes(part)) fold(part);
    else capAnswer(answer, sink, meter.why);
    if (answer.stopReason) break;
  }
  if (!signal.aborted) signal.removeEventListener('abort', cancel);
  cancel();
}

/** A stream that is not made of parts is a lie we would otherwise trip over later. */
function checked(part: LanguageModelV4StreamPart): LanguageModelV4StreamPart {
  if (typeof part?.type !== 'string')
    throw new AppError('bad_response', 'The model sent something that is not part of an answer.');
  return part;
}

/** Looks now and then instead of re-arming a timer for every delta. */
function idleWatch({ idleTimeoutMs, clock }: Ask, onIdle: () => void): Disposable & { seen(): void } {
  let silentTicks = 0;
  const timer = clock.setInterval(() => {
    if (++silentTicks > 2) onIdle();
  }, idleTimeoutMs / 2);
  return {
    seen: () => {
      silentTicks = 0;
    },
    [Symbol.dispose]: () => timer.cancel(),
  };
}
