/** The agent loop: calls a model, runs the tools it requests, and repeats until the model answers. */
import { AppError, asAppError } from '../../core/errors.ts';
import type { AssistantMessage, ToolCallBlock, ToolResultMessage } from '../../core/transcript.ts';
import type { AgentEvent, PendingToolCall, TurnOutcome } from '../../core/turn.ts';
import { clipMiddle } from '../../core/clip-middle.ts';
import { answerStep, type StepAnswer } from './answer-step.ts';
import { eventStream, type EventStream } from './event-stream.ts';
import { createLoopDetector, loopWarning, type LoopDetector } from './loop-detector.ts';
import { defaultLimits, type LoopInput } from './loop-input.ts';
import { isReadOnly, prepareCall, runTools, type PreparedCall } from './run-tools.ts';
import { turnClock, type TurnClock } from './turn-clock.ts';
import { createTurnState, type TurnState } from './turn-state.ts';

interface Run extends TurnClock {
  readonly input: LoopInput;
  readonly state: TurnState;
  readonly detector: LoopDetector;
  readonly emit: (event: AgentEvent) => void;
  candidate: number;
}

/** Begins with the first read. Never throws: the last event is `ended`, once. Leaving early stops the turn. */
export function runLoop(input: LoopInput): EventStream<AgentEvent> {
  const left = new AbortController();
  const state = { ended: false };
  return eventStream<AgentEvent>({
    run: (emit) =>
      runTurn({ ...input, signal: AbortSignal.any([input.signal, left.signal]) }, (event) => {
        state.ended ||= event.type === 'ended';
        emit(event);
      }),
    cancel: () => {
      if (!state.ended) left.abort();
    },
    join: joinDeltas,
  });
}

/** The boundary of the turn: whatever goes wrong inside ends it with an outcome. */
async function runTurn(input: LoopInput, emit: (event: AgentEvent) => void): Promise<void> {
  using clock = turnClock(input);
  const state = createTurnState(input, emit);
  let outcome: TurnOutcome;
  try {
    outcome = await converse({
      input,
      state,
      emit,
      detector: createLoopDetector(),
      candidate: 0,
      signal: clock.signal,
      timedOut: clock.timedOut,
    });
  } catch (error) {
    const failure = asAppError(error);
    input.log.error('turn.failed', { turnId: input.turnId, code: failure.code, error: failure.message });
    outcome = state.failed(failure);
  }
  clock.stop();
  emit({ type: 'ended', outcome });
}

async function converse(run: Run): Promise<TurnOutcome> {
  const { input, state, signal } = run;
  const maxSteps = input.limits?.maxSteps ?? defaultLimits.maxSteps;
  for (let index = 0; index < maxSteps; index++) {
    await takeSteered(run, index);
    if (signal.aborted) return stopped(run);
    const message = await nextAnswer(run, index);
    if (message instanceof AppError) return signal.aborted ? stopped(run) : state.failed(message);
    const end = await act(run, index, message);
    if (end) return end;
  }
  return state.failed({
    code: 'too_large',
    message: `The turn was stopped at the limit of ${maxSteps} model calls. Ask for the rest in a new message.`,
  });
}

/** Messages that came in meanwhile join the conversation before the model is asked again. */
async function takeSteered({ input, state }: Run, index: number): Promise<void> {
  const recalled = input.steps.recalledSteer(index);
  if (recalled) return state.add(...recalled);
  if (input.steps.recalledModel(index)) return;
  const fresh = input.steer();
  if (fresh.length === 0) return;
  await input.steps.steered(index, fresh);
  state.add(...fresh);
}

async function nextAnswer(run: Run, index: number): Promise<AssistantMessage | AppError> {
  const { input, state } = run;
  const recalled = input.steps.recalledModel(index);
  if (recalled) {
    state.started(recalled);
    state.keep(recalled, { recalled: true });
    return recalled;
  }
  const step = await answerInRoom(run, index);
  if (step.kind === 'failed') {
    if (step.partial) state.keep(step.partial);
    return step.error;
  }
  run.candidate = step.candidate;
  return step.message;
}

/**
 * `context_overflow` leaves the turn only while nothing has been said or done in it, so that the caller may compact and
 * begin again.
 * Later, long tool results are shortened once; what does not fit then either ends the turn as `too_large`.
 */
async function answerInRoom(run: Run, index: number): Promise<StepAnswer> {
  const { input, state, signal } = run;
  const ask = (): Promise<StepAnswer> =>
    answerStep({
      input,
      index,
      signal,
      messages: state.messages,
      sink: state.sink,
      firstCandidate: run.candidate,
      mayBeEmpty: state.hasSpoken,
      starting: (model) => state.started({ provider: model.provider, model: model.modelId }),
    });
  let step = await askSeen(run, ask);
  if (!overflowed(step) || (index === 0 && !step.partial)) return step;
  if (!step.partial && state.shorten()) step = await ask();
  if (!overflowed(step)) return step;
  return {
    ...step,
    error: new AppError(
      'too_large',
      `The turn exceeded the context window of the model: ${step.error.message} Ask for the rest in a new message.`,
      { cause: step.error },
    ),
  };
}

/** Nothing was said yet, so asking again says nothing twice. */
const refusedPictures = (step: StepAnswer): step is Extract<StepAnswer, { kind: 'failed' }> =>
  step.kind === 'failed' && !step.partial && step.error.details?.['aboutPictures'] === true;

