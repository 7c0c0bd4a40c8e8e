/**
 * The path of one message: accept → command or lane → understand → turn → outbox.
 * It is in the journal before anybody is told it was taken, and it leaves with exactly one end.
 */
import { sharingKey } from '../core/authority.ts';
import { originOf } from '../core/trigger.ts';
import { AppError, asAppError } from '../core/errors.ts';
import { noUsage, type UserMessage } from '../core/transcript.ts';
import { SUSPENDED_CODE, type TurnOutcome } from '../core/turn.ts';
import { runTurn, SUSPENDED, type TurnDeps } from '../agent/turn/run-turn.ts';
import type { AcceptResult, Arrival, Refusal } from '../journal/inbound.ts';
import type { Accepted, InboundRow } from '../journal/rows.ts';
import { inSteps } from '../platform/in-steps.ts';
import type { LaneControl, LaneItem, Lanes } from '../sessions/lanes.ts';
import type { QueueSettings } from '../sessions/queue-mode.ts';
import { createFloods } from './floods.ts';
import { createAnswers, SAID_NOTHING, type AnswersDeps } from './answers.ts';
import type { ReadCommand } from './commands/read-command.ts';
import { wishOf } from './commands/read-said.ts';
import {
  composeBody,
  composeTurn,
  NOTHING_UNDERSTOOD,
  readReset,
  saidOf,
  spokenCommands,
  turnText,
  type Understood,
} from './compose.ts';
import { steeredMessage, turnOf, type TurnRules } from './turn-of.ts';
import { createUnderstood, type Understander } from './understood.ts';
import { workKind } from './work-kind.ts';

/** A message waiting in its lane. */
export interface Waiting extends LaneItem {
  readonly row: InboundRow;
}

export interface InboundDeps extends TurnDeps, TurnRules, AnswersDeps {
  readonly lanes: () => Lanes<Waiting>;
  readonly understander: Understander;
  queueSettings(row: InboundRow): QueueSettings;
  reachedInbound(
    point: 'accept.before' | 'accept.after' | 'understand.before' | 'understand.after',
    runId: string,
  ): void;
  /** Whatever else decides what this message may make the agent do; messages that differ in it never share a turn. */
  rightsKey(row: InboundRow): string;
  /** Writes what nobody answers into the session's transcript, once. */
  note(row: InboundRow, text: string): Promise<void>;
  /** May this session be answered into (`session.sendPolicy`, `/send`)? */
  maySend(row: InboundRow): boolean;
}

export type Inbound = ReturnType<typeof createInbound>;

const HOPELESS =
  'The gateway died twice while it worked on this message, so it was set aside and will not be tried again. Send it again if you still need an answer.';

