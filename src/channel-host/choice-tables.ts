/** The buttons below messages of ours, in the journal: a press counts after a restart, too. */
import type { Choice } from '../core/choice.ts';
import type { JournalTables } from '../journal/tables.ts';

/** One button that was issued. */
export interface IssuedChoice {
  readonly data: string;
  readonly choice: Choice;
  /** The chat it was sent to, and the session it belongs to. */
  readonly chat: string;
  readonly sessionKey: string;
  /** What a press counts once for, for each person. */
  readonly once: string;
  readonly expiresAt: number;
}

export interface ChoiceRows {
  /** Resolves when they outlast the process. */
  issue(choices: readonly IssuedChoice[]): Promise<void>;
  find(data: string): IssuedChoice | undefined;
}

const SCHEMA = `
CREATE TABLE IF NOT EXISTS channel_choice (
  data TEXT PRIMARY KEY, body TEXT NOT NULL, -- IssuedChoice
  expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS channel_choice_age ON channel_choice (expires_at);
`;

export const CHOICE_TABLES: JournalTables<ChoiceRows> = {
  schema: SCHEMA,
  open: (sql) => ({
    issue: (choices) =>
      sql.write((db) => {
        for (const one of choices)
          db.run('INSERT INTO channel_choice VALUES (?,?,?)', one.data, JSON.stringify(one), one.expiresAt);
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
