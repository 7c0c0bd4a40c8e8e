/** The table of steps: the recorded progress of turns. */
import type { AssistantMessage, ToolResultMessage, UserMessage } from '../../core/transcript.ts';
import type { Row, Sqlite, SqlSession } from '../../platform/sqlite.ts';
import type { TurnJournal } from '../journal.ts';
import type { StepLogRows } from '../rows.ts';

const START = `INSERT INTO step (turn_id, kind, id, ord, name, read_only, input, started_at)
  VALUES (?,?,?,?,?,?,?,?) ON CONFLICT DO NOTHING`;
const END = `INSERT INTO step (turn_id, kind, id, ord, name, read_only, output, started_at, finished_at)
  VALUES (?,?,?,?,?,?,?,?,?)
  ON CONFLICT DO UPDATE SET output = excluded.output, finished_at = excluded.finished_at, name = excluded.name`;
/** Only for a known message, each decision once, and at most this many. */
const PUT_CHECK = `INSERT INTO step (turn_id, kind, id, ord, name, read_only, output, started_at, finished_at)
  SELECT ?,'access',?,0,?,1,?,?,?
  WHERE EXISTS (SELECT 1 FROM inbound WHERE run_id = ?)
  AND (SELECT count(*) FROM step WHERE turn_id = ? AND kind = 'access') < ? ON CONFLICT DO NOTHING`;
export const MAX_CHECKS = 32;

interface Step {
  readonly turnId: string;
  readonly kind: 'model' | 'tool' | 'steer';
  readonly id: string;
  readonly ord: number;
  readonly name: string;
  readonly readOnly: boolean;
}

export type StepJournal = Pick<
  TurnJournal,
  'modelStarted' | 'modelFinished' | 'toolFinished' | 'steered' | 'accessChecked' | 'recall'
>;

export function createSteps(sql: Sqlite, now: () => number): StepJournal {
  return {
    modelStarted(turnId, index, name) {
      const at = now();
      return sql.write((db) => start(db, { ...modelStep(turnId, index, name), input: null, at }), { lazy: true });
    },
    modelFinished(turnId, index, message, tools) {
      const at = now();
      const output = JSON.stringify(message);
      const step = modelStep(turnId, index, `${message.provider}/${message.model}`);
      return sql.write(
        (db) => {
          finish(db, { ...step, output, at });
          for (const { callId: id, tool: name, input, readOnly } of tools) {
            const call: Step = { turnId, kind: 'tool', id, ord: index, name, readOnly };
            start(db, { ...call, input: JSON.stringify(input ?? null), at });
          }
        },
        { sync: tools.length > 0 },
      );
    },
    toolFinished(turnId, result) {
      const at = now();
      const { toolCallId: id, toolName: name } = result;
      const step: Step = { turnId, kind: 'tool', id, ord: 0, name, readOnly: false };
      return sql.write((db) => finish(db, { ...step, output: JSON.stringify(result), at }));
    },
    steered(turnId, index, messages, seqs) {
      const at = now();
      const step: Step = { turnId, kind: 'steer', id: String(index), ord: index, name: 'steer', readOnly: true };
      return sql.write((db) => {
        finish(db, { ...step, output: JSON.stringify(messages), at });
        for (const seq of seqs) db.run('UPDATE inbound SET turn_id = ?, steered = 1 WHERE seq = ?', turnId, seq);
      });
    },
    accessChecked(runId, check) {
      const at = now();
      const id = JSON.stringify([check.verb, check.kind, check.ok, check.of ?? null]);
      const row = [runId, id, `${check.verb} ${check.kind}`, JSON.stringify(check), at, at] as const;
      return sql.write((db) => void db.run(PUT_CHECK, ...row, runId, runId, MAX_CHECKS), { sync: false });
    },
    recall: async (turnId) =>
      recalled(sql.read.all('SELECT kind, id, output FROM step WHERE turn_id = ? ORDER BY ord', turnId)),
  };
}

const modelStep = (turnId: string, index: number, name: string): Step => ({
  turnId,
  kind: 'model',
  id: String(index),
  ord: index,
  name,
  readOnly: true,
});

const headOf = ({ turnId, kind, id, ord, name, readOnly }: Step) =>
  [turnId, kind, id, ord, name, readOnly ? 1 : 0] as const;

function start(db: SqlSession, step: Step & { readonly input: string | null; readonly at: number }): void {
  db.run(START, ...headOf(step), step.input, step.at);
}

function finish(db: SqlSession, step: Step & { readonly output: string; readonly at: number }): void {
  db.run(END, ...headOf(step), step.output, step.at, step.at);
}

function recalled(rows: readonly Row[]): StepLogRows {
  const models = new Map<number, AssistantMessage>();
  const tools = new Map<string, ToolResultMessage | 'unknown'>();
  const steers = new Map<number, readonly UserMessage[]>();
  for (const row of rows) {
    const output: unknown = row['output'] === null ? undefined : JSON.parse(String(row['output']));
    if (row['kind'] === 'model' && output) models.set(Number(row['id']), output as AssistantMessage);
    if (row['kind'] === 'steer' && output) steers.set(Number(row['id']), output as UserMessage[]);
    if (row['kind'] === 'tool') tools.set(String(row['id']), (output as ToolResultMessage | undefined) ?? 'unknown');
  }
  return { models, tools, steers };
}
