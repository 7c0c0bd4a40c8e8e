/** Linking an account to a phone, and the login files: damaged, foreign, replaced, removed. */
import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import type { LoginPrompt, LoginRequest, LoginState } from '../../core/channel-login.ts';
import type { AppError } from '../../core/errors.ts';
import { testAccount } from '../../testing/channel-account.ts';
import { until } from '../../testing/until.ts';
import { startFakeWhatsapp, type FakeWhatsapp } from './fake.ts';
import whatsapp from './index.ts';

interface LoggingIn {
  readonly prompts: LoginPrompt[];
  readonly over: Promise<LoginState>;
  readonly stop: AbortController;
}

async function logIn(platform: FakeWhatsapp, request: LoginRequest): Promise<LoggingIn> {
  await using fixture = await testAccount(whatsapp, { config: platform.config });
  const prompts: LoginPrompt[] = [];
  const stop = new AbortController();
  const over = whatsapp.login!.run({ ...fixture.account, signal: stop.signal }, request, (prompt) =>
    prompts.push(prompt),
  );
  over.catch(() => undefined); // each test looks itself
  return { prompts, over, stop };
}

const stateOf = async (platform: FakeWhatsapp): Promise<LoginState> => {
  await using fixture = await testAccount(whatsapp, { config: platform.config });
  return whatsapp.login!.state(fixture.account);
};

test('a phone scans a QR code, which is renewed, and the account connects with it', async () => {
  await using platform = await startFakeWhatsapp({ linked: false });
  assert.deepEqual(await stateOf(platform), { linked: false });
  const { prompts, over } = await logIn(platform, { method: 'qr' });
  await until(() => prompts.length === 1, 'the first picture');
  platform.nextPicture();
  await until(() => prompts.length === 2, 'the second picture');
  assert.deepEqual(
    prompts.map(({ kind, text }) => [kind, text]),
    [
      ['qr', '2@picture-1'],
      ['qr', '2@picture-2'],
    ],
  );
  assert.ok(prompts[0]!.expiresAt > Date.now());
  platform.link();
  assert.deepEqual(await over, { linked: true, as: platform.botId });
  assert.deepEqual(await stateOf(platform), { linked: true, as: platform.botId });
  assert.deepEqual(await readdir(join(platform.authDir, 'pending')), [], 'nothing is left of the attempt');
  await using fixture = await testAccount(whatsapp, { config: platform.config });
  await fixture.connect();
  assert.equal(fixture.facts.self?.id, platform.botId);
});

test('a code is typed on the phone, in two groups; without a number it is refused', async () => {
  await using platform = await startFakeWhatsapp({ linked: false });
  const none = await logIn(platform, { method: 'code' });
  await assert.rejects(none.over, { code: 'invalid', message: /number of the phone/ });
  const { prompts, over } = await logIn(platform, { method: 'code', phone: '+1 555 000 9999' });
  await until(() => prompts.length === 1, 'the code');
  assert.deepEqual([prompts[0]!.kind, prompts[0]!.text], ['code', 'ABCD-1234']);
  platform.link();
  assert.equal((await over).linked, true);
});

test('a code nobody scans expires; a login that is cancelled, or fails, leaves the one before it', async () => {
  await using platform = await startFakeWhatsapp();
  const before = await readFile(join(platform.authDir, 'creds.json'), 'utf8');
  const expired = await logIn(platform, { method: 'qr' });
  await until(() => expired.prompts.length === 1, 'a picture');
  platform.expire();
  await assert.rejects(expired.over, { code: 'timeout', message: /expired/ });
  const cancelled = await logIn(platform, { method: 'qr' });
  await until(() => cancelled.prompts.length === 1, 'a picture');
  cancelled.stop.abort();
  await assert.rejects(cancelled.over, { code: 'aborted' });
  assert.equal(await readFile(join(platform.authDir, 'creds.json'), 'utf8'), before);
});

test('logging out removes the device on the phone and its files, and no others', async () => {
  await using platform = await startFakeWhatsapp();
  await writeFile(join(platform.authDir, 'session-1.json'), '{}');
  await writeFile(join(platform.authDir, 'my notes.txt'), 'mine');
  await using fixture = await testAccount(whatsapp, { config: platform.config });
  await whatsapp.logout!(fixture.account);
  assert.equal(platform.unlinked, true);
  assert.deepEqual(
    (await readdir(platform.authDir, { withFileTypes: true })).filter((one) => one.isFile()).map(({ name }) => name),
    ['my notes.txt'],
  );
  await assert.rejects(fixture.connect(), { code: 'auth' });
});

test('logging out while WhatsApp cannot be reached still removes the files', async () => {
  await using platform = await startFakeWhatsapp();
  platform.revoke();
  await using fixture = await testAccount(whatsapp, { config: platform.config });
  await whatsapp.logout!(fixture.account);
  assert.deepEqual(await stateOf(platform), { linked: false });
});

