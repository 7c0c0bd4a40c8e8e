/**
 * What two sessions have with each other: asked for once, carried on over every crash, forgotten with the messages of
 * its steps.
 */
import { nobodysAuthority, type Authority } from '../core/authority.ts';
import type { ChatAddress } from '../core/message.ts';
import { present } from '../core/present.ts';
import type { ThinkingLevel } from '../core/turn.ts';
import { sha256Hex } from '../platform/ids.ts';
import type { Row, Sqlite } from '../platform/sqlite.ts';

/** Everything it takes to go on with it in another run. What has happened is told by the messages of its steps. */
export interface Exchange {
  /** 32 hex characters; the same whenever the same tool call asks for it. */
  readonly id: string;
  readonly kind: 'send' | 'spawn';
  readonly requesterKey: string;
  readonly targetKey: string;
  /** What the requester wrote. */
  readonly request: string;
  /** Answers the two give each other after the first one; of a spawn 0. */
  readonly turns: number;
  /** After a send: the target may tell its chat. */
  readonly announce: boolean;
  /** 1: begun in a turn that is no step of an exchange itself. */
  readonly depth: number;
  /** Of a spawn: where the requester tells what came of it. */
  readonly replyTo?: ChatAddress;
  readonly child?: ExchangeChild;
  /** On whose word the requester asked: every step acts on it. */
  readonly authority: Authority;
  readonly createdAt: number;
}

/** The session of a sub-agent, as it was asked for. */
export interface ExchangeChild {
  readonly label?: string;
  readonly model?: { readonly provider: string; readonly modelId: string };
  readonly thinking?: ThinkingLevel;
  /** Absent: as long as any turn. */
  readonly timeoutMs?: number;
  readonly cleanup: 'keep' | 'delete';
}

/** `open`: steps are still to come; `kept`: over, its sub-agent's session waits to be archived. */
export type ExchangeState = 'open' | 'kept' | 'closed';

export interface ExchangeRow extends Exchange {
  readonly state: ExchangeState;
  readonly endedAt?: number;
  /** Milliseconds since the epoch. */
  readonly archiveAt?: number;
}

/** Of what a tool call begins; `callId`: turn and call, the same in whichever life of its turn. */
export const exchangeIdOf = (callId: string): string => sha256Hex(`exchange ${callId}`).slice(0, 32);

/** Also its message's id: the same in every run. */
export const stepRunId = (exchangeId: string, step: number): string => `exchange:${exchangeId}:${step}`;

/** The exchange a run is a step of; undefined for any other run. */
export const exchangeOfRun = (runId: string): string | undefined => /^exchange:([0-9a-f]{32}):\d+$/.exec(runId)?.[1];

export function createExchangeRows(sql: Sqlite, now: () => number) {
  const find = (id: string): ExchangeRow | undefined => {
    const row = sql.read.get('SELECT * FROM exchange WHERE id = ?', id);
    return row && exchangeRow(row);
  };
  return {
    find,

    /** Keeps it, once per id; resolves when it is on disk. Answers the one that is kept. */
    async open(exchange: Exchange): Promise<ExchangeRow> {
      await sql.write(
        (db) =>
          void db.run(
            `INSERT INTO exchange (id, kind, requester_key, target_key, body, state, created_at) VALUES (?,?,?,?,?,'open',?) ON CONFLICT DO NOTHING`,
            exchange.id,
            exchange.kind,
            exchange.requesterKey,
            exchange.targetKey,
            JSON.stringify(exchange),
            exchange.createdAt,
          ),
      );
      return find(exchange.id)!;
    },

    /** Those with steps to come, oldest first. */
    going: (): ExchangeRow[] =>
      sql.read.all(`SELECT * FROM exchange WHERE state = 'open' ORDER BY created_at, id`).map(exchangeRow),

    /** Those a session began and that are not over, of one kind. */
    of: (requesterKey: string, kind: Exchange['kind']): ExchangeRow[] =>
      sql.read
        .all(
          `SELECT * FROM exchange WHERE state = 'open' AND requester_key = ? AND kind = ? ORDER BY created_at, id`,
          requesterKey,
          kind,
        )
        .map(exchangeRow),

    /** Those whose sub-agent's session is to be archived by `at`. */
    due: (at: number): ExchangeRow[] =>
      sql.read
        .all(`SELECT * FROM exchange WHERE state = 'kept' AND archive_at <= ? ORDER BY archive_at, id`, at)
        .map(exchangeRow),

    /** No step follows. `archiveAt`: when the session of its sub-agent is archived. */
    end: (id: string, archiveAt?: number): Promise<void> =>
      sql.write(
        (db) =>
          void db.run(
            `UPDATE exchange SET state = ?, archive_at = ?, ended_at = coalesce(ended_at, ?) WHERE id = ?`,
            archiveAt === undefined ? 'closed' : 'kept',
            archiveAt ?? null,
            now(),
            id,
          ),
      ),
  };
}

function exchangeRow(row: Row): ExchangeRow {
  const kept = JSON.parse(String(row['body'])) as Omit<Exchange, 'authority'> & Partial<Exchange>;
  return {
    // On whose word it goes on has to stand in the row; nobody is made up for it.
    authority: nobodysAuthority({
      agentId: '',
      sessionKey: kept.requesterKey,
      address: { channel: '', accountId: '', chat: { kind: 'direct', id: kept.requesterKey } },
    }),
    ...kept,
    state: row['state'] as ExchangeState,
    ...present({
      endedAt: row['ended_at'] !== null ? Number(row['ended_at']) : undefined,
      archiveAt: row['archive_at'] !== null ? Number(row['archive_at']) : undefined,
    }),
  };
}
