/** One message, from accept to outbox: command or lane, understanding, turn. Recorded first, ended exactly once. */
import { asAppError } from '../core/errors.ts';
import { noUsage } from '../core/transcript.ts';
import type { TurnOutcome } from '../core/turn.ts';
import type { InboundRow } from '../journal/rows.ts';
import { createSerialQueue } from '../platform/keyed-queue.ts';
import { createAnswers, SAID_NOTHING } from './answers.ts';
import { inlineRequestOf } from './commands/read-said.ts';
import { composeTurn, saidOf, turnText } from './compose.ts';
import type { InboundDeps } from './inbound-deps.ts';
import { createLaneTurn } from './lane-turn.ts';
import { runOf } from './run-of.ts';
import { recover } from './recover.ts';
import { createUnanswered } from './unanswered.ts';
import { waitingOf } from './waiting.ts';

export type Inbound = ReturnType<typeof createInbound>;

export function createInbound(deps: InboundDeps) {
  const { turns, texts, hub, lanes, inbox, sender, commands, bounds } = deps;
  const { journal, log } = turns;
  const end = (runId: string, outcome: TurnOutcome): void => hub.emit(runId, { type: 'ended', outcome });
  const answers = createAnswers({ journal, hub, sender, commands, log, notices: deps.notices });
  const unanswered = createUnanswered(turns, { answers, end });
  const queue = createSerialQueue();

  function dispatch(row: InboundRow): void {
    guarded([row], () => {
      hub.accepted(runOf(row), row);
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
      // The row stays open: the sweep or the next start takes it up.
      .catch((error: unknown) => log.error('inbound.note', { runId: row.runId, error }));
  }

  function begin(row: InboundRow): void {
    const said = saidOf(row, texts.rules(row));
    if (said.alone.length > 0) return answers.run(row, said.alone);
    for (const command of said.beside) void answers.beside(row, command);
    if (!bounds.maySend(row)) return unanswered.blocked(row);
    if (said.reset)
      void commands
        .stop(row.route.sessionKey, row.runId)
        .catch((error: unknown) => log.error('inbound.stop', { runId: row.runId, error }));
    wait(row);
  }

  function wait(row: InboundRow): void {
    lanes.arrive(row.route.sessionKey, waitingOf(row, deps), {
      ...texts.queueSettings(row),
      ...inlineRequestOf(saidOf(row, texts.rules(row))).queue,
    });
  }

  inbox.subscribe(dispatch);
  lanes.serve({
    run: createLaneTurn(deps, { answers, wait, end }),
    onDropped: unanswered.dropped,
  });
  return {
    /**
     * After a start that is what an earlier run left; later, what a full disk kept from ending. One after the other:
     * two at once would both take up what neither had begun yet.
     */
    resume: (): Promise<number> =>
      queue.run(() => recover(deps, { dispatch, guarded, waiting: (row) => waitingOf(row, deps) })),
  };
}
