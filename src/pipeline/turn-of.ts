/** The turn that messages become: one that begins with them, or one under way that they join. Pure. */
import { combineAuthorities } from '../core/authority.ts';
import { present } from '../core/present.ts';
import { originOf } from '../core/trigger.ts';
import type { UserMessage } from '../core/transcript.ts';
import type { Turn } from '../core/turn.ts';
import type { InboundRow } from '../journal/rows.ts';
import { inlineRequestOf } from './commands/read-said.ts';
import {
  composeTurn,
  NOTHING_UNDERSTOOD,
  noticesOf,
  saidOf,
  turnImages,
  turnText,
  writtenBy,
  type TextRules,
  type Understood,
} from './compose.ts';

export interface TurnRules extends TextRules {
  /** What the agent learns about the place a message comes from. */
  place(row: InboundRow): Turn['place'];
}

export interface TurnMessages {
  /** At least one; the first decides where the turn belongs and what it asks for. */
  readonly rows: readonly InboundRow[];
  /** Those that gave way: named in a line each. */
  readonly dropped: readonly InboundRow[];
  readonly understood?: Understood;
}

export function turnOf({ rows, dropped, understood = NOTHING_UNDERSTOOD }: TurnMessages, rules: TurnRules): Turn {
  const first = rows[0]!;
  const written = writtenBy(rows, understood, rules.context(first).label !== undefined);
  const place = rules.place(first);
  return {
    id: first.turnId ?? first.runId,
    route: first.route,
    origin: originOf(first.trigger),
    ...present({ trigger: first.trigger }),
    options: { ...first.options, ...inlineRequestOf(saidOf(first, rules.rules(first))).options },
    authority: combineAuthorities([first.authority, ...rows.slice(1).map((row) => row.authority)]),
    text: composeTurn(rows, dropped, turnText(first, rules), understood),
    images: turnImages(rows, understood),
    notices: [...heldBack({ rows, understood }, rules), ...noticesOf(rows, understood)],
    ...present({ place, written, system: rows.every(({ message }) => message.system) ? true : undefined }),
  };
}

/** Who tried to change rights in passing hears how it is done. */
function heldBack(
  { rows, understood }: Required<Pick<TurnMessages, 'rows' | 'understood'>>,
  rules: TextRules,
): readonly string[] {
  const names = rows.flatMap((row) => saidOf(row, rules.rules(row), understood).heldBack?.name ?? []);
  return [...new Set(names)].map(
    (name) => `/${name} was ignored: it changes permissions, so it must be typed and be the whole message.`,
  );
}

/** A message that joins a turn under way. */
export function steeredMessage(row: InboundRow, rules: TextRules): UserMessage {
  return {
    role: 'user',
    ...present({ system: row.message.system ? true : undefined }),
    timestamp: row.acceptedAt,
    content: [{ type: 'text', text: composeTurn([row], [], turnText(row, rules)) }],
  };
}
