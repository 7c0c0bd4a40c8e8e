/** Which settings need a restart in place. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { restartRules } from './reload-rules.ts';

const needsRestart = restartRules([{ restartsOn: ['cron.store'] }, {}]);

for (const path of [
  'gateway',
  'gateway.port',
  'gateway.auth.token',
  'plugins.load.paths[0]',
  'env.vars.X',
  'session.store',
  'logging.level',
  'gateway.controlUi',
  'cron.store',
])
  it(`${path} does`, () => assert.equal(needsRestart(path), true));

for (const path of [
  'agents.list[0].model',
  'messages.queue.mode',
  'session.dmScope',
  'session.storeroom',
  'gateway.reload.mode',
  'gateway.http.endpoints',
  'gateway.controlUi.allowedOrigins[0]',
  'models.providers.x',
  'gatewayish',
  'bindings',
  'channels',
  'channels.telegram.botToken',
  'channels.defaults.dmPolicy',
  'cron',
  'cron.enabled',
  'hooks.token',
  'hooks.mappings[0].match',
  'agents.defaults.heartbeat.every',
])
  it(`${path} does not`, () => assert.equal(needsRestart(path), false));
