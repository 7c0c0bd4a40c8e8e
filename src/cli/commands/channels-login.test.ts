/** `channels login`: what a person sees while a phone confirms it. */
import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { tempDir } from '../../testing/temp-dir.ts';
import { runCli } from '../cli.ts';
import { type Answers, fakeTerminal } from '../fake.ts';

const PLUGIN = `import { z } from '${import.meta.resolve('zod')}';
${'export'} default {
  id: 'starling', label: 'Starling', connect() {}, config: z.looseObject({}),
  login: { methods: ['qr', 'code'], steps: ['Open the nest.', 'Scan.'], state() {}, run() {} },
  capabilities: { chats: ['direct'], threads: false, edit: false, react: true, typing: false, media: false, voice: false, markdown: 'none', maxTextLength: 100, idempotentSend: false, deliverable: true },
};`;

async function login(t: TestContext, argv: string, answers: Answers) {
  const dir = await tempDir('login-cli');
  t.after(() => dir[Symbol.asyncDispose]());
  await mkdir(join(dir.path, '.clawdbot'), { mode: 0o700 });
  const plugin = join(dir.path, 'starling.mjs');
  await writeFile(plugin, PLUGIN);
  const config = { plugins: { load: { paths: [plugin] } }, channels: { starling: {} } };
  await writeFile(join(dir.path, '.clawdbot', 'clawdbot.json'), JSON.stringify(config), { mode: 0o600 });
  const io = fakeTerminal({ answers, vars: { HOME: dir.path } });
  const code = await runCli(`channels ${argv}`.split(' '), io);
  return { code, out: io.lines.join('\n'), err: io.errors.join('\n'), requests: io.requests };
}

const view = {
  channel: 'starling',
  label: 'Starling',
  accountId: 'default',
  connected: false,
  steps: ['Open the nest.', 'Scan.'],
};

test('the steps, the QR code in characters, and the end', async (t) => {
  const { code, out, requests } = await login(t, 'login --channel starling', {
    'web.login.start': { ...view, state: 'waiting', message: 'Scan it.', qr: '2@picture', qrDataUrl: 'data:', nth: 1 },
    'web.login.wait': { ...view, state: 'linked', message: 'Starling is logged in as +1.' },
  });
  assert.equal(code, 0);
  assert.match(
    out,
    /1\. Open the nest\.\n2\. Scan\.\n[\s\S]*[▀▄█ ]{20,}[\s\S]*Scan it\.\nStarling is logged in as \+1\.$/,
  );
  assert.deepEqual(
    requests.map(({ method, params }) => [method, params]),
    [
      ['web.login.start', { channel: 'starling', timeoutMs: 60_000 }],
      ['web.login.wait', { channel: 'starling', accountId: 'default', after: 1, timeoutMs: 60_000 }],
    ],
  );
});

test('a code for the phone; a login that failed is an error', async (t) => {
  const { code, out, err, requests } = await login(t, 'login --channel starling --phone +49151 --force', {
    'web.login.start': { ...view, state: 'waiting', message: 'Type it.', code: 'ABCD-1234', nth: 1 },
    'web.login.wait': { ...view, state: 'failed', message: 'Nobody typed it.' },
  });
  assert.deepEqual([code, err], [1, 'Nobody typed it.']);
  assert.match(out, /Code: ABCD-1234/);
  assert.deepEqual(requests[0]!.params, {
    channel: 'starling',
    phone: '+49151',
    method: 'code',
    force: true,
    timeoutMs: 60_000,
  });
});

test('an account that is logged in says so and shows nothing', async (t) => {
  const { code, out } = await login(t, 'login --channel starling', {
    'web.login.start': { ...view, state: 'linked', connected: true, message: 'Starling is logged in already.' },
  });
  assert.deepEqual([code, out], [0, 'Starling is logged in already.']);
});
