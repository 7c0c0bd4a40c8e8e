/** After a crash the transcript says what the journal knows: once, in order, in the session the turn belonged to. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { createReconciler } from '../agent/turn/reconciler.ts';
import { silentLog } from '../core/log.ts';
import { defaultKeyRules } from '../core/session-key.ts';
import { noUsage, textOf, type AssistantMessage } from '../core/transcript.ts';
import { createJournal } from '../journal/create-journal.ts';
import { sessionConfigSchema } from '../sessions/config.ts';
import { createSessions } from '../sessions/sessions.ts';
import { createSessionStore } from '../sessions/store.ts';
import { createTranscripts } from '../sessions/transcripts.ts';
import { createFakeClock } from '../testing/fake-clock.ts';
import { accepted } from '../testing/sample-inbound.ts';
import { tempDir } from '../testing/temp-dir.ts';
import { COMMANDS } from './commands/table.ts';
import { reconcileTranscripts } from './reconcile.ts';
import { instantDisk } from '../testing/instant-disk.ts';

const KEY = 'agent:main:main';
const answer = (content: AssistantMessage['content']): AssistantMessage => ({
  role: 'assistant',
  content,
  timestamp: 1,
  provider: 'p',
  model: 'm',
  usage: noUsage,
  stopReason: 'stop',
});
const user = (text: string) => ({ role: 'user' as const, content: [{ type: 'text' as const, text }], timestamp: 1 });

/** A turn of two steps with a tool and a steered message, ended in the journal; its transcript was never written. */
async function harness() {
  const dir = await tempDir('reconcile');
  const clock = createFakeClock();
  const journal = createJournal({ ...instantDisk, path: join(dir.path, 'journal.sqlite'), now: clock.now });
  const transcripts = createTranscripts({ log: silentLog });
  const store = createSessionStore({
    path: () => join(dir.path, 'sessions.json'),
    redo: { ...journal.redo, record: (redo) => journal.redo.record(redo, { sync: true }) },
    log: silentLog,
    clock,
  });
  const config = sessionConfigSchema.parse({ store: join(dir.path, 'sessions.json') });
  const sessions = createSessions({
    store,
    transcripts,
    stateDir: dir.path,
    home: dir.path,
    log: silentLog,
    now: clock.now,
    config: () => config,
    keyRules: () => defaultKeyRules,
  });
  const reconciler = createReconciler({ journal, transcripts, log: silentLog, clock });
  const entry = await sessions.patch(KEY, {});
  const { row } = await journal.inbound.accept(accepted({ text: 'do it' }), 't1');
  const { row: joined } = await journal.inbound.accept(accepted({ id: 'm2', text: 'quickly' }), 't2');
  const { turns } = journal;
  await turns.begin({ id: 't1', sessionKey: KEY, agentId: 'main', sessionId: entry.sessionId, seqs: [row.seq] });
  await turns.modelFinished(
    't1',
    0,
    answer([
      { type: 'toolCall', id: 'x', name: 'read', arguments: {} },
      { type: 'toolCall', id: 'y', name: 'write', arguments: {} },
    ]),
    [
      { callId: 'x', tool: 'read', input: {}, readOnly: true },
      { callId: 'y', tool: 'write', input: {}, readOnly: false },
    ],
  );
  await turns.toolFinished('t1', {
    role: 'toolResult',
    toolCallId: 'x',
    toolName: 'read',
    content: [{ type: 'text', text: 'was read' }],
    isError: false,
    timestamp: 1,
  });
  await turns.steered('t1', 1, [user('quickly')], [joined.seq]);
  await turns.modelFinished('t1', 1, answer([{ type: 'text', text: 'done' }]), []);
  await turns.end({
    turnId: 't1',
    outcome: { kind: 'done', text: 'done', usage: noUsage },
    inbound: { state: 'answered' },
    replies: [],
  });
  const textsOf = async (known: typeof sessions): Promise<string[]> =>
    (await known.existing(KEY))!.transcript.lines.map((line) =>
      line.type === 'message' ? `${line.message.role}:${textOf(line.message.content)}` : line.type,
    );
  const texts = (): Promise<string[]> => textsOf(sessions);
  const runOn = (known: typeof sessions): Promise<number> =>
    reconcileTranscripts({
      journal,
      sessions: known,
      reconciler,
      log: silentLog,
      queueSettings: () => ({}),
      context: () => ({ label: undefined, showIds: false, elapsed: false }),
      rules: () => ({ commands: COMMANDS, text: true, resetTriggers: ['/new'], modelNames: [] }),
    });
  return {
    journal,
    sessions,
    reconciler,
    texts,
    run: () => runOn(sessions),
    file: sessions.transcriptPath(KEY, entry),
    /** The next run's look at the same disk. */
    async nextInstance(): Promise<string[]> {
      const fresh = createTranscripts({ log: silentLog });
      const next = createSessions({
        store,
        transcripts: fresh,
        stateDir: dir.path,
        home: dir.path,
        log: silentLog,
        now: clock.now,
        config: () => config,
        keyRules: () => defaultKeyRules,
      });
      await runOn(next);
      const found = await textsOf(next);
      await fresh.close();
      return found;
    },
    async [Symbol.asyncDispose]() {
      await reconciler.close();
      await transcripts.close();
      await store.close();
      await journal.close();
      await dir[Symbol.asyncDispose]();
    },
  };
}
const WHOLE = ['user:do it', 'assistant:', 'toolResult:was read', 'user:quickly', 'assistant:done'];

