/**
 * The journal's files or folder are deleted, replaced or truncated while the gateway runs: nothing acknowledged is
 * lost, or the loss is reported.
 */
import assert from 'node:assert/strict';
import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import { connectGateway } from '../../src/gateway/client.ts';
import { ownHome } from '../../src/testing/own-gateway.ts';
import { startGateway, type RunningGateway } from '../../src/testing/running-gateway.ts';
import { until } from '../../src/testing/until.ts';

const filesOf = (stateDir: string): string[] => ['', '-wal'].map((end) => join(stateDir, `journal.sqlite${end}`));
const asideIn = (stateDir: string): string[] =>
  readdirSync(stateDir).filter((name) => name.startsWith('journal.sqlite') && name.includes('.corrupt-'));

async function readiness(
  gateway: Pick<RunningGateway, 'fetch'>,
): Promise<{ http: number; status: string; storage: { ok: boolean; error?: string; loss?: string } }> {
  const answer = await gateway.fetch('/readyz');
  const { status, details } = (await answer.json()) as { status: string; details: { storage: { ok: boolean } } };
  return { http: answer.status, status, storage: details.storage };
}

function readingJournal(stateDir: string): Disposable {
  const db = new DatabaseSync(filesOf(stateDir)[0]!, { readOnly: true });
  db.exec('BEGIN');
  db.prepare('SELECT count(*) FROM inbound').get();
  return { [Symbol.dispose]: () => db.close() };
}

/** What is written a moment after the last answer would fill the log up again before anybody looks. */
async function quietLog(stateDir: string): Promise<void> {
  const seen = { bytes: -1, looks: 0 };
  await until(() => {
    const bytes = statSync(filesOf(stateDir)[1]!).size;
    seen.looks = bytes === seen.bytes ? seen.looks + 1 : 0;
    seen.bytes = bytes;
    return seen.looks > 20;
  }, 'nothing is written any more');
}

const ready = (gateway: RunningGateway): Promise<unknown> =>
  until(async () => (await readiness(gateway)).http === 200, 'it is ready again');

