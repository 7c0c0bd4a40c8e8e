/** Builds a turn from a lane's messages once understood; or runs commands found in voice messages. */
import { AppError, asAppError } from '../core/errors.ts';
import type { Turn } from '../core/turn.ts';
import { SUSPENDED } from '../agent/turn/run-turn.ts';
import type { InboundRow } from '../journal/rows.ts';
import type { ReadCommand } from './commands/read-command.ts';
import { composeBody, NOTHING_UNDERSTOOD, readReset, spokenCommands, turnText, type Understood } from './compose.ts';
import type { InboundDeps } from './inbound-deps.ts';
import { turnOf, type TurnMessages } from './turn-of.ts';
import { createUnderstood } from './understood.ts';

export interface PreparedTurn {
  readonly turn: Turn;
  /** Why it is not tried again. */
  readonly poisoned?: string;
}

/** Nothing but commands that were spoken, or a turn. */
export type Prepared = { readonly spoken: readonly ReadCommand[] } | PreparedTurn;

const POISONED =
  'The gateway crashed twice while it processed this message, so the message is not retried. ' +
  'Send it again if you still need an answer.';

export type PrepareTurn = (messages: TurnMessages, signal: AbortSignal) => Promise<Prepared>;

export const turnIdOf = ([first]: readonly InboundRow[]): string => first!.turnId ?? first!.runId;

/** Rejects where the journal refuses, or the turn goes on in another run. */
export function createPrepareTurn(deps: InboundDeps): PrepareTurn {
  const { turns, texts, hub, sender, commands } = deps;
  const { journal, log, clock } = turns;
  const understand = createUnderstood({
    journal,
    log,
    understander: deps.understander,
    now: () => clock.now(),
    checkpoint: deps.checkpoint,
    progress: (runId, text) => hub.emit(runId, { type: 'understanding', text }),
    send: (id) => void sender.send(id),
  });

  /**
   * A stop leaves the rest to the turn, which knows how to end; a turn that will go on in another run is not begun.
   */
  async function understandAll(rows: readonly InboundRow[], signal: AbortSignal): Promise<Understood> {
    try {
      return await understand(rows, signal);
    } catch (error) {
      if (signal.reason === SUSPENDED)
        throw new AppError(
          'unavailable',
          'The gateway is stopping; this message will be answered after the next start.',
          {
            cause: error,
          },
        );
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

  return async ({ rows, dropped }, signal) => {
    const first = rows[0]!;
    const turnId = turnIdOf(rows);
    const resumed = first.turnId !== undefined;
    const marks = rows.some((row) => deps.understander.needed(row));
    if ((await journal.tries.begin(turnId, { resumed, marks })) === 'poisoned') {
      log.error('turn.poisoned', { turnId, sessionKey: first.route.sessionKey });
      return { turn: turnOf({ rows, dropped }, texts), poisoned: POISONED };
    }
    const understood = await understandAll(rows, signal);
    const rules = texts.rules(first);
    const spoken = resumed ? [] : spokenCommands(first, rules, understood);
    if (spoken.length > 0) return { spoken };
    const turn = turnOf({ rows, dropped, understood }, texts);
    const reset = resumed ? undefined : readReset(first, rules, understood);
    return { turn: reset ? { ...turn, text: await afterReset(first, reset, understood) } : turn };
  };
}
