// A journal of an earlier release opens without loss, and is continued in the current layout.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { it } from 'node:test';
import { dedupeId } from '../core/message.ts';
import { accepted } from '../testing/sample-inbound.ts';
import { answer, done } from '../testing/journal-rows.ts';
import { tempDir } from '../testing/temp-dir.ts';
import { createJournal } from './create-journal.ts';

/**
 * The tables of messages, turns and steps until 2026-11-28: the body in the middle, no row ids, and an index of end
 * states.
 */
const OLDER = `
CREATE TABLE inbound (
  seq INTEGER PRIMARY KEY,
  channel TEXT NOT NULL, account TEXT NOT NULL, message_id TEXT NOT NULL, version INTEGER NOT NULL,
  run_id TEXT NOT NULL, session_key TEXT NOT NULL, agent_id TEXT NOT NULL,
  body TEXT NOT NULL, state TEXT NOT NULL,
  turn_id TEXT, steered INTEGER NOT NULL DEFAULT 0, reason TEXT,
  accepted_at INTEGER NOT NULL, ended_at INTEGER,
  UNIQUE (channel, account, message_id, version)
) STRICT;
CREATE UNIQUE INDEX inbound_run ON inbound (run_id);
CREATE INDEX inbound_open ON inbound (seq) WHERE state = 'accepted';
CREATE INDEX inbound_turn ON inbound (turn_id) WHERE turn_id <> run_id;
CREATE INDEX inbound_ended ON inbound (ended_at) WHERE ended_at IS NOT NULL;
CREATE TABLE turn (
  id TEXT PRIMARY KEY, session_key TEXT NOT NULL, agent_id TEXT NOT NULL, session_id TEXT,
  state TEXT NOT NULL, outcome TEXT, settled INTEGER NOT NULL DEFAULT 0,
  started_at INTEGER NOT NULL, ended_at INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX turn_unsettled ON turn (id) WHERE settled = 0;
CREATE TABLE step (
  turn_id TEXT NOT NULL, kind TEXT NOT NULL, id TEXT NOT NULL, ord INTEGER NOT NULL, name TEXT NOT NULL,
  read_only INTEGER NOT NULL DEFAULT 0, input TEXT, output TEXT, started_at INTEGER NOT NULL, finished_at INTEGER,
  PRIMARY KEY (turn_id, kind, id)
) STRICT, WITHOUT ROWID;
CREATE TABLE outbox (
  id INTEGER PRIMARY KEY, token TEXT NOT NULL UNIQUE, run_id TEXT NOT NULL, session_key TEXT NOT NULL,
  address TEXT NOT NULL, payload TEXT NOT NULL, state TEXT NOT NULL, attempts INTEGER NOT NULL DEFAULT 0,
  next_at INTEGER NOT NULL, message_ids TEXT, error TEXT, created_at INTEGER NOT NULL, sent_at INTEGER
) STRICT;
CREATE INDEX outbox_open ON outbox (id) WHERE state IN ('pending', 'sending', 'uncertain');
CREATE INDEX outbox_run ON outbox (run_id);`;

function keyOf(id: string): readonly [string, string, string] {
  const { message } = accepted({ id });
  return [message.address.channel, message.address.accountId, dedupeId(message)];
}

