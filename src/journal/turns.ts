/** The turn journal (P5): what a turn has done so far, so that a crash never does it twice. */
import { present } from '../core/present.ts';
import type { StepLogRows } from './step-rows.ts';
import type { AssistantMessage, ToolResultMessage, UserMessage } from '../core/transcript.ts';
import type { TurnOutcome } from '../core/turn.ts';
import type { Look } from '../core/verdict.ts';
import type { Row, Sqlite } from '../platform/sqlite.ts';
import { endInbound } from './inbound.ts';
import type { InsertOutbox } from './insert-outbox.ts';
import { redoEntry, type SessionRedo } from './session-redo.ts';
import type { TurnEnd, TurnRow } from './rows.ts';

export interface NewTurn {
  readonly id: string;
  readonly sessionKey: string;
  readonly agentId: string;
  readonly sessionId: string;
  readonly seqs: readonly number[];
}

const STEP_START = `INSERT INTO step (turn_id, kind, id, ord, name, read_only, input, started_at) VALUES (?,?,?,?,?,?,?,?) ON CONFLICT DO NOTHING`;
const STEP_END = `INSERT INTO step (turn_id, kind, id, ord, name, read_only, output, started_at, finished_at) VALUES (?,?,?,?,?,?,?,?,?)
  ON CONFLICT DO UPDATE SET output = excluded.output, finished_at = excluded.finished_at, name = excluded.name`;

/** Of a message that is known, each once, and so many of them. */
const LOOKED = `INSERT INTO step (turn_id, kind, id, ord, name, read_only, output, started_at, finished_at) SELECT ?,'access',?,0,?,1,?,?,?
  WHERE EXISTS (SELECT 1 FROM inbound WHERE run_id = ?) AND (SELECT count(*) FROM step WHERE turn_id = ? AND kind = 'access') < ? ON CONFLICT DO NOTHING`;
const MAX_LOOKS = 32;

