/** Limits the nesting of exchanges and the number of concurrent ones. */
import type { Turn } from '../../core/turn.ts';
import type { Exchange } from './exchange.ts';
import type { Exchanges } from './create-exchanges.ts';
import { MAX_GOING, tooMany } from './exchange-limits.ts';

/**
 * An exchange out of a step of an exchange out of a step of an exchange: no task needs more, a circle of agents would.
 */
const MAX_DEPTH = 3;

export type Guarded = { readonly ok: true; readonly depth: number } | { readonly ok: false; readonly error: string };

interface ExchangeRequest {
  readonly turn: Pick<Turn, 'route' | 'trigger'>;
  readonly kind: Exchange['kind'];
  /** Absent: a new session. */
  readonly targetKey?: string;
}

export async function guardExchange(
  { turn, kind, targetKey }: ExchangeRequest,
  exchanges: Pick<Exchanges, 'find' | 'going'>,
): Promise<Guarded> {
  const from = turn.trigger?.origin === 'session' ? turn.trigger : undefined;
  const around = from && (await exchanges.find(from.exchangeId));
  if (from && !around) return { ok: false, error: 'The exchange of this turn has ended.' };
  const isParty = targetKey !== undefined && (targetKey === around?.requesterKey || targetKey === around?.targetKey);
  // What came of a sub-agent is a reason to write to it; in every other step the answer itself reaches the other side.
  if (isParty && from?.step !== 'result')
    return {
      ok: false,
      error:
        `${targetKey} takes part in this exchange and receives your answer automatically. Write it into ` +
        'your answer.',
    };
  const depth = (around?.depth ?? 0) + 1;
  if (depth > MAX_DEPTH)
    return {
      ok: false,
      error:
        `Sessions have called each other ${MAX_DEPTH} times in a row; a person must continue. Report what ` +
        'is left to do in your answer.',
    };
  // Said before anything is prepared; whoever comes in between is refused when it is kept.
  if ((await exchanges.going(turn.route.sessionKey, kind)) >= MAX_GOING) return { ok: false, error: tooMany(kind) };
  return { ok: true, depth };
}