/** `done` has ended; `going` and `joined`, which joined its turn, had started; `waiting` had not. */
function writeOlder(path: string): void {
  const db = new DatabaseSync(path);
  db.exec(`PRAGMA journal_mode=WAL; ${OLDER}`);
  const message = db.prepare(`INSERT INTO inbound (seq, channel, account, message_id, version, run_id, session_key,
    agent_id, body, state, turn_id, accepted_at, ended_at) VALUES (?,?,?,?,0,?,'agent:main:main','main',?,?,?,?,?)`);
  for (const [seq, id, state, turn, endedAt] of [
    [1, 'done', 'answered', 'done', 2000],
    [2, 'going', 'accepted', 'going', null],
    [3, 'joined', 'accepted', 'going', null],
    [4, 'waiting', 'accepted', null, null],
  ] as const)
    message.run(seq, ...keyOf(id), id, JSON.stringify(accepted({ id })), state, turn, 1000 + seq, endedAt);
  const turn = db.prepare(`INSERT INTO turn VALUES (?,'agent:main:main','main','s',?,?,?,1000,?)`);
  turn.run('done', 'ended', JSON.stringify(done), 1, 2000);
  turn.run('going', 'running', null, 0, null);
  const step = db.prepare(`INSERT INTO step VALUES (?,'model','0',0,'mock/mock',1,NULL,?,1000,1500)`);
  for (const id of ['done', 'going']) step.run(id, JSON.stringify(answer(id)));
  const send = db.prepare(`INSERT INTO outbox (token, run_id, session_key, address, payload, state, next_at, created_at)
    VALUES (?,?,'agent:main:main','{}','{}',?,1000,1000)`);
  send.run('done:0', 'done', 'sent');
  send.run('done:1', 'done', 'pending');
  send.run('other', 'done', 'uncertain');
  db.close();
}

it('a journal of an earlier release is read, goes on and is pruned', async () => {
  await using home = await tempDir('older-journal');
  const path = join(home.path, 'journal.sqlite');
  writeOlder(path);
  const time = { now: 10_000 };
  const journal = createJournal({ path, now: () => time.now });
  try {
    assert.deepEqual(
      (await journal.inbound.open()).map(({ runId, turnId, endedAt }) => [runId, turnId, endedAt]),
      [
        ['going', 'going', undefined],
        ['joined', 'going', undefined],
        ['waiting', undefined, undefined],
      ],
    );
    assert.deepEqual(
      (await journal.inbound.ofTurn('going')).map(({ runId }) => runId),
      ['going', 'joined'],
    );
    assert.deepEqual(
      (await journal.turns.unsettled()).map(({ id, state }) => [id, state]),
      [['going', 'running']],
    );
    assert.equal((await journal.turns.find('done'))?.state, 'ended');
    const tokens = async (rows: Promise<readonly { readonly token: string }[]>) =>
      (await rows).map(({ token }) => token);
    assert.deepEqual(await tokens(journal.outbox.open()), ['done:1', 'other']);
    assert.deepEqual(await tokens(journal.outbox.ofRun('done')), ['done:0', 'done:1', 'other']);
    for (const { id } of await journal.outbox.open()) await journal.outbox.sent(id, []);
    assert.equal(await journal.outbox.pending(), 0);
    assert.equal((await journal.inbound.find('done'))?.endedAt, 2000);
    assert.equal((await journal.turns.recall('going')).models.size, 1);
    assert.equal((await journal.inbound.accept(accepted({ id: 'done' }), 'again')).status, 'duplicate');

    const going = { sessionKey: 'agent:main:main', agentId: 'main', sessionId: 's' };
    await journal.turns.begin({ ...going, id: 'going', seqs: [2, 3] });
    await journal.turns.begin({ ...going, id: 'waiting', seqs: [4] });
    for (const turnId of ['going', 'waiting']) {
      const ended = await journal.turns.end({ turnId, outcome: done, inbound: { state: 'answered' }, replies: [] });
      assert.equal(ended.messages.length, turnId === 'going' ? 2 : 1);
      await journal.turns.settle([turnId]);
    }
    assert.deepEqual(await journal.inbound.open(), []);

    time.now = 500_000;
    assert.equal(await journal.prune(495_000), 1, 'only what ended so long ago');
    assert.equal(await journal.inbound.find('done'), undefined);
    assert.equal(await journal.prune(1000), 3);
    assert.equal(await journal.turns.find('going'), undefined);
    assert.deepEqual(await journal.inbound.recent({ limit: 10 }), []);
  } finally {
    await journal.close();
  }
});
