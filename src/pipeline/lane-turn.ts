/** Runs one turn over the messages of a lane: understands them, runs the agent and queues the answer. */
import { asAppError } from '../core/errors.ts';
import { noUsage, type UserMessage } from '../core/transcript.ts';
import { SUSPENDED_CODE, type TurnOutcome } from '../core/turn.ts';
import { runTurn, SUSPENDED } from '../agent/turn/run-turn.ts';
import type { InboundRow } from '../journal/rows.ts';
import { settlesWithin } from '../platform/timeout.ts';
import type { LaneControl } from '../sessions/lanes.ts';
import type { Answers } from './answers.ts';
import type { InboundDeps } from './inbound-deps.ts';
import { createPrepareTurn, turnIdOf, type PreparedTurn } from './prepare-turn.ts';
import { steeredMessage } from './turn-of.ts';
import type { LaneWork, Waiting } from './turn-lanes.ts';
import { rowsOf } from './waiting.ts';

/** Milliseconds the end of a failed turn waits for the transcript; a disk that does not answer keeps nobody waiting. */
const SHOWN_MS = 2000;

export interface LaneTurnParts {
  readonly answers: Pick<Answers, 'run'>;
  /** The message waits in its lane once more. */
  wait(row: InboundRow): void;
  end(runId: string, outcome: TurnOutcome): void;
}

/** What it gives never rejects. */
export function createLaneTurn(deps: InboundDeps, { answers, wait, end }: LaneTurnParts): LaneWork['run'] {
  const { turns, texts, hub, sender } = deps;
  const { journal, log } = turns;
  const prepare = createPrepareTurn(deps);

  /** `taken` gains what joins the turn while it runs. */
  async function run(
    { turn, poisoned }: PreparedTurn,
    { rows, taken }: { readonly rows: readonly InboundRow[]; readonly taken: InboundRow[] },
    control: LaneControl<Waiting>,
  ): Promise<void> {
    for (const text of turn.notices ?? []) hub.emit(turn.id, { type: 'notice', text });
    const { outcome, outbox, members } = await runTurn(
      {
        turn,
        rows,
        resumed: rows[0]!.turnId !== undefined,
        poisoned,
        signal: control.signal,
        steerWaiting: control.steerWaiting,
        takeSteered: () => takeSteered(control.takeSteered(), taken),
        emit: (event) => hub.emit(turn.id, event),
      },
      turns,
    );
    const isSent = await tellFailure({ turn, outcome, outbox }, deps);
    end(turn.id, outcome);
    for (const row of members)
      if (row.runId !== turn.id)
        end(row.runId, outcome.kind === 'done' ? { ...outcome, usage: noUsage, mergedInto: turn.id } : outcome);
    // it was handed over, and the journal did not take it
    for (const row of taken) if (!members.some(({ seq }) => seq === row.seq)) wait(row);
    if (!isSent) for (const id of outbox) void sender.send(id);
  }

  function takeSteered(
    items: readonly Waiting[],
    taken: InboundRow[],
  ): { messages: readonly UserMessage[]; seqs: readonly number[] } {
    const rows = rowsOf(items);
    taken.push(...rows);
    return { messages: rows.map((row) => steeredMessage(row, texts)), seqs: rows.map(({ seq }) => seq) };
  }

  /** The journal refused (P10): the rows stay open, and the sweep or the next start takes them up. */
  async function unwritten({
    error,
    turnId,
    rows,
    isSuspended,
  }: {
    readonly error: unknown;
    readonly turnId: string;
    readonly rows: readonly InboundRow[];
    readonly isSuspended: boolean;
  }): Promise<void> {
    log.error('turn.unwritten', { turnId, error });
    const { code, message } = asAppError(error);
    if (isSuspended)
      await journal.tries
        .spare(turnId)
        .catch((unspared: unknown) => log.error('turn.unwritten', { turnId, error: unspared }));
    for (const row of rows)
      end(row.runId, { kind: 'failed', code: isSuspended ? SUSPENDED_CODE : code, message, usage: noUsage });
  }

  return async (_key, items, control, dropped) => {
    const rows = rowsOf(items);
    const taken: InboundRow[] = [];
    try {
      const prepared = await prepare({ rows, dropped: rowsOf(dropped) }, control.signal);
      // Not awaited: it may want the lane for itself.
      if ('spoken' in prepared) return answers.run(rows[0]!, prepared.spoken);
      await run(prepared, { rows, taken }, control);
    } catch (error) {
      const isSuspended = control.signal.reason === SUSPENDED;
      await unwritten({ error, turnId: turnIdOf(rows), rows: [...rows, ...taken], isSuspended });
    }
  };
}

interface Over {
  readonly turn: PreparedTurn['turn'];
  readonly outcome: TurnOutcome;
  readonly outbox: readonly number[];
}

/**
 * A client asks for the history when it hears of the end: the failure has to stand there by then. False: it is for a
 * platform, and sent like every answer.
 */
async function tellFailure({ turn, outcome, outbox }: Over, { turns, sender }: InboundDeps): Promise<boolean> {
  if (outcome.kind !== 'failed' || turns.replies.isDeliverable(turn.route.replyTo.channel)) return false;
  await settlesWithin(Promise.all(outbox.map((id) => sender.send(id))), SHOWN_MS, turns.clock);
  return true;
}
