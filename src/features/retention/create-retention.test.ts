// Expired files are removed; files of a session are kept at any age. With real files.
import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { it } from 'node:test';
import { silentLog } from '../../core/log.ts';
import { createFakeClock } from '../../testing/fake-clock.ts';
import { tempDir } from '../../testing/temp-dir.ts';
import { retentionSchema } from './config.ts';
import { createRetention } from './create-retention.ts';

const DAY_MS = 24 * 3_600_000;
const FIRST_ROUND_MS = 5 * 60_000;
const SESSIONS = 'agents/main/sessions';

interface Harness {
  /** Sessions there are, by their ids; all of the agent `main`. */
  readonly ids?: readonly string[];
  readonly settings?: object;
  readonly fails?: boolean;
}

async function harness({ ids = ['used'], settings = {}, fails = false }: Harness = {}) {
  const dir = await tempDir();
  const clock = createFakeClock();
  const logged: string[] = [];
  const note = (event: string): void => void logged.push(event);
  const retention = createRetention({
    place: {
      stateDir: dir.path,
      home: dir.path,
      agentIds: () => ['main'],
      async sessions() {
        if (fails) throw new Error('sessions.json cannot be read');
        return ids.map((sessionId) => ({ agentId: 'main', sessionId }));
      },
    },
    log: { ...silentLog, info: note, error: note },
    clock,
    settings: () => retentionSchema.parse(settings),
    store: () => undefined,
  });
  const put = (path: string, ageDays: number, bytes = 10): void => {
    const file = join(dir.path, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, 'x'.repeat(bytes));
    const at = (clock.now() - ageDays * DAY_MS) / 1000;
    utimesSync(file, at, at);
  };
  const write = (path: string, text: string): void => writeFileSync(join(dir.path, path), text);
  const names = (folder: string): readonly string[] => readdirSync(join(dir.path, folder)).sort();
  return { retention, clock, logged, put, write, names, [Symbol.asyncDispose]: () => dir[Symbol.asyncDispose]() };
}

it('removes daily logs after 30 days, and nothing else that lies beside them', async () => {
  await using h = await harness();
  h.put('logs/clawdbot-2026-01-01.log', 31);
  h.put('logs/clawdbot-2026-01-03.log', 29);
  h.put('logs/notes.log', 400);
  h.put('logs/clawdbot-2026-01-01.log.gz', 400);
  assert.deepEqual(await h.retention.prune(), { files: 1, bytes: 10 });
  assert.deepEqual(h.names('logs'), ['clawdbot-2026-01-01.log.gz', 'clawdbot-2026-01-03.log', 'notes.log']);
});

it('removes transcripts that no session has after a year, and never one a session has', async () => {
  await using h = await harness();
  h.put(`${SESSIONS}/used.jsonl`, 900);
  h.put(`${SESSIONS}/reset-old.jsonl`, 366);
  h.put(`${SESSIONS}/reset-new.jsonl`, 364);
  h.put(`${SESSIONS}/gone.jsonl.deleted.2025-01-01T00-00-00-000Z`, 400);
  h.put(`${SESSIONS}/sessions.json`, 400);
  h.put(`${SESSIONS}/used.jsonl.bak`, 400);
  await h.retention.prune();
  assert.deepEqual(h.names(SESSIONS), ['reset-new.jsonl', 'sessions.json', 'used.jsonl', 'used.jsonl.bak']);
});

it('keeps left transcripts within their megabytes, the newest first', async () => {
  await using h = await harness({ settings: { transcriptMegabytes: 1 } });
  h.put(`${SESSIONS}/used.jsonl`, 3, 900_000);
  h.put(`${SESSIONS}/one.jsonl`, 1, 600_000);
  h.put(`${SESSIONS}/two.jsonl`, 2, 600_000);
  h.put(`${SESSIONS}/three.jsonl`, 3, 10);
  assert.deepEqual(await h.retention.prune({ dryRun: true }), { files: 2, bytes: 600_010 });
  assert.equal(h.names(SESSIONS).length, 4);
  await h.retention.prune();
  assert.deepEqual(h.names(SESSIONS), ['one.jsonl', 'used.jsonl']);
});

it('takes a folder without sessions for one whose store was lost, and removes only what was deleted', async () => {
  await using h = await harness({ ids: [] });
  h.put(`${SESSIONS}/old.jsonl`, 900);
  h.put(`${SESSIONS}/gone.jsonl.deleted.2025-01-01T00-00-00-000Z`, 900);
  await h.retention.prune();
  assert.deepEqual(h.names(SESSIONS), ['old.jsonl']);
});

it('keeps what the file of the sessions names, also of an agent that is not configured any more', async () => {
  await using h = await harness();
  h.put(`${SESSIONS}/used.jsonl`, 900);
  h.put(`${SESSIONS}/of-another.jsonl`, 900);
  h.put(`${SESSIONS}/left.jsonl`, 900);
  h.write(`${SESSIONS}/sessions.json`, JSON.stringify({ 'agent:gone:main': { sessionId: 'of-another' } }));
  await h.retention.prune();
  assert.deepEqual(h.names(SESSIONS), ['of-another.jsonl', 'sessions.json', 'used.jsonl']);
});

it('does so by itself, and goes on after trouble', async () => {
  await using h = await harness();
  h.put('logs/clawdbot-2026-01-01.log', 31);
  h.retention.start();
  await h.clock.advance(FIRST_ROUND_MS);
  await h.retention.close();
  assert.deepEqual(h.logged, ['retention.removed']);

  await using broken = await harness({ fails: true });
  broken.put('logs/clawdbot-2026-01-01.log', 31);
  broken.retention.start();
  await broken.clock.advance(FIRST_ROUND_MS);
  await broken.clock.advance(6 * 3_600_000);
  await broken.retention.close();
  assert.deepEqual([...new Set(broken.logged)], ['retention']);
  assert.equal(broken.names('logs').length, 1);
});

it('measures what is stored by kind', async () => {
  await using h = await harness();
  h.put('journal.sqlite', 0, 100);
  h.put('journal.sqlite-wal', 0, 20);
  h.put(`${SESSIONS}/used.jsonl`, 0, 30);
  h.put(`${SESSIONS}/left.jsonl`, 0, 40);
  h.put('media/inbound/of-1/a.png', 0, 50);
  h.put('logs/clawdbot-2026-01-01.log', 0, 60);
  const { freeBytes, ...use } = await h.retention.measure();
  assert.ok(freeBytes > 0);
  assert.deepEqual(use, {
    journalBytes: 120,
    transcriptBytes: 30,
    leftTranscriptBytes: 40,
    mediaBytes: 50,
    logBytes: 60,
  });
});
