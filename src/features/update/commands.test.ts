/** What the terminal says of updates, asked of a gateway that is played. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fakeTerminal, type Answers } from '../../cli/fake.ts';
import { present } from '../../core/present.ts';
import { update } from './commands.ts';

async function run(answers: Answers, flags: Record<string, true> = {}) {
  const io = fakeTerminal({ answers });
  const link = await io.connect({ env: io.env(), timeoutMs: 1 });
  const code = await update({
    args: [],
    flags: { has: (name: string) => name in flags, text: () => undefined, number: () => undefined, list: () => [] },
    io,
    gateway: async () => link,
  });
  return { code, io, out: io.lines.join('\n'), err: io.errors.join('\n') };
}

const code = (version: string, sha = 'a'.repeat(40)) => ({ version, sha });
const log = { exitCode: 0, stdoutTail: '', stderrTail: '' };
const status = { mode: 'git', root: '/r', current: code('1.0.0'), updateAvailable: null };

test('update says what it came to, and when the gateway is gone for a moment', async () => {
  const ran = await run({
    'update.run': {
      ok: true,
      result: { status: 'ok', before: code('1.0.0'), after: code('1.1.0', 'b'.repeat(40)), steps: [] },
      restart: { delayMs: 2000 },
    },
  });
  assert.deepEqual(
    [ran.code, ran.out],
    [0, 'Updated from 1.0.0 (aaaaaaaaaa) to 1.1.0 (bbbbbbbbbb).\nThe gateway restarts in 2 s.'],
  );
  assert.deepEqual(ran.io.requests, [{ method: 'update.run', params: {} }]);
});

test('update with nothing to do ends well and says why', async () => {
  const ran = await run({
    'update.run': {
      ok: true,
      result: { status: 'skipped', reason: 'dirty', advice: 'Commit or put them aside.', steps: [] },
      restart: null,
    },
  });
  assert.deepEqual([ran.code, ran.out], [0, 'Nothing to do (dirty). Commit or put them aside.']);
});

test('update that failed shows the step it failed at, and what it wrote', async () => {
  const steps = [
    { name: 'fetch', durationMs: 1, log },
    { name: 'build', durationMs: 1, log: { exitCode: 2, stdoutTail: 'compiling\n', stderrTail: 'no such file\n' } },
    { name: 'back: build', durationMs: 1, log: { ...log, exitCode: 1 } },
  ];
  const ran = await run({
    'update.run': {
      ok: false,
      result: { status: 'error', reason: 'build-failed', advice: 'The old code was restored.', steps },
      restart: null,
    },
  });
  assert.deepEqual(
    [ran.code, ran.out, ran.err],
    [1, '', 'build:\n  compiling\n  no such file\nNot updated (build-failed). The old code was restored.'],
  );
});

test('update --json prints the report alone', async () => {
  const report = { ok: true, result: { status: 'skipped', reason: 'up-to-date', steps: [] }, restart: null };
  const ran = await run({ 'update.run': report }, { json: true });
  assert.deepEqual(JSON.parse(ran.out), report);
});

test('update shows each step while it waits for the end', async () => {
  const steps = ['install', 'install', 'build'];
  const end = Promise.withResolvers<unknown>();
  const ran = await run({
    'update.run': () => end.promise,
    'update.status': () => {
      const step = steps.shift();
      if (step === undefined)
        end.resolve({ ok: true, result: { status: 'skipped', reason: 'x', steps: [] }, restart: null });
      return { ...status, ...present({ running: step ? { step } : undefined }) };
    },
  });
  assert.equal(ran.out, '… install\n… build\nNothing to do (x).');
});

test('update --check checks again, and fails only if something prevents the update', async () => {
  const check = (over: object) => run({ 'update.status': { ...status, ...over } }, { check: true });
  const newer = await check({
    updateAvailable: { latestVersion: '1.1.0', upstreamSha: 'b'.repeat(40), commitsBehind: 3 },
  });
  assert.deepEqual(
    [newer.code, newer.io.requests],
    [0, [{ method: 'update.status', params: { refreshCheckout: true } }]],
  );
  assert.match(
    newer.out,
    /installed +1\.0\.0 \(aaaaaaaaaa\) \(git, \/r\)\navailable +1\.1\.0 \(bbbbbbbbbb\), 3 commits: clawdbot update/,
  );
  assert.deepEqual(
    [
      (await check({ reason: 'up-to-date', advice: 'Nothing newer on origin/main.' })).code,
      (await check({ reason: 'dirty', advice: 'x' })).code,
    ],
    [0, 1],
  );
  assert.match((await check({ running: { step: 'build' } })).out, /running +an update: build/);
});
