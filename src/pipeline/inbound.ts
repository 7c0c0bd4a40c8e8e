/**
 * The path of one message: accept → command or lane → understand → turn → outbox.
 * It is in the journal before anybody is told it was taken, and it leaves with exactly one end.
 */
import { sharingKey } from '../core/authority.ts';
import { originOf } from '../core/trigger.ts';
import type { Origins } from '../host/origin-traits.ts';
import { AppError, asAppError } from '../core/errors.ts';
import { noUsage, type UserMessage } from '../core/transcript.ts';
import { SUSPENDED_CODE, type TurnOutcome } from '../core/turn.ts';
import { runTurn, SUSPENDED, type TurnDeps } from '../agent/turn/run-turn.ts';
import type { InboundRow } from '../journal/rows.ts';
import { inSteps } from '../platform/in-steps.ts';
import { createKeyedQueue } from '../platform/keyed-queue.ts';
import type { LaneControl } from '../sessions/lanes.ts';
import type { QueueSettings } from '../sessions/queue-mode.ts';
import type { RunInfo } from '../host/runs.ts';
import { unattended } from './attended.ts';
import { createFloods } from './floods.ts';
import { createAnswers, SAID_NOTHING, type AnswersDeps } from './answers.ts';
import type { CommandHost } from './commands/command-host.ts';
import type { ReadCommand } from './commands/read-command.ts';
import { inlineRequestOf } from './commands/read-said.ts';
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
import type { OutboxSender } from './delivery/outbox-sender.ts';
import type { MessageInbox } from './inbox.ts';
import type { RunHub } from './run-hub.ts';
import { steeredMessage, turnOf, type TurnRules } from './turn-of.ts';
import type { TurnLanes, Waiting } from './turn-lanes.ts';
import { createUnderstood, type Understander } from './understood.ts';
import { workKind } from './work-kind.ts';

export interface MessageRules extends TurnRules {
  queueSettings(row: InboundRow): QueueSettings;
}

export interface InboundDeps {
  /** What turns are run with. */
  readonly turns: TurnDeps;
  /** What messages are read by, and what the agent is told around them. */
  readonly texts: MessageRules;
  readonly inbox: MessageInbox;
  readonly lanes: TurnLanes;
  readonly hub: RunHub;
  readonly sender: OutboxSender;
  readonly commands: CommandHost;
  readonly understander: Understander;
  readonly planNotice?: AnswersDeps['planNotice'];
  readonly bounds: {
    /** May this session be answered into (`session.sendPolicy`, `/send`)? */
    maySend(row: InboundRow): boolean;
    /** Whatever else decides what this message may make the agent do; messages that differ in it never share a turn. */
    rightsKey(row: InboundRow): string;
    /** What features say of the work they begin. */
    readonly origins: Origins;
  };
  /** Writes what nobody answers into the session's transcript, once. */
  note(row: InboundRow, text: string): Promise<void>;
  reached(point: 'understand.before' | 'understand.after', runId: string): void;
}

export type Inbound = ReturnType<typeof createInbound>;

const HOPELESS =
  'The gateway died twice while it worked on this message, so it was set aside and will not be tried again. Send it again if you still need an answer.';