export function createTurns(sql: Sqlite, now: () => number, insertOutbox: InsertOutbox) {
  return {
    /** Claims the messages a turn answers. Not synced: after a power cut they are simply claimed again. */
    begin: (turn: NewTurn): Promise<void> =>
      sql.write(
        (db) => {
          db.run(
            `INSERT INTO turn (id, session_key, agent_id, session_id, state, started_at) VALUES (?,?,?,?,'running',?) ON CONFLICT DO NOTHING`,
            turn.id,
            turn.sessionKey,
            turn.agentId,
            turn.sessionId,
            now(),
          );
          for (const seq of turn.seqs) db.run('UPDATE inbound SET turn_id = ? WHERE seq = ?', turn.id, seq);
        },
        { sync: false },
      ),

    modelStarted(turnId: string, index: number, name: string): void {
      const at = now();
      void sql
        .write((db) => db.run(STEP_START, turnId, 'model', String(index), index, name, 1, null, at), { sync: false })
        .catch(() => undefined /* the sync write that follows reports it */);
    },

    /** The model's finished answer together with the start rows of the tools it calls, in one synced commit. */
    modelFinished(
      turnId: string,
      index: number,
      message: AssistantMessage,
      tools: readonly { callId: string; tool: string; input: unknown; readOnly: boolean }[],
    ): Promise<void> {
      const at = now();
      const output = JSON.stringify(message);
      return sql.write(
        (db) => {
          db.run(
            STEP_END,
            turnId,
            'model',
            String(index),
            index,
            `${message.provider}/${message.model}`,
            1,
            output,
            at,
            at,
          );
          for (const call of tools)
            db.run(
              STEP_START,
              turnId,
              'tool',
              call.callId,
              index,
              call.tool,
              call.readOnly ? 1 : 0,
              JSON.stringify(call.input ?? null),
              at,
            );
        },
        { sync: tools.length > 0 },
      );
    },

    toolFinished(turnId: string, result: ToolResultMessage): Promise<void> {
      const at = now();
      return sql.write(
        (db) =>
          void db.run(
            STEP_END,
            turnId,
            'tool',
            result.toolCallId,
            0,
            result.toolName,
            0,
            JSON.stringify(result),
            at,
            at,
          ),
      );
    },

    /** Messages steered into a running turn before model call `index`; their rows now belong to the turn. */
    steered(turnId: string, index: number, messages: readonly UserMessage[], seqs: readonly number[]): Promise<void> {
      const at = now();
      return sql.write((db) => {
        db.run(STEP_END, turnId, 'steer', String(index), index, 'steer', 1, JSON.stringify(messages), at, at);
        for (const seq of seqs) db.run('UPDATE inbound SET turn_id = ?, steered = 1 WHERE seq = ?', turnId, seq);
      });
    },

    /**
     * What was refused in this run, or took more than its own conversation. Not awaited, not synced: only for the
     * timeline.
     */
    looked(runId: string, look: Look): void {
      const at = now();
      const id = JSON.stringify([look.verb, look.kind, look.ok, look.of ?? null]);
      void sql
        .write(
          (db) =>
            db.run(
              LOOKED,
              runId,
              id,
              `${look.verb} ${look.kind}`,
              JSON.stringify(look),
              at,
              at,
              runId,
              runId,
              MAX_LOOKS,
            ),
          { sync: false },
        )
        .catch(() => undefined /* a run that cannot be written is told of by its own steps */);
    },

    /** Everything an earlier run of the turn wrote. */
    recall(turnId: string): StepLogRows {
      const models = new Map<number, AssistantMessage>();
      const tools = new Map<string, ToolResultMessage | 'unknown'>();
      const steers = new Map<number, readonly UserMessage[]>();
      for (const row of sql.read.all('SELECT kind, id, output FROM step WHERE turn_id = ? ORDER BY ord', turnId)) {
        const output: unknown = row['output'] === null ? undefined : JSON.parse(String(row['output']));
        if (row['kind'] === 'model' && output) models.set(Number(row['id']), output as AssistantMessage);
        if (row['kind'] === 'steer' && output) steers.set(Number(row['id']), output as UserMessage[]);
        if (row['kind'] === 'tool')
          tools.set(String(row['id']), (output as ToolResultMessage | undefined) ?? 'unknown');
      }
      return { models, tools, steers };
    },

    /** The end of a turn, its replies, its messages' end states and the session's entry: one synced commit. */
    end(end: TurnEnd, seqs: readonly number[], redo?: SessionRedo): Promise<number[]> {
      const at = now();
      return sql.write((db) => {
        db.run(
          `UPDATE turn SET state = 'ended', outcome = ?, ended_at = ? WHERE id = ?`,
          JSON.stringify(end.outcome),
          at,
          end.turnId,
        );
        endInbound(db, seqs, { ...end.inbound, at });
        db.run('DELETE FROM try WHERE id = ?', end.turnId);
        if (redo) redoEntry(db, redo);
        return end.replies.map((reply) => insertOutbox(db, reply, at));
      });
    },

    find(id: string): TurnRow | undefined {
      const row = sql.read.get('SELECT * FROM turn WHERE id = ?', id);
      return row && turnRow(row);
    },

    /** Turns whose transcript lines may not be on disk: running ones and ended ones that were never settled. */
    unsettled: (): TurnRow[] => sql.read.all('SELECT * FROM turn WHERE settled = 0 ORDER BY started_at').map(turnRow),

    settle: (ids: readonly string[]): Promise<void> =>
      sql.write(
        (db) => {
          for (const id of ids) db.run(`UPDATE turn SET settled = 1 WHERE id = ? AND state = 'ended'`, id);
        },
        { sync: false },
      ),
  };
}

function turnRow(row: Row): TurnRow {
  return present({
    id: String(row['id']),
    sessionKey: String(row['session_key']),
    agentId: String(row['agent_id']),
    state: row['state'] as TurnRow['state'],
    startedAt: Number(row['started_at']),
    sessionId: row['session_id'] !== null ? String(row['session_id']) : undefined,
    outcome: row['outcome'] !== null ? (JSON.parse(String(row['outcome'])) as TurnOutcome) : undefined,
    endedAt: row['ended_at'] !== null ? Number(row['ended_at']) : undefined,
  });
}
