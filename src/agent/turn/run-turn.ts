/** Runs one turn from its messages to its end: session, conversation, loop, journal, transcript, replies. */
import { setImmediate as nextRound } from 'node:timers/promises';
import { sentByTool } from '../../core/message-tool.ts';
import { AppError, asAppError } from '../../core/errors.ts';
import type { Log } from '../../core/log.ts';
import { present } from '../../core/present.ts';
import type { Tool, ToolContext } from '../../core/tool.ts';
import { noUsage, type ImageBlock, type Message, type UserMessage } from '../../core/transcript.ts';
import type { AgentEvent, ThinkingLevel, Turn, TurnOutcome } from '../../core/turn.ts';
import type { Journal } from '../../journal/journal.ts';
import type { InboundRow } from '../../journal/rows.ts';
import type { Clock } from '../../platform/clock.ts';
import type { OpenSession, Sessions } from '../../sessions/sessions.ts';
import type { Transcript } from '../../sessions/transcript.ts';
import { pictureId, turnLineId } from '../../sessions/transcript-line.ts';
import { runLoop } from '../loop/run-loop.ts';
import type { LoopInput, LoopModel } from '../loop/loop-input.ts';
import { firstFacts, sessionPatch, turnEnd } from './end-turn.ts';
import { openingLines } from './opening.ts';
import { planRows, type PlanReplies } from './plan-replies.ts';
import { replyExtras } from './reply-extras.ts';
import type { Reconciler } from './reconciler.ts';
import type { ReplyPolicy } from '../../host/reply-policy.ts';
import { attachedByTools, canvasOf, withShown } from './shown-of.ts';
import { createTurnRecord, type TurnPoint, type TurnRecord } from './turn-record.ts';

/** The part of a tool's context that depends on agent, session and configuration. */
export interface ToolContextFactory {
  of(callId: string): Omit<ToolContext, 'turnId' | 'callId' | 'route' | 'signal' | 'progress' | 'log' | 'rpc'>;
}

/** All a turn needs to know besides its conversation. */
export interface TurnSetting {
  readonly candidates: readonly LoopModel[];
  readonly system: string;
  readonly tools: readonly Tool[];
  /** What tools of this turn may touch. */
  readonly environment: ToolContextFactory;
  readonly thinking: ThinkingLevel | undefined;
  readonly timeoutMs: number;
  /** Characters one answer may have. */
  readonly answerChars: number;
  readonly contextTokens: number | undefined;
}

export interface TurnJob {
  readonly turn: Turn;
  /** The messages it answers. */
  readonly rows: readonly InboundRow[];
  readonly resumed: boolean;
  /** It is not worked on, for this reason; it gets its end. */
  readonly poisoned?: string | undefined;
  readonly signal: AbortSignal;
  /** Messages to steer in, with their rows. */
  steerWaiting(): boolean;
  takeSteered(): { readonly messages: readonly UserMessage[]; readonly seqs: readonly number[] };
  emit(event: AgentEvent): void;
}

/** What becomes of an answer: whether it is said, where it can be, in how many messages. */
export interface Replies {
  isDeliverable(channel: string): boolean;
  /** What becomes of answers nobody asked for. Absent: they are said. */
  readonly policy?: ReplyPolicy;
  /** Absent: every reply is one message. */
  readonly plan?: PlanReplies;
}

export interface TurnDeps {
  readonly journal: Journal;
  readonly sessions: Sessions;
  readonly reconciler: Reconciler;
  readonly log: Log;
  readonly clock: Clock;
  /** Agent, models, prompt and tools for this turn; throws `AppError` when none can be had. */
  prepare(turn: Turn, session: Pick<OpenSession, 'entry' | 'key'>): Promise<TurnSetting>;
  workspaceOf(agentId: string): string;
  /** Summarises when the conversation would not fit; answers true when it did. */
  autoCompact(room: {
    session: OpenSession;
    setting: TurnSetting;
    force: boolean;
    signal: AbortSignal;
    emit(event: AgentEvent): void;
  }): Promise<boolean>;
  readonly replies: Replies;
  rpc(turn: Turn): ToolContext['rpc'];
  checkpoint(point: TurnPoint | 'end.before' | 'end.after', turnId: string): void;
}

/** Why a turn was interrupted that is to go on after a restart: it gets no end. */
export const SUSPENDED: unique symbol = Symbol('suspended');

/**
 * Resolves with the outbox rows to send and every message the turn answered, steered ones too. Never rejects but for a
 * journal that cannot be written (P10).
 */
