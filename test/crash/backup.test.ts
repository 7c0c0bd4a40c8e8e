/**
 * A backup of a busy gateway, and a gateway started on it: everything acknowledged before the backup is there and
 * answered once.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { until } from '../../src/testing/until.ts';
import { audit, type Said } from './audit.ts';
import { timesOf } from './matrix.ts';
import { openRows } from './journal.ts';
import { configText, connect, linkReader, start, stop, type Running } from './scenario.ts';
import { createFixture } from './fixture.ts';
import { built } from '../../src/testing/built.ts';

const SESSIONS = ['s0', 's1', 's2', 's3'];
const BACKUPS = timesOf(1, 3);

/** As a person types it, in a process of its own. */
const backup = (home: string, { port }: Running, to: string): Promise<{ code: number; out: string; err: string }> =>
  new Promise((resolve) => {
    const args = ['--disable-warning=ExperimentalWarning', built('src/main.ts'), 'backup', to];
    execFile(
      process.execPath,
      args,
      { env: { PATH: process.env['PATH'], HOME: home, CLAWDBOT_STATE_DIR: home, CLAWDBOT_GATEWAY_PORT: String(port) } },
      (error, out, err) => resolve({ code: Number(error?.code ?? 0), out, err }),
    );
  });

/** Talks in every session without a pause until it is told to stop; what the gateway took is in `taken`, in order. */
async function sendFromMany(running: Running, taken: Said[]): Promise<{ stop(): Promise<void> }> {
  const client = await connect(running);
  const going = { on: true };
  const talking = SESSIONS.map(async (session) => {
    for (let nth = 0; going.on; nth++) {
      const message = { id: `id-${session}-${nth}`, session, nth, text: `${session}-${nth}` };
      await client.call('chat.send', { sessionKey: session, message: message.text, idempotencyKey: message.id });
      taken.push(message);
    }
  });
  return {
    async stop() {
      going.on = false;
      await Promise.all(talking);
      await client.close();
    },
  };
}

test('a backup of a busy gateway holds everything that was acknowledged before it began', {
  timeout: 300_000,
}, async (t) => {
  const root = await mkdtemp(join(tmpdir(), 'clawdbot-backup-'));
  const home = join(root, 'state');
  const fixture = await createFixture();
  fixture.pause = () => 3;
  try {
    await mkdir(home, { mode: 0o700 });
    await writeFile(join(home, 'clawdbot.json'), configText(fixture.url, 'followup', await linkReader(home)));
    const running = await start(home, fixture, '-');
    const taken: Said[] = [];
    const talking = await sendFromMany(running, taken);
    const copies: { path: string; before: readonly Said[] }[] = [];
    for (let nth = 0; nth < BACKUPS; nth++) {
      await until(() => taken.length > (nth + 1) * 40);
      const [path, before] = [join(root, `copy-${nth}`), [...taken]];
      const { code, out, err } = await backup(home, running, path);
      assert.deepEqual([code, err], [0, '']);
      assert.match(out, /holds a copy of .* the journal and \d+ files/);
      copies.push({ path, before });
    }
    await talking.stop();
    running.child.kill('SIGKILL');
    await running.gone;
    const faults: string[] = [];
    for (const { path, before } of copies) {
      assert.equal(statSync(path).mode & 0o777, 0o700);
      for (const left of ['gateway.lock', 'gateway.held', 'journal.sqlite-wal', 'logs'])
        assert.equal(existsSync(join(path, left)), false, left);
      const open = openRows(path);
      const restored = await start(path, fixture, '-');
      await until(() => openRows(path) === 0);
      await stop(restored);
      faults.push(...audit(path, fixture, before, new Set()));
      t.diagnostic(
        `${before.length} messages acknowledged before, ${open} rows open in the copy, ${faults.length} faults`,
      );
    }
    assert.deepEqual(faults, []);
  } finally {
    await fixture.close();
    await rm(root, { recursive: true, force: true, maxRetries: 5 });
  }
});
