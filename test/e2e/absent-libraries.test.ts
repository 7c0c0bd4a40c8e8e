/** Libraries of channels that are not installed: their accounts say what to install, and the other channels work. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startFakeMail } from '../../src/channels/email/fake.ts';
import { startFakeIrc } from '../../src/channels/irc/fake.ts';
import { startFakeTeams } from '../../src/channels/msteams/fake.ts';
import { startFakeWhatsapp } from '../../src/channels/whatsapp/fake.ts';
import { startFakeModels } from '../../src/testing/fake-models/fake-model-server.ts';
import { withModel } from '../../src/testing/running-gateway.ts';
import { tempDir } from '../../src/testing/temp-dir.ts';
import { until } from '../../src/testing/until.ts';
import { spawnGateway } from './spawned-gateway.ts';

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
  await using gateway = await spawnGateway({
    home: home.path,
    config: withModel({ channels }, models.url),
    first: WITHOUT,
  });
  for (const [channel, name] of [
    ['email', 'imapflow|nodemailer'],
    ['msteams', 'jose'],
    ['whatsapp', 'baileys'],
  ] as const) {
    const says = new RegExp(`needs the package (?:${name}), which is not installed.*npm install .*(?:${name})`, 's');
    await until(async () => says.test(await gateway.problemsOf(channel)), `what ${channel} needs`);
  }
  assert.equal(await gateway.problemsOf('irc'), '');
  const chat = { kind: 'direct', id: 'ann' } as const;
  await until(() => irc.consumers === 1, 'the connection');
  await irc.write({ chat, by: 'ann', text: 'are you there?' });
  await until(() => irc.seen(chat).length > 0, 'the answer');
});
