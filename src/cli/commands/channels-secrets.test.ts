/**
 * Secrets of channels on their way into the configuration: their form, what the platform says of them, and how they are
 * typed.
 */
import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { test, type TestContext } from 'node:test';
import JSON5 from 'json5';
import { startFakeDiscord } from '../../channels/discord/fake.ts';
import { startFakeSlack } from '../../channels/slack/fake.ts';
import { startFakeTelegram } from '../../channels/telegram/fake.ts';
import { channelKey } from '../../config/channel-key.ts';
import { processHarness, pollUntil } from '../../testing/processes-harness.ts';
import { startGateway } from '../../testing/running-gateway.ts';
import { tempDir } from '../../testing/temp-dir.ts';
import { runCli } from '../cli.ts';
import { fakeTerminal } from '../fake.ts';
import { built } from '../../testing/built.ts';

const PLATFORMS = { telegram: startFakeTelegram, discord: startFakeDiscord, slack: startFakeSlack };
/** Right by their form, and nobody's. */
const STRANGE = {
  telegram: '123456:another-token-of-nobody',
  discord: 'another.discord.token',
  slack: 'xoxb-another-token',
};
const MALFORMED = { telegram: 'my bot', discord: 'Bot abc', slack: 'xapp-1-the-other-one' };

type Id = keyof typeof PLATFORMS;

async function home(t: TestContext, channels: unknown) {
  const dir = await tempDir('channels-secrets');
  t.after(() => dir[Symbol.asyncDispose]());
  const file = join(dir.path, '.clawdbot', 'clawdbot.json');
  await mkdir(join(dir.path, '.clawdbot'), { mode: 0o700 });
  await writeFile(file, JSON.stringify({ channels }), { mode: 0o600 });
  const run = async (
    argv: readonly string[],
    { stdin = '', tty = false }: { stdin?: string | PassThrough; tty?: boolean } = {},
  ) => {
    const io = fakeTerminal({ stdin, vars: { HOME: dir.path } });
    if (tty) Object.assign(io.stdin, { isTTY: true });
    return { code: await runCli(argv, io), out: io.lines.join('\n'), err: io.errors.join('\n'), shown: io.written() };
  };
  const written = async () =>
    JSON5.parse<{ channels: Record<string, Record<string, unknown>> }>(await readFile(file, 'utf8')).channels;
  return { run, written, dir: dir.path };
}

/** An account of the platform that works. */
async function working(t: TestContext, id: Id) {
  const platform = await PLATFORMS[id]();
  t.after(() => platform[Symbol.asyncDispose]());
  const [key, good] = Object.entries(platform.credentials)[0]! as [string, string];
  return { platform, key, good, ...(await home(t, { [id]: { ...platform.config, ...platform.credentials } })) };
}

for (const id of Object.keys(PLATFORMS) as Id[]) {
  test(`a token ${id} would refuse never replaces the one that works`, async (t) => {
    const { run, written, key, good } = await working(t, id);
    const add = (token: string, ...more: string[]) =>
      run(['channels', 'add', '--channel', id, `--${channelKey(key)}`, token, ...more]);
    for (const [token, says] of [
      [MALFORMED[id], /does not look like/],
      [STRANGE[id], /rejected the new/],
    ] as const) {
      const { code, err } = await add(token);
      assert.equal(code, 1, token);
      assert.match(err, says);
      assert.match(err, /Nothing was changed[\s\S]*--force/);
      assert.ok(!err.includes(token), 'a secret is in no error');
      assert.equal((await written())[id]![key], good);
    }
    assert.deepEqual([(await add(good)).code, (await add(STRANGE[id], '--force')).code], [0, 0]);
    assert.equal((await written())[id]![key], STRANGE[id]);
  });

  test(`${id} that cannot be reached is another sentence than ${id} that says no`, async (t) => {
    const { platform, run, key, good, written } = await working(t, id);
    const port = await closedPort();
    await run(['config', 'set', `channels.${id}.apiRoot`, `http://127.0.0.1:${port}/api/`]);
    await platform[Symbol.asyncDispose]();
    const { code, err } = await run(['channels', 'add', '--channel', id, `--${channelKey(key)}`, STRANGE[id]]);
    assert.equal(code, 1);
    assert.match(err, /could not verify the new/);
    assert.doesNotMatch(err, /rejected the new/);
    assert.equal((await written())[id]![key], good);
  });
}

