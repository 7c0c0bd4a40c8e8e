/** After a crash: what the journal knows of ended turns is written to their transcripts where it is missing. */
import { originOf } from '../core/errand.ts';
import { openingLines } from '../agent/turn/opening.ts';
import type { Settler } from '../agent/turn/settle.ts';
import type { Log } from '../core/log.ts';
import type { Message } from '../core/transcript.ts';
import type { Journal } from '../journal/journal.ts';
import type { StepLogRows } from '../journal/step-rows.ts';
import type { TurnRow } from '../journal/rows.ts';
import type { Sessions } from '../sessions/sessions.ts';
import { turnLineId } from '../sessions/transcript-line.ts';
import { composeTurn, turnImages, turnText, writtenBy, type TextRules } from './compose.ts';

export interface ReconcileDeps extends TextRules { readonly journal: Journal; readonly sessions: Sessions; readonly settler: Settler; readonly log: Log }

/** Returns how many turns were looked at. A turn whose transcript cannot be written stays for the next start. */
export async function reconcileTranscripts(deps: ReconcileDeps): Promise<number> {
  const ended = deps.journal.turns.unsettled().filter((turn) => turn.state === 'ended');
  for (const turn of ended) {
    try {
      await restore(turn, deps);
    } catch (error) {
      deps.log.error('turn.reconcile', { turnId: turn.id, error });
    }
  }
  return ended.length;
}

async function restore(turn: TurnRow, deps: ReconcileDeps): Promise<void> {
  const { journal, sessions, settler } = deps;
  const entry = sessions.peek(turn.sessionKey) ?? (await sessions.get(turn.sessionKey));
  if (!entry || !turn.sessionId) return journal.turns.settle([turn.id]); // the session was deleted: there is nowhere to write it
  const transcript = await sessions.openTranscript(turn.sessionKey, { ...entry, sessionId: turn.sessionId }, '');
  const rows = journal.inbound.ofTurn(turn.id).filter((row) => !row.steered);
  const first = rows[0];
  if (first) {
    const understood = new Map(rows.flatMap((row) => { const known = journal.understanding.find(row.runId); return known ? [[row.runId, known] as const] : []; }));
    const written = writtenBy(rows, understood, deps.context(first).label !== undefined);
    const { seed, opening } = await openingLines({ id: turn.id, route: first.route, origin: originOf(first.errand), authority: first.authority, text: composeTurn(rows, [], turnText(first, deps), understood), images: turnImages(rows, understood), ...(written ? { written } : {}), options: first.options }, turn.startedAt);
    await transcript.append([...seed, ...opening]);
  }
  await transcript.append(linesOf(journal.turns.recall(turn.id)).map(({ place, message }) => ({ type: 'message', id: turnLineId(turn.id, place), turnId: turn.id, message })));
  settler.written(turn.id, transcript.path);
}

/** The turn's messages in the order the loop produced them. */
function linesOf(recall: StepLogRows): { place: string; message: Message }[] {
  const steered = (index: number): { place: string; message: Message }[] => (recall.steers.get(index) ?? []).map((message, nth) => ({ place: `steer${index}.${nth}`, message }));
  const unanswered = [...recall.steers.keys()].filter((index) => !recall.models.has(index)).sort((a, b) => a - b);
  return [...[...recall.models].sort(([a], [b]) => a - b).flatMap(([index, answer]) => [
    ...steered(index),
    { place: `model${index}`, message: answer },
    ...answer.content.flatMap((block) => {
      const result = block.type === 'toolCall' ? recall.tools.get(block.id) : undefined;
      return result && result !== 'unknown' ? [{ place: `tool:${result.toolCallId}`, message: result }] : [];
    }),
  ]), ...unanswered.flatMap(steered)];
}
