/**
 * The schema of the journal's own tables. Times are milliseconds since the epoch; JSON columns contain the core types
 * named beside them.
 */

/**
 * The end time of an open message: a number with as many digits as every timestamp between 1987 and 4199, so that the
 * row keeps its length.
 */
export const NOT_ENDED = 2 ** 46;

export const JOURNAL_SCHEMA = `
-- What changes stands first and keeps its length, and the body, which does not change, last: then a change writes one
-- page of 512 bytes in place of all that the row takes.
CREATE TABLE IF NOT EXISTS inbound (
  seq INTEGER PRIMARY KEY,               -- arrival ticket, taken before any await (P3)
  state TEXT NOT NULL,                   -- accepted | answered | declined | failed (P4)
  ended_at INTEGER,                      -- NOT_ENDED or null: not yet
  steered INTEGER NOT NULL DEFAULT 0, reason TEXT,
  turn_id TEXT,                          -- null: its own turn, which has its run id, once there is that one
  accepted_at INTEGER NOT NULL,
  channel TEXT NOT NULL, account TEXT NOT NULL, message_id TEXT NOT NULL, version INTEGER NOT NULL,
  run_id TEXT NOT NULL, session_key TEXT NOT NULL, agent_id TEXT NOT NULL,
  body TEXT NOT NULL,                    -- Accepted
  UNIQUE (channel, account, message_id, version)   -- P2, in the same transaction as the row
) STRICT;
CREATE UNIQUE INDEX IF NOT EXISTS inbound_run ON inbound (run_id);
CREATE INDEX IF NOT EXISTS inbound_turn ON inbound (turn_id) WHERE turn_id <> run_id;  -- mostly they are the same
DROP INDEX IF EXISTS inbound_ended;      -- of older journals: pruning reads in order of arrival

CREATE TABLE IF NOT EXISTS turn (
  id TEXT PRIMARY KEY, session_key TEXT NOT NULL, agent_id TEXT NOT NULL, session_id TEXT,
  state TEXT NOT NULL,                   -- ended
  outcome TEXT,                          -- TurnOutcome
  settled INTEGER NOT NULL DEFAULT 0,    -- read by older releases only
  started_at INTEGER NOT NULL, ended_at INTEGER
) STRICT;                                -- with row ids: without them more than 100 bytes take a page of their own

CREATE TABLE IF NOT EXISTS turn_open (     -- begun, and its transcript lines are not synced: few rows, so that a turn
  seq INTEGER PRIMARY KEY,               -- writes one page as it begins, and its whole row once, as it ends
  id TEXT NOT NULL, session_key TEXT NOT NULL, agent_id TEXT NOT NULL, session_id TEXT, started_at INTEGER NOT NULL
) STRICT;                                -- seq: of the message that has the run id of the turn

CREATE TABLE IF NOT EXISTS open_among (    -- rows without an end are among these and those after the last of these
  name TEXT NOT NULL, id INTEGER NOT NULL, PRIMARY KEY (name, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS step (          -- P5
  turn_id TEXT NOT NULL, kind TEXT NOT NULL,  -- model | tool | steer | access
  id TEXT NOT NULL,                      -- index of the model call, the tool's call id, or what was asked of the table of who may what
  ord INTEGER NOT NULL, name TEXT NOT NULL, read_only INTEGER NOT NULL DEFAULT 0,
  input TEXT, output TEXT,               -- AssistantMessage | ToolResultMessage | UserMessage[] | Look
  started_at INTEGER NOT NULL, finished_at INTEGER,
  PRIMARY KEY (turn_id, kind, id)
) STRICT;

CREATE TABLE IF NOT EXISTS try (           -- turns that were begun again after a death, or may have to be
  id TEXT PRIMARY KEY, again INTEGER NOT NULL, life TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS understanding (
  run_id TEXT PRIMARY KEY,
  body TEXT NOT NULL,                    -- Understanding
  started_at INTEGER NOT NULL, at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS outbox (        -- P6
  id INTEGER PRIMARY KEY, token TEXT NOT NULL UNIQUE,
  run_id TEXT NOT NULL, session_key TEXT NOT NULL,
  address TEXT NOT NULL,                 -- ChatAddress (P7)
  payload TEXT NOT NULL,                 -- ReplyPayload
  state TEXT NOT NULL,                   -- pending | sending | uncertain | sent | failed
  attempts INTEGER NOT NULL DEFAULT 0, next_at INTEGER NOT NULL, message_ids TEXT, error TEXT,
  created_at INTEGER NOT NULL, sent_at INTEGER
) STRICT;
CREATE INDEX IF NOT EXISTS outbox_other_run ON outbox (run_id)   -- mostly the token begins with it
  WHERE substr(token, 1, length(run_id) + 1) <> run_id || ':';
DROP INDEX IF EXISTS outbox_run;         -- of older journals

CREATE TABLE IF NOT EXISTS session_redo (  -- session entries newer than sessions.json
  agent_id TEXT NOT NULL, key TEXT NOT NULL, entry TEXT, version INTEGER NOT NULL,
  PRIMARY KEY (agent_id, key)
) STRICT, WITHOUT ROWID;

-- Older journals had an index of each kind of open rows in place of these lists.
INSERT OR IGNORE INTO open_among SELECT 'inbound', seq FROM sqlite_master AS old CROSS JOIN inbound
  WHERE old.name = 'inbound_open' AND state = 'accepted';
INSERT OR IGNORE INTO open_among SELECT 'inbound', (SELECT max(seq) FROM inbound) FROM sqlite_master
  WHERE name = 'inbound_open';
DROP INDEX IF EXISTS inbound_open;
INSERT OR IGNORE INTO open_among SELECT 'outbox', id FROM sqlite_master AS old CROSS JOIN outbox
  WHERE old.name = 'outbox_open' AND state IN ('pending', 'sending', 'uncertain');
INSERT OR IGNORE INTO open_among SELECT 'outbox', (SELECT max(id) FROM outbox) FROM sqlite_master
  WHERE name = 'outbox_open';
DROP INDEX IF EXISTS outbox_open;
INSERT OR IGNORE INTO turn_open
  SELECT inbound.seq, turn.id, turn.session_key, turn.agent_id, session_id, started_at
  FROM sqlite_master AS old CROSS JOIN turn JOIN inbound ON inbound.run_id = turn.id
  WHERE old.name = 'turn_unsettled' AND settled = 0;
DROP INDEX IF EXISTS turn_unsettled;
DELETE FROM turn WHERE id IN (SELECT id FROM turn_open) AND state = 'running';
`;