test('config set and a token file are asked about too; what is no secret asks nobody', async (t) => {
  const { platform, run, written, good, dir } = await working(t, 'telegram');
  const asked = (): number => platform.calls.length;
  assert.match((await run(['config', 'set', 'channels.telegram.botToken', STRANGE.telegram])).err, /rejected the new/);
  assert.equal((await written())['telegram']!['botToken'], good);
  await writeFile(join(dir, 'token.txt'), STRANGE.telegram, { mode: 0o600 });
  assert.match(
    (
      await run([
        'channels',
        'add',
        '--channel',
        'telegram',
        '--account',
        'biz',
        '--token-file',
        join(dir, 'token.txt'),
      ])
    ).err,
    /rejected the new/,
  );
  const before = asked();
  assert.equal((await run(['config', 'set', 'channels.telegram.linkPreview', 'false'])).code, 0);
  assert.equal(asked(), before);
  assert.equal((await run(['config', 'set', 'channels.telegram.botToken', STRANGE.telegram, '--force'])).code, 0);
});

test('on a terminal a token that was not given is asked for, and is not shown while it is typed', async (t) => {
  const platform = await startFakeTelegram();
  t.after(() => platform[Symbol.asyncDispose]());
  const token = platform.credentials['botToken']!;
  const { run, written } = await home(t, { telegram: platform.config });
  for (const argv of [
    ['channels', 'add', '--channel', 'telegram'],
    ['channels', 'add', '--channel', 'telegram', '--token', '-'],
  ]) {
    const keyboard = new PassThrough();
    keyboard.write(`${token}\r`);
    const { code, out, shown, err } = await run(argv, { stdin: keyboard, tty: true });
    assert.deepEqual([code, err], [0, ''], argv.join(' '));
    assert.match(shown, /Bot token/);
    assert.ok(!`${shown}${out}`.includes(token), 'it is not shown');
    assert.equal((await written())['telegram']!['botToken'], token);
  }
  const piped = await run(['channels', 'add', '--channel', 'telegram', '--account', 'b', '--token', '-'], {
    stdin: `${token}\n`,
  });
  assert.equal(piped.code, 0);
});

test('a real terminal does not echo the token either', async (t) => {
  const platform = await startFakeTelegram();
  t.after(() => platform[Symbol.asyncDispose]());
  const token = platform.credentials['botToken']!;
  const { dir, written } = await home(t, { telegram: platform.config });
  await using harness = await processHarness();
  const main = built('src/main.ts');
  const started = await harness.background(
    `HOME=${dir} CLAWDBOT_STATE_DIR=${dir}/.clawdbot ${process.execPath} ${main} channels add --channel telegram`,
    { pty: true },
  );
  await pollUntil(harness.registry, started.id, (output) => output.includes('Bot token'));
  await harness.registry.of('main').write(started.id, `${token}\r`);
  const output = await pollUntil(harness.registry, started.id, (_, status) => status !== 'running');
  assert.match(output, /botToken written to channels\.telegram/);
  assert.ok(!output.includes(token), 'it is not shown');
  assert.equal((await written())['telegram']!['botToken'], token);
});

test('over the wire a refused token is not written either; where the platform is silent it is', async (t) => {
  const platform = await startFakeTelegram();
  t.after(() => platform[Symbol.asyncDispose]());
  const good = platform.credentials['botToken']!;
  await using gateway = await startGateway({
    config: { channels: { telegram: { ...platform.config, botToken: good, enabled: true } } },
  });
  await using client = await gateway.connect();
  const patch = async (telegram: object) =>
    client.call('config.patch', {
      raw: JSON.stringify({ channels: { telegram } }),
      baseHash: (await client.call('config.get', {})).hash,
    });
  await assert.rejects(patch({ botToken: STRANGE.telegram }), /rejected the new[\s\S]*Nothing was changed/);
  await assert.rejects(patch({ botToken: 'my bot' }), /does not look like/);
  await patch({ apiRoot: `http://127.0.0.1:${await closedPort()}`, enabled: false });
  await patch({ botToken: STRANGE.telegram, enabled: true });
});

/** A port nobody listens on any more. */
async function closedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => {
    server.once('listening', resolve);
  });
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => {
    server.close(resolve);
  });
  return port;
}
