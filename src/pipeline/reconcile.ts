/** After a crash, writes ended turns from the journal to their transcripts where missing. */
import { originOf } from '../core/trigger.ts';
import { openingLines } from '../agent/turn/opening.ts';
import type { Reconciler } from '../agent/turn/reconciler.ts';
import type { Log } from '../core/log.ts';
import { present } from '../core/present.ts';
import type { Message } from '../core/transcript.ts';
import type { TurnOutcome } from '../core/turn.ts';
import type { Journal } from '../journal/journal.ts';
import type { StepLogRows, TurnRow } from '../journal/rows.ts';
import type { Sessions } from '../sessions/sessions.ts';
import { turnLineId } from '../sessions/transcript-line.ts';
import { composeTurn, turnImages, turnText, writtenBy, type TextRules } from './compose.ts';

export interface ReconcileDeps extends TextRules {
  readonly journal: Journal;
  readonly sessions: Sessions;
  readonly reconciler: Reconciler;
  readonly log: Log;
}

/** Returns how many turns were checked. A turn whose transcript cannot be written stays for the next start. */
export async function reconcileTranscripts(deps: ReconcileDeps): Promise<number> {
  const unsettled = await deps.journal.turns.unsettled();
  await mendTranscripts(unsettled, deps);
  const ended = unsettled.filter((turn) => turn.state === 'ended');
  for (const turn of ended) {
    try {
      await restore(turn, deps);
    } catch (error) {
      deps.log.error('turn.reconcile', { turnId: turn.id, error });
    }
  }
  return ended.length;
}

/**
 * What a power cut tore out of a transcript was on its way to the disk, and so are all turns behind it: they are
 * written again, in order.
 */
async function mendTranscripts(
  unsettled: readonly TurnRow[],
  { journal, sessions, log }: ReconcileDeps,
): Promise<void> {
  const open = await journal.inbound.open();
  const doubtful = new Set([...unsettled.map(({ id }) => id), ...open.map(({ runId }) => runId)]);
  const places = new Map(
    [...open.map(({ route }) => ({ sessionKey: route.sessionKey, sessionId: undefined })), ...unsettled].map(
      ({ sessionKey, sessionId }) => [`${sessionKey} ${sessionId}`, { sessionKey, sessionId }],
    ),
  );
  for (const { sessionKey, sessionId } of places.values()) {
    try {
      const entry = await sessions.get(sessionKey);
      if (entry)
        await (
          await sessions.openTranscript(sessionKey, { ...entry, ...present({ sessionId: sessionId || undefined }) }, '')
        ).mend((turnId) => doubtful.has(turnId));
    } catch (error) {
      log.error('transcript.mend', { sessionKey, error });
    }
  }
}

async function restore(turn: TurnRow, deps: ReconcileDeps): Promise<void> {
  const { journal, sessions, reconciler } = deps;
  const entry = sessions.peek(turn.sessionKey) ?? (await sessions.get(turn.sessionKey));
  // the session was deleted: there is nowhere to write it
  if (!entry || !turn.sessionId) return journal.turns.settle([turn.id]);
  const transcript = await sessions.openTranscript(turn.sessionKey, { ...entry, sessionId: turn.sessionId }, '');
  const rows = (await journal.inbound.ofTurn(turn.id)).filter((row) => !row.steered);
  const first = rows[0];
  if (first) {
    const kept = await Promise.all(
      rows.map(async ({ runId }) => [runId, await journal.understanding.find(runId)] as const),
    );
    const understood = new Map(kept.flatMap(([runId, known]) => (known ? [[runId, known]] : [])));
    const written = writtenBy(rows, understood, deps.context(first).label !== undefined);
    const { seed, opening } = await openingLines(
      {
        id: turn.id,
        route: first.route,
        origin: originOf(first.trigger),
        authority: first.authority,
        text: composeTurn(rows, [], turnText(first, deps), understood),
        images: turnImages(rows, understood),
        ...present({ written }),
        options: first.options,
      },
      turn.startedAt,
    );
    await transcript.append([...seed, ...opening]);
  }
  await transcript.append(
    withShown(linesOf(await journal.turns.recall(turn.id)), turn.outcome).map(({ place, message }) => ({
      type: 'message',
      id: turnLineId(turn.id, place),
      turnId: turn.id,
      message,
    })),
  );
  reconciler.written(turn.id, transcript.path);
}

/** What people see of the answer stands beside it, as at the end of the turn. */
function withShown(lines: readonly Line[], outcome: TurnOutcome | undefined): readonly Line[] {
  const shown = outcome?.kind === 'done' ? outcome.shown : undefined;
  const last = lines.at(-1);
  return shown && last?.message.role === 'assistant'
    ? [...lines.slice(0, -1), { ...last, message: { ...last.message, shown } }]
    : lines;
}

interface Line {
  readonly place: string;
  readonly message: Message;
}

/** The turn's messages in the order the loop produced them. */
function linesOf(recall: StepLogRows): Line[] {
  const steered = (index: number): Line[] =>
    (recall.steers.get(index) ?? []).map((message, nth) => ({ place: `steer${index}.${nth}`, message }));
  const unanswered = [...recall.steers.keys()].filter((index) => !recall.models.has(index)).sort((a, b) => a - b);
  return [
    ...[...recall.models]
      .sort(([a], [b]) => a - b)
      .flatMap(([index, answer]) => [
        ...steered(index),
        { place: `model${index}`, message: answer },
        ...answer.content.flatMap((block) => {
          const result = block.type === 'toolCall' ? recall.tools.get(block.id) : undefined;
          return result && result !== 'unknown' ? [{ place: `tool:${result.toolCallId}`, message: result }] : [];
        }),
      ]),
    ...unanswered.flatMap(steered),
  ];
}
