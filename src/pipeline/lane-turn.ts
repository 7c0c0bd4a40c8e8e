/** One turn over the messages a lane hands over: understood, made into a turn, run, and its answer on its way. */
import { AppError, asAppError } from '../core/errors.ts';
import { noUsage, type UserMessage } from '../core/transcript.ts';
import { SUSPENDED_CODE, type Turn, type TurnOutcome } from '../core/turn.ts';
import { runTurn, SUSPENDED } from '../agent/turn/run-turn.ts';
import type { InboundRow } from '../journal/rows.ts';
import type { LaneControl } from '../sessions/lanes.ts';
import type { Answers } from './answers.ts';
import type { ReadCommand } from './commands/read-command.ts';
import { composeBody, NOTHING_UNDERSTOOD, readReset, spokenCommands, turnText, type Understood } from './compose.ts';
import type { InboundDeps } from './inbound-deps.ts';
import { steeredMessage, turnOf, type TurnMessages } from './turn-of.ts';
import type { LaneWork, Waiting } from './turn-lanes.ts';
import { createUnderstood } from './understood.ts';
import { rowsOf } from './waiting.ts';

export interface LaneTurnParts {
  readonly answers: Pick<Answers, 'run'>;
  /** The message waits in its lane once more. */
  wait(row: InboundRow): void;
  end(runId: string, outcome: TurnOutcome): void;
}

/** Nothing but commands that were spoken, or a turn. */
type Prepared = { readonly spoken: readonly ReadCommand[] } | { readonly turn: Turn; readonly hopeless?: string };

const HOPELESS =
  'The gateway died twice while it worked on this message, so it was set aside and will not be tried again. Send it again if you still need an answer.';

/** What it gives never rejects. */
export function createLaneTurn(deps: InboundDeps, { answers, wait, end }: LaneTurnParts): LaneWork['run'] {
  const { turns, texts, hub, sender, commands } = deps;
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

  async function prepare({ rows, dropped }: TurnMessages, signal: AbortSignal): Promise<Prepared> {
    const first = rows[0]!;
    const turnId = turnIdOf(rows);
    const resumed = first.turnId !== undefined;
    const marks = rows.some((row) => deps.understander.needed(row));
    if ((await journal.tries.begin(turnId, { resumed, marks })) === 'hopeless') {
      log.error('turn.hopeless', { turnId, sessionKey: first.route.sessionKey });
      return { turn: turnOf({ rows, dropped }, texts), hopeless: HOPELESS };
    }
    const understood = await understandAll(rows, signal);
    const rules = texts.rules(first);
    const spoken = resumed ? [] : spokenCommands(first, rules, understood);
    if (spoken.length > 0) return { spoken };
    const turn = turnOf({ rows, dropped, understood }, texts);
    const reset = resumed ? undefined : readReset(first, rules, understood);
    return { turn: reset ? { ...turn, text: await afterReset(first, reset, understood) } : turn };
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

  /** The text behind the reset, which may have named a model; with its notes, where it has some. */
  async function afterReset(row: InboundRow, { command, args }: ReadCommand, understood: Understood): Promise<string> {
    const answer = await command.run({ args, row, sessionKey: row.route.sessionKey }, commands);
    const text = 'turn' in answer ? answer.turn : args;
    const { framed, inert } = turnText(row, texts);
    return framed(composeBody(inert?.(text, row) ?? text, row, understood), row);
  }

  /** `taken` gains what joins the turn while it runs. */
  async function run(
    { turn, hopeless }: Extract<Prepared, { turn: Turn }>,
    { rows, taken }: { readonly rows: readonly InboundRow[]; readonly taken: InboundRow[] },
    control: LaneControl<Waiting>,
  ): Promise<void> {
    for (const text of turn.notices ?? []) hub.emit(turn.id, { type: 'notice', text });
    const { outcome, outbox, members } = await runTurn(
      {
        turn,
        rows,
        resumed: rows[0]!.turnId !== undefined,
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

const turnIdOf = ([first]: readonly InboundRow[]): string => first!.turnId ?? first!.runId;