test('damaged credentials are restored from when they last worked, and that is reported', async () => {
  await using platform = await startFakeWhatsapp();
  await using first = await testAccount(whatsapp, { config: platform.config });
  const connection = await first.connect();
  await until(async () => (await readdir(platform.authDir)).includes('creds.json.bak'), 'the backup');
  await connection[Symbol.asyncDispose]();
  for (const damage of ['', '{"noiseKey":', 'null']) {
    await writeFile(join(platform.authDir, 'creds.json'), damage);
    await using fixture = await testAccount(whatsapp, { config: platform.config });
    await using _ = await fixture.connect();
    assert.match(JSON.stringify(fixture.facts.problems), /restored from its backup/);
  }
});

test('credentials of another program, or damaged ones without a backup, say what to do', async () => {
  await using platform = await startFakeWhatsapp({ linked: false });
  await mkdir(platform.authDir, { recursive: true });
  for (const foreign of ['{"clientID":"x","serverToken":"y"}', 'not json', '[]']) {
    await writeFile(join(platform.authDir, 'creds.json'), foreign);
    await using fixture = await testAccount(whatsapp, { config: platform.config });
    await assert.rejects(fixture.connect(), (error: AppError) => {
      assert.equal(error.code, 'auth');
      assert.match(error.message, /damaged or of another program/);
      assert.match(String(error.details?.['fix']), /channels login --channel whatsapp/);
      return true;
    });
  }
});

test('a device that WhatsApp logged out needs no force to log in again', async () => {
  await using platform = await startFakeWhatsapp();
  await using fixture = await testAccount(whatsapp, { config: platform.config });
  await using connection = await fixture.connect();
  platform.revoke();
  platform.cut();
  await assert.rejects(connection.ended!, (error: AppError) => {
    assert.match(`${error.message} ${String(error.details?.['fix'])}`, /logged this device out.*Log in again/);
    return error.code === 'auth';
  });
  assert.deepEqual(await stateOf(platform), { linked: false });
});

test('each status WhatsApp closes with says what to do, and only those that may pass are tried again', async () => {
  const cases = [
    [403, 'auth', /banned/],
    [405, 'unsupported', /webVersion/],
    [411, 'auth', /Update WhatsApp/],
    [419, 'auth', /does not accept/],
  ] as const;
  for (const [status, code, words] of cases) {
    await using platform = await startFakeWhatsapp();
    await using fixture = await testAccount(whatsapp, { config: platform.config });
    await using connection = await fixture.connect();
    platform.end(status);
    await assert.rejects(connection.ended!, (error: AppError) => {
      assert.match(`${error.message} ${String(error.details?.['fix'])}`, words);
      return error.code === code;
    });
  }
  await using platform = await startFakeWhatsapp();
  await using fixture = await testAccount(whatsapp, { config: platform.config });
  await using _ = await fixture.connect();
  for (const status of [440, 500, 503, 515]) {
    await until(() => platform.consumers === 1, 'a connection');
    platform.end(status);
    await until(() => platform.consumers === 0, 'its end');
  }
  await until(() => platform.consumers === 1, 'the last connection');
});

test('a library that is absent, or is another one, is named with what to do', async () => {
  await using platform = await startFakeWhatsapp();
  const withLibrary = (library: string) => testAccount(whatsapp, { config: { ...platform.config, library } });
  await using absent = await withLibrary('baileys-that-is-not-there');
  await assert.rejects(absent.connect(), { code: 'unsupported', message: /not installed/ });
  await using other = await withLibrary('ws');
  await assert.rejects(other.connect(), { code: 'unsupported', message: /makeWASocket, .* is missing/ });
  await using gone = await withLibrary('/nowhere/at/all.mjs');
  await assert.rejects(gone.connect(), { code: 'unsupported' });
});

test('a key that is damaged is dropped, and the account works on', async () => {
  await using platform = await startFakeWhatsapp();
  await rm(join(platform.authDir, 'recent.json'), { force: true });
  await writeFile(join(platform.authDir, 'recent.json'), '{"messages": 5');
  await writeFile(join(platform.authDir, 'sent.json'), '[]');
  await mkdir(join(platform.authDir, 'inbox'), { recursive: true });
  await writeFile(join(platform.authDir, 'inbox', '00000000000001-000001.json'), 'broken');
  await using fixture = await testAccount(whatsapp, { config: platform.config });
  await using _ = await fixture.connect();
  await platform.write({ chat: { kind: 'direct', id: '+15550001001' }, by: '+15550001001', text: 'still there?' });
  await until(() => fixture.received.some(({ text }) => text === 'still there?'), 'the message');
});
