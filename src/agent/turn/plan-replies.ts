/** Splits the replies of a turn into messages the channel accepts, one outbox row each. */
import type { NewOutboxRow } from '../../journal/rows.ts';
import type { MessageSent } from '../../core/message-tool.ts';
import type { ReplyPayload } from '../../core/reply.ts';
import type { Turn } from '../../core/turn.ts';

/**
 * What one payload becomes there, in order; empty: nothing is to be said. `sent`: what tools sent in the turn, which is
 * not sent again.
 */
export type PlanReplies = (
  turn: Turn,
  payload: ReplyPayload,
  sent: readonly MessageSent[],
) => Promise<readonly ReplyPayload[]>;

/** The first message keeps the token, so that what is known by it stays known. */
export async function planRows(
  turn: Turn,
  rows: readonly NewOutboxRow[],
  { plan, sent }: { readonly plan: PlanReplies; readonly sent: readonly MessageSent[] },
): Promise<readonly NewOutboxRow[]> {
  const planned: NewOutboxRow[] = [];
  for (const row of rows) {
    const payloads = await plan(turn, row.payload, sent);
    planned.push(...payloads.map((payload, part) => ({ ...row, token: partToken(row.token, part), payload })));
  }
  return planned;
}

/** `<turn>:0`, `<turn>:1` …; `<turn>:notices`, `<turn>:notices:1` … */
export const partToken = (token: string, part: number): string =>
  part === 0 ? token : token.endsWith(':0') ? `${token.slice(0, -1)}${part}` : `${token}:${part}`;
