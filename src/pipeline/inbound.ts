/**
 * The path of one message: accept → command or lane → understand → turn → outbox.
 * It is in the journal before anybody is told it was taken, and it leaves with exactly one end.
 */
import type { Admission } from '../core/admission.ts';
import { AppError, asAppError } from '../core/errors.ts';
import type { ReplyPayload } from '../core/reply.ts';
import { noUsage, type UserMessage } from '../core/transcript.ts';
import { SUSPENDED_CODE, type Turn, type TurnOutcome } from '../core/turn.ts';
import { runTurn, SUSPENDED, type TurnDeps } from '../agent/turn/run-turn.ts';
import type { AcceptResult } from '../journal/inbound.ts';
import type { Accepted, InboundRow } from '../journal/rows.ts';
import type { LaneControl, LaneItem, Lanes } from '../sessions/lanes.ts';
import type { QueueSettings } from '../sessions/queue-mode.ts';
import type { CommandHost } from './commands/command.ts';
import { readCommand, type ReadCommand } from './commands/read-command.ts';
import { composeBody, composeText, composeTurn, elevatedIn, noticesOf, NOTHING_UNDERSTOOD, readReset, spokenCommand, turnImages, writtenBy, type Understood } from './compose.ts';
import type { OutboxSender } from './delivery/outbox-sender.ts';
import type { RunHub } from './run-hub.ts';
import { createUnderstood, type Understander } from './understood.ts';

/** A message waiting in its lane. */
export interface Waiting extends LaneItem { readonly row: InboundRow }

export interface InboundDeps extends TurnDeps {
  readonly lanes: () => Lanes<Waiting>;
  readonly hub: RunHub;
  readonly sender: OutboxSender;
  readonly commands: CommandHost;
  readonly understander: Understander;
  queueSettings(row: InboundRow): QueueSettings;
  reachedInbound(point: 'accept.before' | 'accept.after' | 'understand.before' | 'understand.after', runId: string): void;
  /** Whatever else decides what this message may make the agent do; messages that differ in it never share a turn. */
  rightsKey(row: InboundRow): string;
  rules(): { readonly textCommands: boolean; readonly resetTriggers: readonly string[] };
}

export type Inbound = ReturnType<typeof createInbound>;