export function createInbound(deps: InboundDeps) {
  const { journal, hub, log } = deps;
  const understand = createUnderstood({
    journal,
    log,
    understander: deps.understander,
    now: () => deps.clock.now(),
    reached: deps.reachedInbound,
    progress: (runId, text) => hub.emit(runId, { type: 'understanding', text }),
    send: (id) => void deps.sender.send(id),
  });
  const end = (runId: string, outcome: TurnOutcome): void => hub.emit(runId, { type: 'ended', outcome });
  const answers = createAnswers(deps);
  const floods = createFloods({
    clock: deps.clock,
    tell: (rows, text) =>
      void answers
        .tell(rows, text, { state: 'declined', reason: 'overflow' })
        .catch((error: unknown) => log.error('inbound.dropped', { error })),
  });
  /** On their way into the journal; the sweep leaves them alone. */
  const arriving = new Set<string>();
  const unattended = (): InboundRow[] =>
    journal.inbound.open().filter((row) => !hub.isActive(row.runId) && !arriving.has(row.runId));

  const receive = async (accepted: Accepted, runId: string, refused?: Refusal): Promise<AcceptResult> =>
    (await receiveAll([{ accepted, runId, refused }]))[0]!;

  /**
   * Resolves once the message is on disk (P1), for each agent that is to answer it. The arrival tickets are taken
   * before the first await (P3).
   */
  async function receiveAll(arrivals: readonly Arrival[]): Promise<readonly AcceptResult[]> {
    for (const { runId } of arrivals) {
      deps.reachedInbound('accept.before', runId);
      arriving.add(runId);
    }
    try {
      const [results, sessions] = await Promise.all([
        journal.inbound.acceptAll(arrivals),
        Promise.all(arrivals.map(({ accepted }) => isReady(accepted.route.sessionKey))),
      ]);
      for (const [index, { runId, refused }] of arrivals.entries())
        if (refused || sessions[index]) arrived(results[index]!, runId, refused);
      return results;
    } finally {
      for (const { runId } of arrivals) arriving.delete(runId);
    }
  }

  function arrived(result: AcceptResult, runId: string, refused: Refusal | undefined): void {
    deps.reachedInbound('accept.after', runId);
    if (refused) log.info('message.refused', { runId, reason: refused.reason });
    if (result.notice !== undefined) void deps.sender.send(result.notice);
    if (!refused && result.status === 'accepted') dispatch(result.row);
  }

  /**
   * One agent's sessions that cannot be read cost the others nothing: its messages stay open, and the sweep or the next
   * start takes them up.
   */
  async function isReady(sessionKey: string): Promise<boolean> {
    const error = await deps.sessions.ready(sessionKey).then(
      () => undefined,
      (thrown: unknown) => asAppError(thrown),
    );
    if (error) log.error('inbound.sessions', { sessionKey, error });
    return error === undefined;
  }

  function dispatch(row: InboundRow): void {
    guarded([row], () => {
      hub.accepted({
        runId: row.runId,
        sessionKey: row.route.sessionKey,
        agentId: row.route.agentId,
        origin: originOf(row.trigger),
        inside: !deps.isDeliverable(row.route.replyTo.channel),
      });
      if (row.message.quiet) return note(row);
      const earlier = row.after === undefined ? undefined : hub.whenEnded(row.after);
      if (earlier) void earlier.then(() => guarded([row], () => begin(row)));
      else begin(row);
    });
  }

  /** A fault in one message must not keep the others from being taken up: its row stays open, for the sweep. */
  function guarded(rows: readonly InboundRow[], step: () => void): void {
    try {
      step();
    } catch (error) {
      const { code, message } = asAppError(error);
      log.error('inbound.dispatch', { runIds: rows.map(({ runId }) => runId), error });
      for (const { runId } of rows) end(runId, { kind: 'failed', code, message, usage: noUsage });
    }
  }

  /** Told to the agent with its next turn: it stands in the transcript, and nobody answers. */
  function note(row: InboundRow): void {
    const text = composeTurn([row], [], turnText(row, deps));
    deps
      .lanes()
      .exclusive(row.route.sessionKey, async () => {
        await deps.note(row, text);
        await journal.endInbound([row.seq], { state: 'answered', reason: 'noted' });
        end(row.runId, SAID_NOTHING);
      })
      .catch((error: unknown) => log.error('inbound.note', { runId: row.runId, error })); // the row stays open: the sweep or the next start takes it up
  }

  function begin(row: InboundRow): void {
    const said = saidOf(row, deps.rules(row));
    if (said.alone.length > 0) return answers.run(row, said.alone);
    for (const command of said.beside) void answers.beside(row, command);
    if (!deps.maySend(row))
      return void journal.endInbound([row.seq], { state: 'declined', reason: 'send blocked by session policy' }).then(
        () =>
          end(row.runId, {
            kind: 'failed',
            code: 'denied',
            message: 'Nothing is sent in this session: its send policy is deny.',
            usage: noUsage,
          }),
        (error: unknown) => log.error('inbound.blocked', { runId: row.runId, error }),
      );
    if (said.reset)
      void deps.commands
        .stop(row.route.sessionKey, row.runId)
        .catch((error: unknown) => log.error('inbound.stop', { runId: row.runId, error }));
    wait(row);
  }

  function wait(row: InboundRow): void {
    deps.lanes().arrive(row.route.sessionKey, waiting(row), {
      ...deps.queueSettings(row),
      ...wishOf(saidOf(row, deps.rules(row))).queue,
    });
  }

  /** One turn over the messages a lane hands over; never rejects. */
  async function runLane(
    _key: string,
    items: readonly Waiting[],
    control: LaneControl<Waiting>,
    dropped: readonly Waiting[],
  ): Promise<void> {
    const rows = rowsOf(items);
    const resumed = rows[0]!.turnId !== undefined;
    const taken: InboundRow[] = [];
    let turn = turnOf({ rows, dropped: rowsOf(dropped) }, deps);
    try {
      const tried = await journal.tries.begin(turn.id, {
        resumed,
        marks: rows.some((row) => deps.understander.needed(row)),
      });
      const hopeless = tried === 'hopeless' ? HOPELESS : undefined;
      if (hopeless) log.error('turn.hopeless', { turnId: turn.id, sessionKey: turn.route.sessionKey });
      const understood = hopeless ? NOTHING_UNDERSTOOD : await understandAll(rows, control.signal);
      const rules = deps.rules(rows[0]!);
      const spoken = resumed || hopeless ? [] : spokenCommands(rows[0]!, rules, understood);
      // Not awaited: it may want the lane for itself.
      if (spoken.length > 0) return answers.run(rows[0]!, spoken);
      turn = turnOf({ rows, dropped: rowsOf(dropped), understood }, deps);
      const reset = resumed || hopeless ? undefined : readReset(rows[0]!, rules, understood);
      if (reset) turn = { ...turn, text: await afterReset(rows[0]!, reset, understood) };
      for (const text of turn.notices ?? []) hub.emit(turn.id, { type: 'notice', text });
      const { outcome, outbox, members } = await runTurn(
        {
          turn,
          rows,
          resumed,
          hopeless,
          signal: control.signal,
          steerWaiting: control.steerWaiting,
          takeSteered: () => takeSteered(control.takeSteered(), taken),
          emit: (event) => hub.emit(turn.id, event),
        },
        deps,
      );
      end(turn.id, outcome);
      for (const row of members)
        if (row.runId !== turn.id)
          end(row.runId, outcome.kind === 'done' ? { ...outcome, usage: noUsage, mergedInto: turn.id } : outcome);
      // it was handed over, and the journal did not take it
      for (const row of taken) if (!members.some(({ seq }) => seq === row.seq)) wait(row);
      for (const id of outbox) void deps.sender.send(id);
    } catch (error) {
      // The journal refused (P10): the rows stay open, and the sweep or the next start takes them up.
      log.error('turn.unwritten', { turnId: turn.id, error });
      const { code, message } = asAppError(error);
      if (control.signal.reason === SUSPENDED)
        await journal.tries
          .spare(turn.id)
          .catch((unwritten: unknown) => log.error('turn.unwritten', { turnId: turn.id, error: unwritten }));
      for (const row of [...rows, ...taken])
        end(row.runId, {
          kind: 'failed',
          code: control.signal.reason === SUSPENDED ? SUSPENDED_CODE : code,
          message,
          usage: noUsage,
        });
    }
  }

  /** Messages share a turn only when they come from one chat, with the same rights and without wishes of their own. */
  function waiting(row: InboundRow): Waiting {
    const alone =
      row.queue === 'followup' ||
      row.trigger !== undefined ||
      saidOf(row, deps.rules(row)).wishes.length > 0 ||
      row.message.attachments.length > 0 ||
      Object.keys(row.options).length > 0 ||
      resetOf(row) !== undefined;
    return {
      runId: row.runId,
      row,
      alone,
      kind: workKind(row),
      group: JSON.stringify([row.route.replyTo, sharingKey(row.authority), deps.rightsKey(row)]),
      steerable: !deps.understander.needed(row),
      gather: alone || row.message.system ? undefined : row.message.sender.id,
    };
  }

  /**
   * A stop leaves the rest to the turn, which knows how to end; a turn that will go on in another life is not begun.
   */
  async function understandAll(rows: readonly InboundRow[], signal: AbortSignal): Promise<Understood> {
    try {
      return await understand(rows, signal);
    } catch (error) {
      if (signal.reason === SUSPENDED)
        throw new AppError('unavailable', 'The gateway is stopping; this message is answered after the next start.', {
          cause: error,
        });
      if (asAppError(error).code === 'aborted' && signal.aborted) return NOTHING_UNDERSTOOD;
      throw error;
    }
  }

  const resetOf = (row: InboundRow): ReadCommand | undefined => readReset(row, deps.rules(row));

  /** The text behind the reset, which may have named a model; with its notes, where it has some. */
  async function afterReset(row: InboundRow, { command, args }: ReadCommand, understood: Understood): Promise<string> {
    const answer = await command.run({ args, row, sessionKey: row.route.sessionKey }, deps.commands);
    const text = 'turn' in answer ? answer.turn : args;
    const { framed, inert } = turnText(row, deps);
    return framed(composeBody(inert?.(text, row) ?? text, row, understood), row);
  }

  function takeSteered(
    items: readonly Waiting[],
    taken: InboundRow[],
  ): { messages: readonly UserMessage[]; seqs: readonly number[] } {
    const rows = rowsOf(items);
    taken.push(...rows);
    return { messages: rows.map((row) => steeredMessage(row, deps)), seqs: rows.map(({ seq }) => seq) };
  }

  return {
    receive,
    receiveAll,
    runLane,

    /** Messages that gave way to others: each sender is told, each row gets its end. */
    onDropped(items: readonly Waiting[], reason: 'overflow' | 'interrupted'): void {
      const rows = rowsOf(items);
      if (reason === 'overflow' && rows.every(({ trigger }) => !trigger)) return floods.add(rows);
      const outcome: TurnOutcome = { kind: 'aborted', text: '', usage: noUsage };
      journal
        .endInbound(
          rows.map((row) => row.seq),
          { state: 'declined', reason },
        )
        .then(
          () => rows.forEach((row) => end(row.runId, outcome)),
          (error: unknown) => log.error('inbound.dropped', { reason, error }),
        );
    },

    /** Messages removed from a queue by a stop. */
    async onStopped(items: readonly Waiting[]): Promise<void> {
      if (items.length === 0) return;
      const rows = rowsOf(items);
      // A turn of an earlier life that was to go on ends with all its messages.
      const begun = [...new Set(rows.flatMap((row) => row.turnId ?? []))]
        .map((turnId) => ({ turnId, members: journal.inbound.ofTurn(turnId) }))
        .filter(({ members }) => members.every((row) => row.steered || rows.some(({ seq }) => seq === row.seq)));
      const outcome: TurnOutcome = { kind: 'aborted', text: '', usage: noUsage };
      const stopped = { state: 'declined', reason: 'stopped' } as const;
      await Promise.all([
        journal.endInbound(
          rows.map((row) => row.seq),
          stopped,
        ),
        ...begun.map(({ turnId, members }) =>
          journal.turns.end(
            { turnId, outcome, inbound: stopped, replies: [] },
            members.map((row) => row.seq),
          ),
        ),
      ]);
      for (const row of [...rows, ...begun.flatMap(({ members }) => members)]) end(row.runId, outcome);
    },

    /**
     * Takes up every message without an end that nobody works on (P4): turns first, then messages, in order of arrival.
     * After a start that is what an earlier life left; later, what a full disk kept from ending.
     */
    async resume(): Promise<number> {
      const keys = [...new Set(unattended().map((row) => row.route.sessionKey))];
      const ready = new Set((await Promise.all(keys.map(async (key) => ((await isReady(key)) ? [key] : [])))).flat());
      // again: somebody may have come meanwhile
      const open = unattended().filter((row) => ready.has(row.route.sessionKey));
      const turns = Map.groupBy(
        open.filter((row) => row.turnId !== undefined),
        (row) => row.turnId!,
      );
      for await (const row of inSteps(open))
        guarded([row], () =>
          hub.accepted({
            runId: row.runId,
            sessionKey: row.route.sessionKey,
            agentId: row.route.agentId,
            origin: originOf(row.trigger),
          }),
        );
      for (const rows of turns.values()) {
        const opening = rows.filter((row) => !row.steered);
        const batch = opening.length > 0 ? opening : rows; // steered ones whose turn lost its opening go on without
        guarded(batch, () => deps.lanes().resume(batch[0]!.route.sessionKey, batch.map(waiting)));
      }
      for await (const row of inSteps(open)) if (row.turnId === undefined && hub.isActive(row.runId)) dispatch(row);
      deps.sender.resume();
      return open.length;
    },
  };
}

const rowsOf = (items: readonly Waiting[]): readonly InboundRow[] => items.map(({ row }) => row);