export async function runTurn(
  job: TurnJob,
  deps: TurnDeps,
): Promise<{ outcome: TurnOutcome; outbox: readonly number[]; members: readonly InboundRow[] }> {
  const { turn, rows } = job;
  if (turn.options.freshSession && !job.resumed) await deps.sessions.reset(turn.route.sessionKey);
  const session = await deps.sessions.open(turn.route.sessionKey, {
    channel: turn.route.replyTo.channel,
    cwd: deps.workspaceOf(turn.route.agentId),
    personal: turn.origin === 'message' && !turn.system && !job.resumed,
    parentKey: turn.route.parentKey,
    facts: deps.replies.isDeliverable(turn.route.replyTo.channel) ? firstFacts(rows) : {},
  });
  await deps.journal.turns.begin({
    id: turn.id,
    sessionKey: session.key,
    agentId: session.agentId,
    sessionId: session.entry.sessionId,
    seqs: rows.map((row) => row.seq),
  });
  const { record, contextTokens, ...thought } = await think(job, deps, session);

  if (thought.outcome.kind !== 'done') await record.catchUp();
  if (job.signal.reason === SUSPENDED)
    throw new AppError('unavailable', 'The gateway is stopping; this turn continues after the next start.');

  const inside = !deps.replies.isDeliverable(turn.route.replyTo.channel);
  const sent = sentByTool(record.messages);
  const decision =
    (turn.trigger &&
      (await deps.replies.policy?.(turn, thought.outcome, {
        entry: session.entry,
        messages: record.messages,
        sent,
        now: deps.clock.now(),
      }))) ??
    {};
  const outcome: TurnOutcome =
    decision.silent && thought.outcome.kind === 'done' ? { ...thought.outcome, silent: true } : thought.outcome;
  const staged = await deps.sessions.stage(session.key, {
    ...sessionPatch({
      entry: session.entry,
      messages: record.messages,
      outcome,
      rows,
      deliverable: !inside,
      contextTokens,
      now: deps.clock.now(),
    }),
    ...decision.patch,
    ...present({ updatedAt: decision.forget ? null : undefined }),
  });
  // In the product's own chat both are shown beside the answer.
  const extras = inside ? {} : replyExtras({ turn, entry: session.entry, messages: record.messages, outcome });
  deps.checkpoint('end.before', turn.id);
  const end = turnEnd(turn, outcome, { ...extras, sent, decision, attached: attachedByTools(record.messages) });
  const replies = deps.replies.plan
    ? await planRows(turn, end.replies, { plan: deps.replies.plan, sent })
    : end.replies;
  const said = replies.map(({ payload }) => payload);
  const canvas = canvasOf(outcome, { replies: said, messages: record.messages });
  const ended = inside ? withShown(outcome, { replies: said, sent, canvas }) : outcome;
  const { outbox, messages: members } = await deps.journal.turns.end({ ...end, outcome: ended, replies }, staged.redo);
  deps.checkpoint('end.after', turn.id);
  await record
    .finish(present({ shown: ended.kind === 'done' ? ended.shown : undefined, canvas }))
    .then(() =>
      decision.forget
        ? session.transcript.append([{ type: 'forget', id: turnLineId(turn.id, 'forget'), turnId: turn.id }])
        : undefined,
    )
    .then(
      () => deps.reconciler.written(turn.id, session.transcript.path),
      (error: unknown) => deps.log.error('turn.transcript', { turnId: turn.id, error }),
    );
  return { outcome: ended, outbox, members };
}

interface Thought {
  readonly record: TurnRecord;
  readonly outcome: TurnOutcome;
  readonly contextTokens: number | undefined;
}