/** What a vendor refuses for a picture is asked without it: with the pictures of this turn left out, then with all. */
async function askSeen({ input, state, candidate }: Run, ask: () => Promise<StepAnswer>): Promise<StepAnswer> {
  for (let step = await ask(); ; ) {
    if (!refusedPictures(step)) return step;
    const why =
      `${input.candidates[candidate]!.provider} refused it ` +
      `(${clipMiddle(step.error.message, MAX_REASON, () => ' … ')}); tell the person`;
    const pictures = state.hidePictures(why);
    if (!pictures) return step;
    input.log.warn('model.pictures.refused', {
      turnId: input.turnId,
      pictures: pictures.length,
      error: step.error.message,
    });
    step = await ask();
    if (!refusedPictures(step)) input.unseen?.(pictures, why);
  }
}

/** Maximum characters of a vendor's error that the model gets. */
const MAX_REASON = 200;

const overflowed = (step: StepAnswer): step is Extract<StepAnswer, { kind: 'failed' }> =>
  step.kind === 'failed' && step.error.code === 'context_overflow';

/** Does what an answer asks for; undefined when the model has to be asked again. */
async function act(run: Run, index: number, answer: AssistantMessage): Promise<TurnOutcome | undefined> {
  const { input, state } = run;
  const recalled = input.steps.recalledModel(index) !== undefined;
  const message = recalled ? answer : withUniqueIds(answer, state, input.turnId, index);
  const { own, theirs } = splitCalls(message, input);
  const calls = own.map((call) => prepareCall(call, input.tools));
  if (!recalled) {
    const started = calls.map((one) => ({
      callId: one.call.id,
      tool: one.call.name,
      input: 'args' in one ? one.args : one.call.arguments,
      readOnly: isReadOnly(one),
    }));
    // An answer without calls of ours is carried by the end of the turn; only one that more follows on must be on disk
    // first.
    const written = input.steps.modelFinished(index, message, started);
    if (calls.length || input.steerWaiting()) await written;
    else
      written.catch((error: unknown) =>
        input.log.error('turn.step.unwritten', { turnId: input.turnId, error: asAppError(error).message }),
      );
    state.keep(message);
  }
  if (calls.length) {
    const results = await runTools({ input, calls, resumed: recalled, signal: run.signal, emit: run.emit });
    const stuck = addResults(run, calls, results);
    if (run.signal.aborted) return stopped(run);
    if (stuck) return state.failed(new AppError('bad_response', stuck));
  }
  if (theirs.length) return state.done(message, theirs);
  const more = calls.length > 0 || input.steerWaiting() || input.steps.recalledSteer(index + 1) !== undefined;
  return more ? undefined : state.done(message);
}

/**
 * Hands the results to the model, with a word of warning where it repeats itself; answers why the turn must end when it
 * does not listen.
 */
function addResults(
  { input, state, detector }: Run,
  calls: readonly PreparedCall[],
  results: readonly ToolResultMessage[],
): string | undefined {
  const { loopWarnAt, loopStopAt } = { ...defaultLimits, ...input.limits };
  let stuck: string | undefined;
  for (const [index, result] of results.entries()) {
    const prepared = calls[index]!;
    const count = detector.count(prepared.call, result, !isReadOnly(prepared));
    const warned =
      count >= loopWarnAt
        ? { ...result, content: [...result.content, { type: 'text' as const, text: loopWarning(count) }] }
        : result;
    state.add(warned);
    if (count >= loopStopAt)
      stuck =
        `The model called ${result.toolName} ${count} times with the same input and the same result; the turn ` +
        'was stopped.';
  }
  return stuck;
}

function splitCalls(
  message: AssistantMessage,
  { clientTools = [] }: LoopInput,
): { own: readonly ToolCallBlock[]; theirs: readonly PendingToolCall[] } {
  const calls = message.content.filter((block) => block.type === 'toolCall');
  const isTheirs = (call: ToolCallBlock): boolean => clientTools.some((tool) => tool.name === call.name);
  return {
    own: calls.filter((call) => !isTheirs(call)),
    theirs: calls.filter(isTheirs).map(({ id, name, arguments: args }) => ({ id, name, arguments: args })),
  };
}

/** Some servers name every call `call_0`; the journal and the UI know a call by its id. */
function withUniqueIds(message: AssistantMessage, state: TurnState, turnId: string, index: number): AssistantMessage {
  if (!message.content.some((block) => block.type === 'toolCall')) return message;
  const used = new Set(
    state.messages.flatMap((one) =>
      one.role === 'assistant' ? one.content.flatMap((block) => (block.type === 'toolCall' ? [block.id] : [])) : [],
    ),
  );
  return {
    ...message,
    content: message.content.map((block, at) => {
      if (block.type !== 'toolCall') return block;
      const id = block.id && !used.has(block.id) ? block.id : `call_${turnId}_${index}_${at}`;
      used.add(id);
      return { ...block, id };
    }),
  };
}

const stopped = ({ state, timedOut, input }: Run): TurnOutcome =>
  timedOut()
    ? state.failed({
        code: 'timeout',
        message: `The turn took longer than ${Math.round((input.timeoutMs ?? 0) / 1000)} s and was stopped.`,
      })
    : state.aborted();

function joinDeltas(earlier: AgentEvent, later: AgentEvent): AgentEvent | undefined {
  if (earlier.type !== later.type || (later.type !== 'text' && later.type !== 'thinking')) return undefined;
  return { type: later.type, delta: (earlier as typeof later).delta + later.delta };
}
