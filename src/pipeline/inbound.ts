/**
 * The path of one message: accept → command or lane → understand → turn → outbox.
 * It is in the journal before anybody is told it was taken, and it leaves with exactly one end.
 */
import { AppError, asAppError } from '../core/errors.ts';
import type { ChatAddress } from '../core/message.ts';
import type { ReplyPayload } from '../core/reply.ts';
import { noUsage, type UserMessage } from '../core/transcript.ts';
import { SUSPENDED_CODE, type Turn, type TurnOutcome } from '../core/turn.ts';
import { partToken } from '../agent/turn/plan-replies.ts';
import { runTurn, SUSPENDED, type TurnDeps } from '../agent/turn/run-turn.ts';
import type { AcceptResult, Arrival, Refusal } from '../journal/inbound.ts';
import type { Accepted, InboundRow, NewOutboxRow } from '../journal/rows.ts';
import type { LaneControl, LaneItem, Lanes } from '../sessions/lanes.ts';
import type { QueueSettings } from '../sessions/queue-mode.ts';
import type { CommandHost } from './commands/command-host.ts';
import type { ReadCommand } from './commands/read-command.ts';
import { wishOf } from './commands/read-said.ts';
import { runCommand } from './commands/run-command.ts';
import { composeBody, composeTurn, noticesOf, NOTHING_UNDERSTOOD, readReset, saidOf, spokenCommands, turnImages, turnText, writtenBy, type TextRules, type Understood } from './compose.ts';
import type { OutboxSender } from './delivery/outbox-sender.ts';
import type { RunHub } from './run-hub.ts';
import { createUnderstood, type Understander } from './understood.ts';

/** A message waiting in its lane. */
export interface Waiting extends LaneItem { readonly row: InboundRow }

export interface InboundDeps extends TurnDeps, TextRules {
  readonly lanes: () => Lanes<Waiting>;
  readonly hub: RunHub;
  readonly sender: OutboxSender;
  readonly commands: CommandHost;
  readonly understander: Understander;
  queueSettings(row: InboundRow): QueueSettings;
  reachedInbound(point: 'accept.before' | 'accept.after' | 'understand.before' | 'understand.after', runId: string): void;
  /** Whatever else decides what this message may make the agent do; messages that differ in it never share a turn. */
  rightsKey(row: InboundRow): string;
  /** What the agent is told of the place a message comes from. */
  place(row: InboundRow): Turn['place'];
  /** Writes what nobody answers into the session's transcript, once. */
  note(row: InboundRow, text: string): Promise<void>;
  /** What a notice becomes on its channel. Absent: one message. */
  planNotice?(address: ChatAddress, payload: ReplyPayload, messageId: string): readonly ReplyPayload[];
  /** May this session be answered into (`session.sendPolicy`, `/send`)? */
  maySend(row: InboundRow): boolean;
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

  const receive = async (accepted: Accepted, runId: string, refused?: Refusal): Promise<AcceptResult> => (await receiveAll([{ accepted, runId, refused }]))[0]!;

