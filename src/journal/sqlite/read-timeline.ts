/** Reads the rows for the timeline of one message. */
import type { Understanding } from '../../core/understanding.ts';
import type { Row, Sql, Sqlite } from '../../platform/sqlite.ts';
import type { Stage } from '../rows.ts';
import { timelineOf, type StepFacts } from '../timeline/timeline.ts';
import { acceptedOf, inboundRow, MESSAGE } from './inbound-row.ts';
import { OF_RUN, outboxRow } from './outbox.ts';
import { findTurn } from './turns.ts';

/** The access decisions of its turn, or of a command without a turn. */
const STEPS = `SELECT * FROM step WHERE turn_id = ?1 OR (turn_id = ?2 AND kind = 'access') ORDER BY started_at, ord`;

export function readTimeline({ read }: Sqlite, runId: string): readonly Stage[] | undefined {
  const inbound = read.get(`SELECT ${MESSAGE} FROM inbound WHERE run_id = ?`, runId);
  if (!inbound) return undefined;
  const turnId = inbound['turn'] ?? null;
  const understood = read.get('SELECT body, started_at FROM understanding WHERE run_id = ?', runId);
  return timelineOf({
    message: inboundRow(inbound),
    authority: acceptedOf(inbound).authority,
    understood: understood && {
      understanding: JSON.parse(String(understood['body'])) as Understanding,
      startedAt: Number(understood['started_at']),
    },
    turn: turnId === null ? undefined : findTurn(read, String(turnId)),
    steps: read.all(STEPS, turnId, runId).map(stepFacts),
    replies: read.all(`SELECT * FROM outbox WHERE ${OF_RUN} ORDER BY id`, runId).map(outboxRow),
  });
}

const stepFacts = (row: Row): StepFacts => ({
  kind: String(row['kind']),
  name: String(row['name']),
  input: textOf(row['input']),
  output: textOf(row['output']),
  startedAt: Number(row['started_at']),
  finishedAt: row['finished_at'] === null ? undefined : Number(row['finished_at']),
});

const textOf = (value: Sql | undefined): string | undefined => (typeof value === 'string' ? value : undefined);