/** Runs the loop; whatever fails on the way becomes the outcome. */
async function think(job: TurnJob, deps: TurnDeps, session: OpenSession): Promise<Thought> {
  const { turn } = job;
  const steered: number[] = [];
  const record = createTurnRecord({
    turnId: turn.id,
    journal: deps.journal,
    transcript: session.transcript,
    recall: job.resumed ? await deps.journal.turns.recall(turn.id) : undefined,
    takeSteeredSeqs: () => steered.splice(0),
    suspended: () => job.signal.reason === SUSPENDED,
    checkpoint: (point) => deps.checkpoint(point, turn.id),
    onWriteError: (error) => deps.log.error('turn.transcript', { turnId: turn.id, error }),
  });
  let said: Awaited<ReturnType<typeof openingLines>> | undefined;
  const appendOpening = (): void => {
    if (said)
      session.transcript
        .append([...said.seed, ...said.opening])
        .catch((error: unknown) => deps.log.error('turn.transcript', { turnId: turn.id, error }));
  };
  try {
    const { seed, opening } = (said = await openingLines(turn, deps.clock.now()));
    if (job.poisoned !== undefined) throw new AppError('internal', job.poisoned);
    const setting = await deps.prepare(turn, session);
    await nextRound(); // what was prepared and what is sent are each a millisecond: others go in between
    // What this turn has said in an earlier run must not be summarised away under it: there was room then.
    if (!opening.some((line) => session.transcript.has(line.id)))
      await deps.autoCompact({ session, setting, force: false, signal: job.signal, emit: job.emit });
    const history = historyBefore(
      session.transcript,
      opening.map((line) => line.id),
      seed.map((line) => line.message),
    );
    appendOpening();
    const steer = (): readonly UserMessage[] => {
      const { messages, seqs } = job.takeSteered();
      steered.push(...seqs);
      return messages;
    };
    const loop = (past: readonly Message[]): Promise<TurnOutcome> =>
      follow(
        loopInput({
          job,
          deps,
          session,
          setting,
          record,
          history: past,
          opening: opening.map((line) => line.message),
          steer,
        }),
        job,
        record,
      );
    const outcome = await loop(history);
    const overflowed = outcome.kind === 'failed' && outcome.code === 'context_overflow';
    if (!overflowed || !(await deps.autoCompact({ session, setting, force: true, signal: job.signal, emit: job.emit })))
      return { record, outcome, contextTokens: setting.contextTokens };
    const retried = await loop(
      historyBefore(
        session.transcript,
        opening.map((line) => line.id),
        [],
      ),
    );
    return { record, outcome: retried, contextTokens: setting.contextTokens };
  } catch (error) {
    appendOpening(); // what was asked stands there, whatever came of it
    const { code, message } = asAppError(error);
    deps.log.error('turn.failed', { turnId: turn.id, sessionKey: session.key, error });
    const outcome: TurnOutcome =
      code === 'aborted'
        ? { kind: 'aborted', text: '', usage: noUsage }
        : { kind: 'failed', code, message, usage: noUsage };
    return { record, outcome, contextTokens: undefined };
  }
}

/** Passes every event on but `ended`, which the caller sends once the end is on disk. */
async function follow(input: LoopInput, job: TurnJob, record: TurnRecord): Promise<TurnOutcome> {
  for await (const event of runLoop(input)) {
    if (event.type === 'ended') return event.outcome;
    if (event.type === 'message' && (event.message.stopReason === 'aborted' || event.message.stopReason === 'error'))
      record.broken(event.message);
    job.emit(event);
  }
  throw new AppError('internal', 'The agent loop stopped without an outcome.');
}

/** The conversation up to this turn's own lines, which a resumed turn finds in the transcript already. */
function historyBefore(transcript: Transcript, openingIds: readonly string[], seed: readonly Message[]): Message[] {
  const spoken = transcript.conversation();
  const own = spoken.findIndex(({ id }) => openingIds.includes(id));
  const past = (own === -1 ? spoken : spoken.slice(0, own)).map(({ message }) => message);
  return own === -1 ? [...past, ...seed] : past;
}

/** Later turns go without pictures a vendor refused; a line that is lost costs one more refusal. */
function forgo(
  transcript: Transcript,
  { turnId, pictures, why, log }: { turnId: string; pictures: readonly ImageBlock[]; why: string; log: Log },
): void {
  const ids = [...new Set(pictures.map(pictureId))];
  transcript
    .append([{ type: 'unseen', id: turnLineId(turnId, `unseen${ids.join()}`), turnId, pictures: ids, why }])
    .catch((error: unknown) => log.error('turn.transcript', { turnId, error }));
}

function loopInput({
  job,
  deps,
  session,
  setting,
  record,
  history,
  opening,
  steer,
}: {
  job: TurnJob;
  deps: TurnDeps;
  session: OpenSession;
  setting: TurnSetting;
  record: TurnRecord;
  history: readonly Message[];
  opening: readonly Message[];
  steer: () => readonly UserMessage[];
}): LoopInput {
  const { turn } = job;
  const { options } = turn;
  const log = deps.log.child({ turnId: turn.id, sessionKey: turn.route.sessionKey });
  const rpc = deps.rpc(turn);
  return {
    turnId: turn.id,
    route: turn.route,
    candidates: setting.candidates,
    system: setting.system,
    history,
    opening,
    tools: setting.tools,
    clientTools: options.clientTools,
    toolChoice: options.toolChoice,
    thinking: setting.thinking,
    maxOutputTokens: options.maxOutputTokens,
    temperature: options.temperature,
    topP: options.topP,
    signal: job.signal,
    timeoutMs: options.timeoutMs ?? setting.timeoutMs,
    limits: { answerChars: setting.answerChars },
    steer,
    steerWaiting: job.steerWaiting,
    steps: record.steps,
    unseen: (pictures, why) => forgo(session.transcript, { turnId: turn.id, pictures, why, log }),
    toolContext: (callId) => ({
      turnId: turn.id,
      callId,
      route: turn.route,
      log,
      rpc,
      ...setting.environment.of(callId),
    }),
    log,
    clock: deps.clock,
  };
}
