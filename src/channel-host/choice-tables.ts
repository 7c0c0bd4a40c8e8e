/** Stores in the journal which choices our messages offer, so that presses and numbers work after a restart, too. */
import type { Choice } from '../core/choice.ts';
import type { JournalTables } from '../journal/tables.ts';
import type { SqlSession } from '../platform/sqlite.ts';

/** One choice that was offered. */
export interface OfferedChoice {
  readonly choice: Choice;
  /** The chat it was sent to, and the session it belongs to. */
  readonly chat: string;
  /** Of the chat, where the question was asked in one. */
  readonly threadId?: string;
  /** Whose number counts; absent: everybody's. */
  readonly askedBy?: string;
  readonly sessionKey: string;
  /** What a press counts once for, for each person. */
  readonly once: string;
  readonly issuedAt: number;
  readonly expiresAt: number;
}

/** One button that was issued. */
export interface IssuedChoice extends OfferedChoice {
  readonly data: string;
}

export interface ChoiceRows {
  /** Resolves when they outlast the process. */
  issue(choices: readonly IssuedChoice[]): Promise<void>;
  /**
   * Gives choices of one chat numbers that follow on each other, and tells the first. Those of the chat that did not
   * expire before `since` keep theirs. Undefined: a number would be above `max`.
   */
  number(choices: readonly OfferedChoice[], bounds: { since: number; max: number }): Promise<number | undefined>;
  find(data: string): IssuedChoice | undefined;
}

/** The name of a number of a chat; no button has such data. */
export const numberKey = (chat: string, number: number): string => `number:${chat}:${number}`;

/** More are no use to anybody: the oldest of a chat go first, and then those that expire first. */
const MAX = { ofChat: 200, all: 10_000 } as const;

const SCHEMA = `
CREATE TABLE IF NOT EXISTS channel_choice (
  data TEXT PRIMARY KEY, body TEXT NOT NULL, -- IssuedChoice
  expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS channel_choice_age ON channel_choice (expires_at);
CREATE INDEX IF NOT EXISTS channel_choice_chat
  ON channel_choice (json_extract(body, '$.chat'), json_extract(body, '$.issuedAt'));
`;

export const CHOICE_TABLES: JournalTables<ChoiceRows> = {
  schema: SCHEMA,
  open: (sql) => ({
    issue: (choices) => sql.write((db) => insert(db, choices)),
    number: (choices, { since, max }) =>
      sql.write((db) => {
        const chat = choices[0]?.chat;
        if (chat === undefined) return undefined;
        const first = highestOpen(db, chat, since) + 1;
        if (first + choices.length - 1 > max) return undefined;
        insert(
          db,
          choices.map((one, index) => ({ ...one, data: numberKey(chat, first + index) })),
        );
        return first;
      }),
    find(data) {
      const row = sql.read.get('SELECT body FROM channel_choice WHERE data = ?', data);
      return row && (JSON.parse(String(row['body'])) as IssuedChoice);
    },
  }),
  old: (db, before, limit) =>
    db.all('SELECT data FROM channel_choice WHERE expires_at < ? ORDER BY expires_at LIMIT ?', before, limit),
  forget: (db, row) => void db.run('DELETE FROM channel_choice WHERE data = ?', row['data']!),
};

function insert(db: SqlSession, choices: readonly IssuedChoice[]): void {
  for (const one of choices)
    db.run('INSERT OR REPLACE INTO channel_choice VALUES (?,?,?)', one.data, JSON.stringify(one), one.expiresAt);
  const chat = choices[0]?.chat;
  if (chat === undefined) return;
  db.run(
    `DELETE FROM channel_choice WHERE data IN (SELECT data FROM channel_choice
     WHERE json_extract(body, '$.chat') = ? ORDER BY json_extract(body, '$.issuedAt') DESC LIMIT -1 OFFSET ?)`,
    chat,
    MAX.ofChat,
  );
  db.run(
    `DELETE FROM channel_choice WHERE data IN
     (SELECT data FROM channel_choice ORDER BY expires_at DESC LIMIT -1 OFFSET ?)`,
    MAX.all,
  );
}

/** The last number of a chat that a question has still; 0: none has. */
function highestOpen(db: SqlSession, chat: string, since: number): number {
  const prefix = numberKey(chat, 0).slice(0, -1);
  const open = db.all(
    `SELECT data FROM channel_choice
     WHERE json_extract(body, '$.chat') = ? AND substr(data, 1, length(?)) = ? AND expires_at > ?`,
    chat,
    prefix,
    prefix,
    since,
  );
  return Math.max(0, ...open.map(({ data }) => Number(String(data).slice(prefix.length))));
}