export function createInbound(deps: InboundDeps) {
  const { turns, texts, hub, lanes, inbox, sender, commands, bounds } = deps;
  const { journal, log, clock } = turns;
  const understand = createUnderstood({
    journal,
    log,
    understander: deps.understander,
    now: () => clock.now(),
    reached: deps.reached,
    progress: (runId, text) => hub.emit(runId, { type: 'understanding', text }),
    send: (id) => void sender.send(id),
  });
  const end = (runId: string, outcome: TurnOutcome): void => hub.emit(runId, { type: 'ended', outcome });
  const answers = createAnswers({ journal, hub, sender, commands, log, planNotice: deps.planNotice });
  const floods = createFloods({
    clock,
    notify: (rows, text) =>
      void answers
        .notify(rows, text, { state: 'declined', reason: 'overflow' })
        .catch((error: unknown) => log.error('inbound.dropped', { error })),
  });
  const queue = createKeyedQueue();

  function dispatch(row: InboundRow): void {
    guarded([row], () => {
      hub.accepted({ ...runOf(row), inside: !turns.isDeliverable(row.route.replyTo.channel) }, row);
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
    const text = composeTurn([row], [], turnText(row, texts));
    lanes
      .exclusive(row.route.sessionKey, async () => {
        await deps.note(row, text);
        await journal.inbound.end([row.seq], { state: 'answered', reason: 'noted' });
        end(row.runId, SAID_NOTHING);
      })
      .catch((error: unknown) => log.error('inbound.note', { runId: row.runId, error })); // the row stays open: the sweep or the next start takes it up
  }

  function begin(row: InboundRow): void {
    const said = saidOf(row, texts.rules(row));
    if (said.alone.length > 0) return answers.run(row, said.alone);
    for (const command of said.beside) void answers.beside(row, command);
    if (!bounds.maySend(row))
      return void journal.inbound.end([row.seq], { state: 'declined', reason: 'send blocked by session policy' }).then(
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
      void commands
        .stop(row.route.sessionKey, row.runId)
        .catch((error: unknown) => log.error('inbound.stop', { runId: row.runId, error }));
    wait(row);
  }

  function wait(row: InboundRow): void {
    lanes.arrive(row.route.sessionKey, waiting(row), {
      ...texts.queueSettings(row),
      ...inlineRequestOf(saidOf(row, texts.rules(row))).queue,
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
    let turn = turnOf({ rows, dropped: rowsOf(dropped) }, texts);
    try {
      const tried = await journal.tries.begin(turn.id, {
        resumed,
        marks: rows.some((row) => deps.understander.needed(row)),
      });
      const hopeless = tried === 'hopeless' ? HOPELESS : undefined;
      if (hopeless) log.error('turn.hopeless', { turnId: turn.id, sessionKey: turn.route.sessionKey });
      const understood = hopeless ? NOTHING_UNDERSTOOD : await understandAll(rows, control.signal);
      const rules = texts.rules(rows[0]!);
      const spoken = resumed || hopeless ? [] : spokenCommands(rows[0]!, rules, understood);
      // Not awaited: it may want the lane for itself.
      if (spoken.length > 0) return answers.run(rows[0]!, spoken);
      turn = turnOf({ rows, dropped: rowsOf(dropped), understood }, texts);
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
        turns,
      );
      end(turn.id, outcome);
      for (const row of members)
        if (row.runId !== turn.id)
          end(row.runId, outcome.kind === 'done' ? { ...outcome, usage: noUsage, mergedInto: turn.id } : outcome);
      // it was handed over, and the journal did not take it
      for (const row of taken) if (!members.some(({ seq }) => seq === row.seq)) wait(row);
      for (const id of outbox) void sender.send(id);
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

  /** Messages share a turn only when they come from one chat, with the same rights and without requests of their own. */
  function waiting(row: InboundRow): Waiting {
    const alone =
      row.queue === 'followup' ||
      row.trigger !== undefined ||
      saidOf(row, texts.rules(row)).requests.length > 0 ||
      row.message.attachments.length > 0 ||
      Object.keys(row.options).length > 0 ||
      resetOf(row) !== undefined;
    return {
      runId: row.runId,
      row,
      alone,
      kind: workKind(row, bounds.origins),
      group: JSON.stringify([row.route.replyTo, sharingKey(row.authority), bounds.rightsKey(row)]),
      steerable: !deps.understander.needed(row),
      gather: alone || row.message.system ? undefined : row.message.sender.id,
    };
  }

  /**
   * A stop leaves the rest to the turn, which knows how to end; a turn that will go on in another run is not begun.
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

  const resetOf = (row: InboundRow): ReadCommand | undefined => readReset(row, texts.rules(row));

  /** The text behind the reset, which may have named a model; with its notes, where it has some. */
  async function afterReset(row: InboundRow, { command, args }: ReadCommand, understood: Understood): Promise<string> {
    const answer = await command.run({ args, row, sessionKey: row.route.sessionKey }, commands);
    const text = 'turn' in answer ? answer.turn : args;
    const { framed, inert } = turnText(row, texts);
    return framed(composeBody(inert?.(text, row) ?? text, row, understood), row);
  }

  function takeSteered(
    items: readonly Waiting[],
    taken: InboundRow[],
  ): { messages: readonly UserMessage[]; seqs: readonly number[] } {
    const rows = rowsOf(items);
    taken.push(...rows);
    return { messages: rows.map((row) => steeredMessage(row, texts)), seqs: rows.map(({ seq }) => seq) };
  }

  /** Messages that gave way to others: each sender is told, each row gets its end. */
  function onDropped(items: readonly Waiting[], reason: 'overflow' | 'interrupted'): void {
    const rows = rowsOf(items);
    if (reason === 'overflow' && rows.every(({ trigger }) => !trigger)) return floods.add(rows);
    const outcome: TurnOutcome = { kind: 'aborted', text: '', usage: noUsage };
    journal.inbound
      .end(
        rows.map((row) => row.seq),
        { state: 'declined', reason },
      )
      .then(
        () => rows.forEach((row) => end(row.runId, outcome)),
        (error: unknown) => log.error('inbound.dropped', { reason, error }),
      );
  }

  inbox.subscribe(dispatch);
  lanes.serve({ run: runLane, onDropped });
  return {
    /**
     * Takes up every message without an end that nobody works on (P4): turns first, then messages, in order of arrival.
     * After a start that is what an earlier run left; later, what a full disk kept from ending. One after the other:
     * two at once would both take up what neither had begun yet.
     */
    resume: (): Promise<number> => queue.run('resume', resume),
  };

  async function resume(): Promise<number> {
    const left = (): Promise<readonly InboundRow[]> => unattended(() => journal.inbound.open(), { hub, inbox });
    const keys = [...new Set((await left()).map((row) => row.route.sessionKey))];
    const ready = new Set(
      (await Promise.all(keys.map(async (key) => ((await inbox.isReady(key)) ? [key] : [])))).flat(),
    );
    // again: somebody may have come meanwhile
    const open = (await left()).filter((row) => ready.has(row.route.sessionKey));
    const begun = Map.groupBy(
      open.filter((row) => row.turnId !== undefined),
      (row) => row.turnId!,
    );
    for await (const row of inSteps(open)) guarded([row], () => hub.accepted(runOf(row), row));
    for (const rows of begun.values()) {
      const opening = rows.filter((row) => !row.steered);
      const batch = opening.length > 0 ? opening : rows; // steered ones whose turn lost its opening go on without
      guarded(batch, () => lanes.resume(batch[0]!.route.sessionKey, batch.map(waiting)));
    }
    for await (const row of inSteps(open)) if (row.turnId === undefined && hub.isActive(row.runId)) dispatch(row);
    void sender.resume();
    return open.length;
  }
}

const runOf = ({ runId, route: { sessionKey, agentId }, trigger }: InboundRow): RunInfo => ({
  runId,
  sessionKey,
  agentId,
  origin: originOf(trigger),
});

const rowsOf = (items: readonly Waiting[]): readonly InboundRow[] => items.map(({ row }) => row);
