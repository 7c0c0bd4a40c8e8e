/**
 * G201: the channel example of docs/how-to/write-a-channel.md works everywhere channels do, without a change of the
 * core.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { runCli } from '../../src/cli/cli.ts';
import { fakeTerminal } from '../../src/cli/fake.ts';
import { startGateway, type RunningGateway } from '../../src/testing/running-gateway.ts';
import { tempDir } from '../../src/testing/temp-dir.ts';
import { until } from '../../src/testing/until.ts';

const page = readFileSync(new URL('../../docs/how-to/write-a-channel.md', import.meta.url), 'utf8');
const source = /```js\n([\s\S]*?)```/.exec(page)![1]!.replace("'zod'", `'${import.meta.resolve('zod')}'`);
const SIGNATURE = 'a-seal-for-tests';

async function loft(settings: object | undefined = { seal: SIGNATURE, allowFrom: ['ann'] }) {
  const dir = await tempDir('pigeon');
  const path = join(dir.path, 'pigeon');
  await mkdir(path);
  await writeFile(join(path, 'index.mjs'), source);
  const config = {
    plugins: { load: { paths: [path] } },
    ...(settings ? { channels: { pigeon: settings } } : {}),
    gateway: { reload: { debounceMs: 20 } },
  };
  const gateway = await startGateway({ config });
  const cli = async (...argv: string[]) => {
    const io = fakeTerminal({ vars: { HOME: dir.path, CLAWDBOT_STATE_DIR: gateway.stateDir } });
    const code = await runCli(argv, io);
    return { code, text: [...io.lines, ...io.errors].join('\n') };
  };
  return {
    gateway,
    cli,
    config,
    async [Symbol.asyncDispose]() {
      await gateway[Symbol.asyncDispose]();
      await dir[Symbol.asyncDispose]();
    },
  };
}

const letters = async (gateway: RunningGateway, signature = SIGNATURE): Promise<Response> =>
  gateway.fetch('/pigeon', { headers: { 'x-seal': signature, authorization: '' } });
const write = (gateway: RunningGateway, letter: object, signature = SIGNATURE): Promise<Response> =>
  gateway.fetch('/pigeon', {
    method: 'POST',
    headers: { 'x-seal': signature, authorization: '' },
    body: JSON.stringify(letter),
  });

describe('G201 a channel of somebody else', () => {
  it('is listed, offered, shown, told to the model and reachable', async () => {
    await using harness = await loft();
    const { gateway, cli } = harness;
    await using chat = await gateway.connect();
    await until(
      async () => (await chat.call('channels.status')).channelAccounts.pigeon?.[0]?.connected === true,
      'connected',
    );

    const status = await chat.call('channels.status', { probe: true });
    assert.ok(status.channelOrder.includes('pigeon'));
    const [account] = status.channelAccounts.pigeon;
    assert.deepEqual(
      [account.credentialSources, account.mode, account.self, account.probe.ok],
      [{ seal: 'config' }, 'webhook', { id: 'loft' }, true],
    );
    assert.ok(!JSON.stringify(status).includes(SIGNATURE), 'no secret');
    assert.equal((await chat.call('health', { probe: true })).channels.pigeon.summary, 'Pigeon: running');
    assert.deepEqual((await chat.call('status')).channelSummary, ['Pigeon: running']);
    const { channels } = await chat.call('channels.capabilities');
    assert.deepEqual(channels.find((one: { id: string }) => one.id === 'pigeon').credentials, [
      { key: 'seal', label: 'Seal', fileKey: 'sealFile', env: 'PIGEON_SEAL', needed: true },
    ]);
    assert.equal((await chat.call('providers.status')).providerLabels.pigeon, 'Pigeon');

    assert.match((await cli('channels', 'list')).text, /^pigeon\s+configured\s+Letters over HTTP\.$/m);
    assert.match(
      (await cli('channels', 'add', '--help')).text,
      /--channel <[^>]*pigeon[^>]*>[\s\S]*--seal <seal>\s+Pigeon: Seal/,
    );
    assert.match((await cli('cron', 'add', '--help')).text, /--channel <last\|[^>]*pigeon[^>]*>/);
    assert.match((await cli('onboard', '--links', 'off')).text, /^ {2}pigeon\s+configured/m);
    assert.match((await cli('channels', 'capabilities', 'pigeon')).text, /Pigeon \(pigeon\): direct; text up to 4000/);
    assert.match((await cli('channels', 'add', '--channel', 'pidgeon', '--seal', 'x')).text, /Did you mean pigeon\?/);

    assert.equal((await write(gateway, { id: '1', from: 'ann', text: 'hello' })).status, 202);
    await until(async () => ((await (await letters(gateway)).json()) as unknown[]).length > 0, 'an answer');
    const asked = JSON.stringify(gateway.models.requests.at(-1)!.body);
    assert.match(asked, /pigeon/);
    await chat.call('send', { channel: 'pigeon', to: 'ben', message: 'unasked', idempotencyKey: 'k1' });
    assert.ok(
      ((await (await letters(gateway)).json()) as { to: string; text: string }[]).some(
        ({ to, text }) => to === 'ben' && text === 'unasked',
      ),
    );
  });

  it('serves its webhook without our token and proves the caller itself; nothing else opens', async () => {
    await using harness = await loft();
    const { gateway } = harness;
    await until(async () => (await letters(gateway)).status === 200, 'the webhook');
    assert.equal((await letters(gateway, 'wrong')).status, 403);
    assert.equal((await write(gateway, { id: '2', from: 'ann', text: 'x'.repeat(1024 * 1024 + 1) })).status, 413);
    assert.equal(
      (await gateway.fetch('/pigeon/below', { method: 'POST', headers: { authorization: '' } })).status,
      405,
    );
    assert.equal(
      (await gateway.fetch('/tools/invoke', { method: 'POST', headers: { authorization: '' }, body: '{}' })).status,
      401,
    );
  });

  it('starts when it is added to the file, stops when it is removed, and the gateway goes on', async () => {
    await using harness = await loft({ enabled: false });
    const { gateway, cli } = harness;
    await using chat = await gateway.connect();
    const account = async () => (await chat.call('channels.status')).channelAccounts.pigeon[0];
    assert.deepEqual(
      [(await account()).lastError, (await letters(gateway)).status],
      ['disabled', 200],
      'the Control UI answers',
    );
    assert.equal((await cli('channels', 'add', '--channel', 'pigeon', '--seal', SIGNATURE)).code, 0);
    await until(async () => (await account()).connected === true, 'connected');
    assert.match((await cli('channels', 'remove', '--channel', 'pigeon')).text, /disabled/);
    await until(async () => (await account()).lastError === 'disabled', 'stopped');
    const { cleared, loggedOut } = await chat.call('channels.logout', { channel: 'pigeon' });
    assert.deepEqual({ cleared, loggedOut }, { cleared: true, loggedOut: true });
    assert.ok(!readFileSync(join(gateway.stateDir, 'clawdbot.json'), 'utf8').includes(SIGNATURE));
  });

  it('G198 is told where a setting is wrong, and costs itself alone', async () => {
    await using harness = await loft({ seal: SIGNATURE, dmPolicy: 'open', path: 7 });
    const { gateway, cli } = harness;
    await using chat = await gateway.connect();
    const { code, text } = await cli('config', 'validate');
    assert.equal(code, 1);
    assert.match(text, /channels\.pigeon\.allowFrom: must contain "\*"/);
    assert.match(text, /channels\.pigeon\.path: is a number but must be text/);
    const [account] = (await chat.call('channels.status')).channelAccounts.pigeon;
    assert.deepEqual([account.running, account.lastError], [false, 'its settings are invalid']);
    assert.equal(await chat.say('hello').then((said) => said.length > 0), true, 'the web chat answers');
  });
});
