/** Libraries of channels that are not installed: their accounts say what to install, and the other channels work. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { startFakeMail } from '../../src/channels/email/fake.ts';
import { startFakeIrc } from '../../src/channels/irc/fake.ts';
import { startFakeTeams } from '../../src/channels/msteams/fake.ts';
import { startFakeWhatsapp } from '../../src/channels/whatsapp/fake.ts';
import { connectGateway } from '../../src/gateway/client.ts';
import type { ChannelsStatusResult } from '../../src/protocol/answers/channels.ts';
import { startFakeModels } from '../../src/testing/fake-models/fake-model-server.ts';
import { withModel } from '../../src/testing/running-gateway.ts';
import { tempDir } from '../../src/testing/temp-dir.ts';
import { until } from '../../src/testing/until.ts';

/** As Node says it of a package that is not there. */
const WITHOUT = `data:text/javascript,${encodeURIComponent(`
  import { registerHooks } from 'node:module';
  registerHooks({ resolve(specifier, context, next) {
    if (/^(?:baileys|imapflow|nodemailer|jose)(?:\\/|$)/.test(specifier))
      throw Object.assign(new Error("Cannot find package '" + specifier + "'"), { code: 'ERR_MODULE_NOT_FOUND' });
    return next(specifier, context);
  } });`)}`;

test('an absent library is named with the command that adds it, and nothing else is affected', async () => {
  await using home = await tempDir('absent');
  await using models = await startFakeModels();
  await using mail = await startFakeMail();
  await using teams = await startFakeTeams();
  await using phone = await startFakeWhatsapp();
  await using irc = await startFakeIrc();
  const { library: _own, ...whatsapp } = phone.config;
  const channels = {
    email: { ...mail.config, ...mail.credentials },
    msteams: { ...teams.config, ...teams.credentials },
    whatsapp,
    irc: { ...irc.config, ...irc.credentials, allowFrom: ['ann'], groupPolicy: 'disabled' },
  };
  const state = join(home.path, '.clawdbot');
  await mkdir(state, { mode: 0o700 });
  await writeFile(join(state, 'clawdbot.json'), JSON.stringify(withModel({ channels }, models.url)));
  const main = join(import.meta.dirname, '..', '..', 'src', 'main.ts');
  const child = spawn(process.execPath, ['--import', WITHOUT, main, 'gateway', 'run', '--port', '0'], {
    env: { HOME: home.path, PATH: process.env['PATH'] },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  try {
    let said = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => void (said += text));
    const port = await until(() => /web chat: http:\/\/127\.0\.0\.1:(\d+)\/ /.exec(said)?.[1], 'the gateway');
    const token = (await readFile(join(state, 'gateway.token'), 'utf8')).trim();
    await using client = await connectGateway({ url: `ws://127.0.0.1:${port}`, token });
    const problemsOf = async (channel: string): Promise<string> => {
      const { channelAccounts } = await client.call<ChannelsStatusResult>('channels.status', {});
      return channelAccounts[channel]![0]!.problems.map(({ message, fix }) => `${message} ${fix ?? ''}`).join('\n');
    };
    for (const [channel, name] of [
      ['email', 'imapflow|nodemailer'],
      ['msteams', 'jose'],
      ['whatsapp', 'baileys'],
    ] as const) {
      const says = new RegExp(`needs the package (?:${name}), which is not installed.*npm install .*(?:${name})`, 's');
      await until(async () => says.test(await problemsOf(channel)), `what ${channel} needs`);
    }
    assert.equal(await problemsOf('irc'), '');
    await until(() => irc.consumers === 1, 'the connection');
    const chat = { kind: 'direct', id: 'ann' } as const;
    await irc.write({ chat, by: 'ann', text: 'are you there?' });
    await until(() => irc.seen(chat).length > 0, 'the answer');
  } finally {
    child.stdout.destroy();
    if (child.exitCode === null) {
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
  }
});