describe('reconciling', () => {
  it('writes what is missing, in the order it happened, and settles the turn', async () => {
    await using s = await harness();
    assert.equal(await s.run(), 1);
    assert.deepEqual(await s.texts(), WHOLE);
    await s.reconciler.flush();
    assert.deepEqual(await s.journal.turns.unsettled(), []);
    assert.equal(await s.run(), 0);
  });

  it('writes what was handed over for an answer that never came', async () => {
    await using s = await harness();
    const { row } = await s.journal.inbound.accept(accepted({ id: 'm3', text: 'and then' }), 't3');
    await s.journal.turns.begin({
      id: 't3',
      sessionKey: KEY,
      agentId: 'main',
      sessionId: (await s.sessions.patch(KEY, {})).sessionId,
      seqs: [row.seq],
    });
    await s.journal.turns.steered('t3', 0, [user('more')], []);
    await s.journal.turns.end({
      turnId: 't3',
      outcome: { kind: 'aborted', text: '', usage: noUsage },
      inbound: { state: 'answered' },
      replies: [],
    });
    await s.run();
    assert.deepEqual(await s.texts(), [...WHOLE, 'user:and then', 'user:more']);
  });

  it(
    'a page that a power cut tore out costs neither the turns behind it nor their order, and leaves a file ' +
      'that can be read line by line',
    async () => {
      await using s = await harness();
      const { row } = await s.journal.inbound.accept(accepted({ id: 'm3', text: 'and then' }), 't3');
      await s.journal.turns.begin({
        id: 't3',
        sessionKey: KEY,
        agentId: 'main',
        sessionId: (await s.sessions.patch(KEY, {})).sessionId,
        seqs: [row.seq],
      });
      await s.journal.turns.modelFinished('t3', 0, answer([{ type: 'text', text: 'later' }]), []);
      await s.journal.turns.end({
        turnId: 't3',
        outcome: { kind: 'done', text: 'later', usage: noUsage },
        inbound: { state: 'answered' },
        replies: [],
      });
      await s.run();
      const whole = [...WHOLE, 'user:and then', 'assistant:later'];
      assert.deepEqual(await s.texts(), whole);
      const before = readFileSync(s.file);
      for (const [from, to] of [
        [0, 100],
        [300, 900],
        [before.indexOf('done') - 20, before.indexOf('done') + 300],
      ] as const) {
        writeFileSync(s.file, Buffer.from(before).fill(0, from, to));
        assert.deepEqual(await s.nextInstance(), whole, `${from} to ${to}`);
        assert.ok(
          readFileSync(s.file, 'utf8')
            .split('\n')
            .filter(Boolean)
            .every((line) => JSON.parse(line).type),
        );
      }
      assert.equal(
        readdirSync(dirname(s.file)).filter((name) => name.includes('.corrupt-')).length,
        3,
        'a copy of each stays',
      );
    },
  );

  it('twice changes nothing', async () => {
    await using s = await harness();
    await s.run();
    await s.run();
    assert.deepEqual(await s.texts(), WHOLE);
  });

  it("goes to the turn's own session, though the conversation has started over since", async () => {
    await using s = await harness();
    await s.sessions.reset(KEY);
    await s.run();
    assert.deepEqual(await s.texts(), []);
    await s.reconciler.flush();
    assert.deepEqual(await s.journal.turns.unsettled(), []);
  });

  it('lets go of a turn whose session was deleted', async () => {
    await using s = await harness();
    await s.sessions.delete(KEY, false);
    assert.equal(await s.run(), 1);
    await s.reconciler.flush();
    assert.deepEqual(
      await s.journal.turns.unsettled(),
      [],
      'else every start looks at it again, and it is never pruned',
    );
  });
});