describe('a journal under a running gateway', () => {
  const damages: Readonly<Record<string, (stateDir: string) => void>> = {
    'that is deleted': (stateDir) => filesOf(stateDir).forEach((path) => rmSync(path)),
    'whose log is deleted': (stateDir) => rmSync(filesOf(stateDir)[1]!),
    'that is deleted without its log': (stateDir) => rmSync(filesOf(stateDir)[0]!),
    'that is moved away': (stateDir) => filesOf(stateDir).forEach((path) => renameSync(path, `${path}.moved`)),
    'that is replaced by something else': (stateDir) =>
      filesOf(stateDir).forEach((path) => {
        rmSync(path);
        writeFileSync(path, 'nothing SQLite knows');
      }),
    'whose log is replaced by an empty file': (stateDir) => {
      rmSync(filesOf(stateDir)[1]!);
      writeFileSync(filesOf(stateDir)[1]!, '');
    },
  };
  for (const [name, damage] of Object.entries(damages)) {
    it(`${name} is written anew with all its rows, while a turn runs`, async () => {
      await using gateway = await startGateway();
      const chat = await gateway.connect();
      const whole = Promise.withResolvers<void>();
      gateway.models.reply({ text: ['one'] }, { text: ['two'], pause: whole.promise }, { text: ['three'] });
      await chat.say('first', { runId: 'r1' });
      const second = await chat.send('second', { runId: 'r2', session: 'other' });
      damage(gateway.stateDir);
      assert.equal(await chat.say('third', { runId: 'r3' }), 'three', 'accepted once it is on disk again');
      whole.resolve();
      assert.equal((await second.ended).text, 'two');
      await ready(gateway);
      assert.equal((await readiness(gateway)).storage.loss, undefined);
      await chat[Symbol.asyncDispose]();
      await gateway.restart();
      await using again = await gateway.connect();
      for (const runId of ['r1', 'r2', 'r3'])
        assert.deepEqual(
          (await again.call('chat.timeline', { runId })).entries
            .map(({ stage }: { stage: string }) => stage)
            .slice(0, 1),
          ['accepted'],
          runId,
        );
    });
  }

  it('that is shortened in place is set aside and begun anew, and what may be missing is said until the gateway ends', async () => {
    await using gateway = await startGateway();
    await using chat = await gateway.connect();
    await chat.say('first');
    // More than SQLite keeps in memory, so that not all can be told from there.
    {
      // Somebody who reads keeps the log as it is: what had gone on to the other file would not be missing.
      using _reader = readingJournal(gateway.stateDir);
      for (let n = 0; n < 8; n++) await chat.say(`${n}${'x'.repeat(400_000)}`, { session: 'long' });
      await quietLog(gateway.stateDir);
      truncateSync(filesOf(gateway.stateDir)[1]!, 0);
    }
    await until(async () => (await readiness(gateway)).storage.loss, 'it is noticed without a message');
    const { http, storage } = await readiness(gateway);
    assert.equal(http, 200);
    assert.match(
      storage.loss!,
      /journal\.sqlite-wal was shortened from \d+ to 0 bytes\..*moved aside: .*journal\.sqlite.*\.corrupt-/,
    );
    assert.ok(asideIn(gateway.stateDir).length > 0);
    assert.equal(await chat.say('second'), 'ok');
    assert.deepEqual(
      (await chat.history()).map(({ text }) => text),
      ['first', 'ok', 'second', 'ok'],
    );
  });

  it('leaves no index file beside it that somebody could shorten', async () => {
    await using gateway = await startGateway();
    await using chat = await gateway.connect();
    await chat.say('first');
    assert.equal(existsSync(join(gateway.stateDir, 'journal.sqlite-shm')), false);
  });

  it('that is deleted loses no message that was acknowledged, whatever ends the process next', async () => {
    await using home = await ownHome();
    writeFileSync(
      join(home.state, 'clawdbot.json'),
      JSON.stringify({
        models: {
          providers: {
            none: {
              baseUrl: 'http://127.0.0.1:9/v1',
              apiKey: 'none',
              api: 'openai-completions',
              models: [{ id: 'none' }],
            },
          },
        },
        agents: { defaults: { model: 'none/none' } },
        logging: { level: 'silent', consoleLevel: 'silent' },
      }),
    );
    const runs = Array.from({ length: 20 }, (_, n) => `deleted-${n}`);
    {
      await using gateway = await home.start();
      await using client = await connectGateway({ url: `ws://127.0.0.1:${gateway.port}`, token: gateway.token });
      for (const [index, runId] of runs.entries()) {
        if (index === 10) filesOf(home.state).forEach((path) => rmSync(path));
        await client.call('chat.send', { sessionKey: `s${index}`, message: runId, idempotencyKey: runId });
      }
    } // SIGKILL
    await using again = await home.start();
    await using client = await connectGateway({ url: `ws://127.0.0.1:${again.port}`, token: again.token });
    const missing: string[] = [];
    for (const runId of runs)
      if (
        (await client.call<{ entries: unknown[] }>('chat.timeline', { runId }).catch(() => ({ entries: [] }))).entries
          .length === 0
      )
        missing.push(runId);
    assert.deepEqual(missing, []);
  });
});

describe('a state folder under a running gateway', () => {
  it('that is moved away is told by /readyz and takes nothing; back again, all goes on', async () => {
    await using gateway = await startGateway();
    await using chat = await gateway.connect();
    await chat.say('first');
    const away = `${gateway.stateDir}-away`;
    renameSync(gateway.stateDir, away);
    const { http, status, storage } = await readiness(gateway);
    assert.deepEqual([http, status, storage.ok], [503, 'storage', false]);
    assert.match(storage.error!, /is no longer accessible \(ENOENT\).*restore it/);
    await assert.rejects(chat.send('second'), /is no longer accessible/);
    assert.equal((await gateway.fetch('/healthz')).status, 200);
    renameSync(away, gateway.stateDir);
    assert.equal((await readiness(gateway)).http, 200);
    assert.equal(await chat.say('third'), 'ok');
    assert.deepEqual(
      (await chat.history()).map(({ text }) => text),
      ['first', 'ok', 'third', 'ok'],
    );
  });

  it('that is deleted is told too; an empty one in its place gets the journal back', async () => {
    await using gateway = await startGateway();
    await using chat = await gateway.connect();
    await chat.say('first');
    rmSync(gateway.stateDir, { recursive: true });
    assert.equal((await readiness(gateway)).status, 'storage');
    writeFileSync(gateway.stateDir, 'a file in its place');
    assert.deepEqual(
      [(await readiness(gateway)).status, (await readiness(gateway)).storage.error?.includes('ENOTDIR')],
      ['storage', true],
    );
    rmSync(gateway.stateDir);
    mkdirSync(gateway.stateDir, { mode: 0o700 });
    await ready(gateway);
    assert.equal(readFileSync(filesOf(gateway.stateDir)[0]!).subarray(0, 15).toString(), 'SQLite format 3');
    assert.equal(await chat.say('second'), 'ok');
  });
});