export function createInbound(deps: InboundDeps) {
  const { journal, hub, log } = deps;
  const understand = createUnderstood({
    journal, log, understander: deps.understander, now: () => deps.clock.now(), reached: deps.reachedInbound,
    progress: (runId, text) => hub.emit(runId, { type: 'understanding', text }), send: (id) => void deps.sender.send(id),
  });
  /** On their way into the journal; the sweep leaves them alone. */
  const arriving = new Set<string>();
  const unattended = (): InboundRow[] => journal.inbound.open().filter((row) => !hub.isActive(row.runId) && !arriving.has(row.runId));

  /** Resolves once the message is on disk (P1). The arrival ticket is taken before the first await (P3). */
  async function receive(accepted: Accepted, runId: string, admission: Admission): Promise<AcceptResult> {
    deps.reachedInbound('accept.before', runId);
    arriving.add(runId);
    try {
      const refused = admission.kind === 'refused' ? admission.reason : undefined;
      const [result] = await Promise.all([journal.inbound.accept(accepted, runId, refused), deps.sessions.ready(accepted.route.sessionKey)]);
      deps.reachedInbound('accept.after', runId);
      if (refused !== undefined) log.info('message.refused', { runId, reason: refused });
      else if (result.status === 'accepted') dispatch(result.row);
      return result;
    } finally {
      arriving.delete(runId);
    }
  }

  function dispatch(row: InboundRow): void {
    hub.accepted({ runId: row.runId, sessionKey: row.route.sessionKey, agentId: row.route.agentId, origin: 'message' });
    const { textCommands, resetTriggers } = deps.rules();
    const command = row.commands && textCommands ? readCommand(row.message.text, deps.commands.commands, resetTriggers) : undefined;
    if (command?.command.resets) startOver(row);
    else if (command) void runCommand(row, command).catch((error: unknown) => log.error('inbound.command', { runId: row.runId, error }));
    else wait(row);
  }

  function wait(row: InboundRow): void {
    deps.lanes().arrive(row.route.sessionKey, waiting(row), deps.queueSettings(row));
  }

  /** A reset stops what runs at once and takes effect in the lane, where nothing can overtake it; without the right to it, it is ordinary text. */
  function startOver(row: InboundRow): void {
    if (row.authorized) void deps.commands.stop(row.route.sessionKey, row.runId).catch((error: unknown) => log.error('inbound.stop', { runId: row.runId, error }));
    wait(row);
  }

  async function runCommand(row: InboundRow, { command, args }: ReadCommand): Promise<void> {
    if (!row.authorized) {
      await journal.endInbound([row.seq], { state: 'declined', reason: `not allowed to use /${command.name}` });
      return end(row.runId, saidNothing);
    }
    try {
      const answer = await command.run({ args, row, sessionKey: row.route.sessionKey }, deps.commands);
      if ('reply' in answer) await tell([row], answer.reply, { state: 'answered', reason: `/${command.name}` });
    } catch (error) {
      log.error('command.failed', { command: command.name, error });
      await tell([row], `⚠️ /${command.name} failed: ${asAppError(error).message}`, { state: 'failed', reason: asAppError(error).message });
    }
  }

  /** Answers without a model: the reply and the messages' ends in one commit, then sent. */
  async function tell(rows: readonly InboundRow[], text: string, end_: { state: 'answered' | 'declined' | 'failed'; reason: string }): Promise<void> {
    const payload: ReplyPayload = { kind: 'notice', text };
    const replies = rows.map((row) => ({ token: `${row.runId}:notice`, runId: row.runId, sessionKey: row.route.sessionKey, address: row.route.replyTo, payload }));
    const ids = await journal.outbox.post(replies, rows.map((row) => ({ seq: row.seq, ...end_ })));
    for (const id of ids) await deps.sender.send(id);
    for (const row of rows) end(row.runId, { kind: 'done', text, usage: noUsage });
  }

  function end(runId: string, outcome: TurnOutcome): void {
    hub.emit(runId, { type: 'ended', outcome });
  }

  /** One turn over the messages a lane hands over; never rejects. */
  async function runLane(_key: string, items: readonly Waiting[], control: LaneControl<Waiting>, dropped: readonly Waiting[]): Promise<void> {
    const rows = items.map((item) => item.row);
    const resumed = rows[0]!.turnId !== undefined;
    const taken: InboundRow[] = [];
    let turn = turnOf(rows, dropped);
    try {
      const understood = await understandAll(rows, control.signal);
      const { textCommands, resetTriggers } = deps.rules();
      const spoken = resumed || !textCommands ? undefined : spokenCommand(rows[0]!, resetTriggers, understood);
      // Not awaited: it may want the lane for itself.
      if (spoken && !spoken.command.resets) return void runCommand(rows[0]!, spoken).catch((error: unknown) => log.error('inbound.command', { runId: turn.id, error }));
      turn = turnOf(rows, dropped, understood);
      const reset = resumed ? undefined : readReset(rows[0]!, resetTriggers, understood);
      if (reset) turn = { ...turn, text: await afterReset(rows[0]!, reset, understood) };
      for (const text of turn.notices ?? []) hub.emit(turn.id, { type: 'notice', text });
      const { outcome, outbox, members } = await runTurn({
        turn, rows, resumed, signal: control.signal,
        steerWaiting: control.steerWaiting,
        takeSteered: () => steered(control.takeSteered(), taken),
        emit: (event) => hub.emit(turn.id, event),
      }, deps);
      end(turn.id, outcome);
      for (const row of members) if (row.runId !== turn.id) end(row.runId, outcome.kind === 'done' ? saidNothing : outcome);
      for (const row of taken) if (!members.some(({ seq }) => seq === row.seq)) wait(row); // it was handed over, and the journal did not take it
      for (const id of outbox) void deps.sender.send(id);
    } catch (error) {
      // The journal refused (P10): the rows stay open, and the sweep or the next start takes them up.
      log.error('turn.unwritten', { turnId: turn.id, error });
      const { code, message } = asAppError(error);
      for (const row of [...rows, ...taken]) end(row.runId, { kind: 'failed', code: control.signal.reason === SUSPENDED ? SUSPENDED_CODE : code, message, usage: noUsage });
    }
  }

  /** Messages share a turn only when they come from one chat, with the same rights and without wishes of their own. */
  const waiting = (row: InboundRow): Waiting => ({
    runId: row.runId, row, group: JSON.stringify([row.route.replyTo, row.authorized, row.rights ?? [], deps.rightsKey(row)]), steerable: !deps.understander.needed(row),
    alone: row.queue === 'followup' || elevatedIn(row) !== undefined || row.message.attachments.length > 0 || Object.keys(row.options).length > 0 || resetOf(row) !== undefined,
  });

  /** A stop leaves the rest to the turn, which knows how to end; a turn that will go on in another life is not begun. */
  async function understandAll(rows: readonly InboundRow[], signal: AbortSignal): Promise<Understood> {
    try {
      return await understand(rows, signal);
    } catch (error) {
      if (signal.reason === SUSPENDED) throw new AppError('unavailable', 'The gateway is stopping; this message is answered after the next start.', { cause: error });
      if (asAppError(error).code === 'aborted' && signal.aborted) return NOTHING_UNDERSTOOD;
      throw error;
    }
  }

  const resetOf = (row: InboundRow): ReadCommand | undefined => readReset(row, deps.rules().resetTriggers);

  /** The text behind the reset, which may have named a model; with its notes, where it has some. */
  async function afterReset(row: InboundRow, { command, args }: ReadCommand, understood: Understood): Promise<string> {
    const answer = await command.run({ args, row, sessionKey: row.route.sessionKey }, deps.commands);
    const text = 'turn' in answer ? answer.turn : args;
    return composeBody(text, row, understood);
  }

  function turnOf(rows: readonly InboundRow[], dropped: readonly Waiting[], understood: Understood = NOTHING_UNDERSTOOD): Turn {
    const first = rows[0]!;
    const written = writtenBy(rows, understood);
    const elevated = elevatedIn(first);
    return {
      id: first.turnId ?? first.runId, route: first.route, origin: 'message', options: elevated ? { ...first.options, elevated } : first.options,
      senders: [...new Set(rows.map((row) => row.message.sender.id))], rights: (first.rights ?? []).filter((right) => rows.every((row) => row.rights?.includes(right))),
      text: composeTurn(rows, dropped.map((item) => item.row), deps.rules().resetTriggers, understood),
      images: turnImages(rows, understood), notices: noticesOf(rows, understood), ...(written ? { written } : {}), ...(rows.every(({ message }) => message.system) ? { system: true } : {}),
    };
  }

  function steered(items: readonly Waiting[], taken: InboundRow[]): { messages: readonly UserMessage[]; seqs: readonly number[] } {
    taken.push(...items.map((item) => item.row));
    const { resetTriggers } = deps.rules();
    const messages = items.map(({ row }): UserMessage => ({ role: 'user', ...(row.message.system ? { system: true } : {}), timestamp: row.acceptedAt, content: [{ type: 'text', text: composeText(row, resetTriggers) }] }));
    return { messages, seqs: items.map((item) => item.row.seq) };
  }

  return {
    receive,
    runLane,

    /** Messages that gave way to others: each sender is told, each row gets its end. */
    onDropped(items: readonly Waiting[], reason: 'overflow' | 'interrupted'): void {
      const rows = items.map((item) => item.row);
      const told = reason === 'overflow'
        ? tell(rows, '⚠️ Too many messages are waiting in this session, so this one was not answered on its own. Wait for an answer, or raise messages.queue.cap.', { state: 'declined', reason })
        : journal.endInbound(rows.map((row) => row.seq), { state: 'declined', reason }).then(() => rows.forEach((row) => end(row.runId, saidNothing)));
      told.catch((error: unknown) => log.error('inbound.dropped', { reason, error }));
    },

    /** Messages removed from a queue by a stop. */
    async onStopped(items: readonly Waiting[]): Promise<void> {
      if (items.length === 0) return;
      const rows = items.map((item) => item.row);
      // A turn of an earlier life that was to go on ends with all its messages.
      const begun = [...new Set(rows.flatMap((row) => row.turnId ?? []))].map((turnId) => ({ turnId, members: journal.inbound.ofTurn(turnId) }))
        .filter(({ members }) => members.every((row) => row.steered || rows.some(({ seq }) => seq === row.seq)));
      const outcome: TurnOutcome = { kind: 'aborted', text: '', usage: noUsage };
      const stopped = { state: 'declined', reason: 'stopped' } as const;
      await Promise.all([
        journal.endInbound(rows.map((row) => row.seq), stopped),
        ...begun.map(({ turnId, members }) => journal.turns.end({ turnId, outcome, inbound: stopped, replies: [] }, members.map((row) => row.seq))),
      ]);
      for (const row of [...rows, ...begun.flatMap(({ members }) => members)]) end(row.runId, outcome);
    },

    /**
     * Takes up every message without an end that nobody works on (P4): turns first, then messages, in order of arrival.
     * After a start that is what an earlier life left; later, what a full disk kept from ending.
     */
    async resume(): Promise<number> {
      await Promise.all([...new Set(unattended().map((row) => row.route.sessionKey))].map((key) => deps.sessions.ready(key)));
      const open = unattended(); // again: somebody may have come meanwhile
      const turns = Map.groupBy(open.filter((row) => row.turnId !== undefined), (row) => row.turnId!);
      for (const row of open) hub.accepted({ runId: row.runId, sessionKey: row.route.sessionKey, agentId: row.route.agentId, origin: 'message' });
      for (const rows of turns.values()) {
        const opening = rows.filter((row) => !row.steered);
        const batch = opening.length > 0 ? opening : rows; // steered ones whose turn lost its opening go on without
        deps.lanes().resume(batch[0]!.route.sessionKey, batch.map(waiting));
      }
      for (const row of open) if (row.turnId === undefined) dispatch(row);
      deps.sender.resume();
      return open.length;
    },
  };
}

const saidNothing: TurnOutcome = { kind: 'done', text: '', usage: noUsage };