  /** Resolves once the message is on disk (P1), for each agent that is to answer it. The arrival tickets are taken before the first await (P3). */
  async function receiveAll(arrivals: readonly Arrival[]): Promise<readonly AcceptResult[]> {
    for (const { runId } of arrivals) {
      deps.reachedInbound('accept.before', runId);
      arriving.add(runId);
    }
    try {
      const [results] = await Promise.all([journal.inbound.acceptAll(arrivals), ...arrivals.map(({ accepted }) => deps.sessions.ready(accepted.route.sessionKey))]);
      for (const [index, { runId, refused }] of arrivals.entries()) arrived(results[index]!, runId, refused);
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

  function dispatch(row: InboundRow): void {
    hub.accepted({ runId: row.runId, sessionKey: row.route.sessionKey, agentId: row.route.agentId, origin: 'message' });
    if (row.message.quiet) return note(row);
    const earlier = row.after === undefined ? undefined : hub.whenEnded(row.after);
    if (earlier) void earlier.then(() => begin(row));
    else begin(row);
  }

  /** Told to the agent with its next turn: it stands in the transcript, and nobody answers. */
  function note(row: InboundRow): void {
    const text = composeTurn([row], [], turnText(row, deps));
    deps.lanes().exclusive(row.route.sessionKey, async () => {
      await deps.note(row, text);
      await journal.endInbound([row.seq], { state: 'answered', reason: 'noted' });
      end(row.runId, saidNothing);
    }).catch((error: unknown) => log.error('inbound.note', { runId: row.runId, error })); // the row stays open: the sweep or the next start takes it up
  }

  function begin(row: InboundRow): void {
    const said = saidOf(row, deps.rules(row));
    if (said.alone.length > 0) return run(row, said.alone);
    for (const command of said.beside) void answerBeside(row, command);
    if (!deps.maySend(row)) return void journal.endInbound([row.seq], { state: 'declined', reason: 'send blocked by session policy' }).then(() => end(row.runId, saidNothing), (error: unknown) => log.error('inbound.blocked', { runId: row.runId, error }));
    if (said.reset) void deps.commands.stop(row.route.sessionKey, row.runId).catch((error: unknown) => log.error('inbound.stop', { runId: row.runId, error }));
    wait(row);
  }

  function wait(row: InboundRow): void {
    deps.lanes().arrive(row.route.sessionKey, waiting(row), { ...deps.queueSettings(row), ...wishOf(saidOf(row, deps.rules(row))).queue });
  }

  function run(row: InboundRow, commands: readonly ReadCommand[]): void {
    runCommands(row, commands).catch((error: unknown) => log.error('inbound.command', { runId: row.runId, error }));
  }

  /** The message is nothing but commands; their answers are one. */
  async function runCommands(row: InboundRow, commands: readonly ReadCommand[]): Promise<void> {
    const names = commands.map(({ command }) => `/${command.name}`).join(', ');
    if (!row.authorized) {
      await journal.endInbound([row.seq], { state: 'declined', reason: `not allowed to use ${names}` });
      return end(row.runId, saidNothing);
    }
    try {
      const replies: string[] = [];
      for (const { command, args } of commands) {
        const answer = await runCommand(command, { args, row, sessionKey: row.route.sessionKey }, deps.commands);
        if (!('reply' in answer)) return;
        replies.push(answer.reply);
      }
      await tell([row], replies.join('\n'), { state: 'answered', reason: names });
    } catch (error) {
      log.error('command.failed', { command: names, error });
      await tell([row], `⚠️ ${names} failed: ${asAppError(error).message}`, { state: 'failed', reason: asAppError(error).message });
    }
  }

  /** A command inside a message: its answer is a notice, the message goes its own way. */
  async function answerBeside(row: InboundRow, { command, args }: ReadCommand): Promise<void> {
    try {
      const answer = await runCommand(command, { args, row, sessionKey: row.route.sessionKey }, deps.commands)
        .catch((error: unknown) => ({ reply: `⚠️ /${command.name} failed: ${asAppError(error).message}` }));
      if (!('reply' in answer)) return;
      const ids = await journal.outbox.post(noticeRows(row, command.name, answer.reply), []);
      hub.emit(row.runId, { type: 'notice', text: answer.reply });
      for (const id of ids) await deps.sender.send(id);
    } catch (error) {
      log.error('inbound.command', { runId: row.runId, error }); // the message itself goes on
    }
  }

  /** Answers without a model: the reply and the messages' ends in one commit, then sent. */
  async function tell(rows: readonly InboundRow[], text: string, end_: { state: 'answered' | 'declined' | 'failed'; reason: string }): Promise<void> {
    const replies = rows.flatMap((row) => noticeRows(row, 'notice', text));
    const ids = await journal.outbox.post(replies, rows.map((row) => ({ seq: row.seq, ...end_ })));
    for (const id of ids) await deps.sender.send(id);
    for (const row of rows) end(row.runId, { kind: 'done', text, usage: noUsage });
  }

  /** Words of ours, as the messages the channel can take. */
  function noticeRows(row: InboundRow, place: string, text: string): readonly NewOutboxRow[] {
    const payload: ReplyPayload = { kind: 'notice', text };
    const parts = deps.planNotice?.(row.route.replyTo, payload, row.message.id) ?? [payload];
    return parts.map((part, index) => ({ token: partToken(`${row.runId}:${place}`, index), runId: row.runId, sessionKey: row.route.sessionKey, address: row.route.replyTo, payload: part }));
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
      const rules = deps.rules(rows[0]!);
      const spoken = resumed ? [] : spokenCommands(rows[0]!, rules, understood);
      // Not awaited: it may want the lane for itself.
      if (spoken.length > 0) return run(rows[0]!, spoken);
      turn = turnOf(rows, dropped, understood);
      const reset = resumed ? undefined : readReset(rows[0]!, rules, understood);
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
  function waiting(row: InboundRow): Waiting {
    const alone = row.queue === 'followup' || saidOf(row, deps.rules(row)).wishes.length > 0 || row.message.attachments.length > 0 || Object.keys(row.options).length > 0 || resetOf(row) !== undefined;
    return {
      runId: row.runId, row, alone, group: JSON.stringify([row.route.replyTo, row.authorized, row.rights ?? [], deps.rightsKey(row)]), steerable: !deps.understander.needed(row),
      gather: alone || row.message.system ? undefined : row.message.sender.id,
    };
  }

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

  const resetOf = (row: InboundRow): ReadCommand | undefined => readReset(row, deps.rules(row));

  /** The text behind the reset, which may have named a model; with its notes, where it has some. */
  async function afterReset(row: InboundRow, { command, args }: ReadCommand, understood: Understood): Promise<string> {
    const answer = await command.run({ args, row, sessionKey: row.route.sessionKey }, deps.commands);
    const text = 'turn' in answer ? answer.turn : args;
    return turnText(row, deps).framed(composeBody(text, row, understood), row);
  }

  function turnOf(rows: readonly InboundRow[], dropped: readonly Waiting[], understood: Understood = NOTHING_UNDERSTOOD): Turn {
    const first = rows[0]!;
    const written = writtenBy(rows, understood, deps.context(first).label !== undefined);
    const place = deps.place(first);
    return {
      id: first.turnId ?? first.runId, route: first.route, origin: 'message', options: { ...first.options, ...wishOf(saidOf(first, deps.rules(first))).options },
      senders: [...new Set(rows.map((row) => row.message.sender.id))], rights: (first.rights ?? []).filter((right) => rows.every((row) => row.rights?.includes(right))),
      text: composeTurn(rows, dropped.map((item) => item.row), turnText(first, deps), understood),
      ...(place ? { place } : {}), images: turnImages(rows, understood), notices: noticesOf(rows, understood), ...(written ? { written } : {}), ...(rows.every(({ message }) => message.system) ? { system: true } : {}),
    };
  }

  function steered(items: readonly Waiting[], taken: InboundRow[]): { messages: readonly UserMessage[]; seqs: readonly number[] } {
    taken.push(...items.map((item) => item.row));
    const messages = items.map(({ row }): UserMessage => ({ role: 'user', ...(row.message.system ? { system: true } : {}), timestamp: row.acceptedAt, content: [{ type: 'text', text: composeTurn([row], [], turnText(row, deps)) }] }));
    return { messages, seqs: items.map((item) => item.row.seq) };
  }

  return {
    receive,
    receiveAll,
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
