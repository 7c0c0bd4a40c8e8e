/** Many messages in many sessions while the gateway restarts: each is answered exactly once, in order. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { it } from 'node:test';
import { startGateway, type Chat, type RunningGateway } from '../../src/testing/running-gateway.ts';
import { until } from '../../src/testing/until.ts';
import { timesOf } from '../crash/matrix.ts';

const SESSIONS = 50;
/** All of them in `npm run test:full`. */
const EACH = timesOf(6, 40);
const RESTARTS = 4;

/** A client that comes back after each restart and repeats what it got no receipt for, as clients do. */
function persistentChat(gateway: RunningGateway): {
  send(session: string, runId: string): Promise<void>;
  turnOver(): void;
} {
  const state: { chat: Promise<Chat> | undefined } = { chat: undefined };
  return {
    turnOver: () => {
      state.chat = undefined;
    },
    async send(session, runId) {
      for (let tries = 0; tries < 500; tries++) {
        try {
          const chat = await (state.chat ??= gateway.connect());
          return await chat.call('chat.send', { sessionKey: session, message: runId, idempotencyKey: runId });
        } catch {
          state.chat = undefined; // it went away under us, or is about to
          await new Promise((resolve) => setTimeout(resolve, 10));
        }
      }
      throw new Error(`Nobody took ${runId}.`);
    },
  };
}

it(`answers ${SESSIONS * EACH} messages exactly once through ${RESTARTS} restarts`, async () => {
  await using gateway = await startGateway({
    config: {
      messages: { queue: { mode: 'followup', cap: 1000 } },
      agents: { defaults: { maxConcurrent: 16 } },
      logging: { level: 'silent' },
    },
  });
  const sessions = Array.from({ length: SESSIONS }, (_, n) => `soak${n}`);
  const client = persistentChat(gateway);
  const progress = { sent: 0 };
  const talking = Promise.all(
    sessions.map(async (session) => {
      for (let n = 0; n < EACH; n++) {
        await client.send(session, `${session}-${n}`);
        progress.sent++;
      }
    }),
  );
  for (let nth = 1; nth <= RESTARTS; nth++) {
    await until(() => progress.sent >= (SESSIONS * EACH * (nth - 0.4)) / (RESTARTS + 1), `restart ${nth}`);
    await gateway.restart();
    client.turnOver();
  }
  await talking;

  const journal = new DatabaseSync(join(gateway.stateDir, 'journal.sqlite'), { readOnly: true });
  const count = (sql: string): number => Number(journal.prepare(sql).get()!['n']);
  for (
    let left = 240;
    left > 0 &&
    count(`SELECT count(*) AS n FROM inbound WHERE state = 'accepted'`) +
      count(`SELECT count(*) AS n FROM outbox WHERE state != 'sent'`) >
      0;
    left--
  )
    await new Promise((resolve) => setTimeout(resolve, 250));
  assert.deepEqual(
    journal
      .prepare('SELECT state, count(*) AS n FROM inbound GROUP BY state')
      .all()
      .map((row) => ({ ...row })),
    [{ state: 'answered', n: SESSIONS * EACH }],
  );
  assert.equal(count(`SELECT count(DISTINCT run_id) AS n FROM outbox WHERE state = 'sent'`), SESSIONS * EACH);
  assert.equal(count('SELECT count(*) AS n FROM outbox'), SESSIONS * EACH);
  journal.close();

  await using chat = await gateway.connect();
  for (const session of sessions) {
    const history = await chat.history(session);
    assert.deepEqual(
      history.filter(({ role }) => role === 'user').map(({ text }) => text),
      Array.from({ length: EACH }, (_, n) => `${session}-${n}`),
    );
    assert.deepEqual(
      history.map(({ role }) => role),
      Array.from({ length: EACH * 2 }, (_, n) => (n % 2 === 0 ? 'user' : 'assistant')),
    );
  }
});
