import assert from 'node:assert/strict';
import { test } from 'node:test';
import { expandPath, readEnv, withVars } from './env.ts';

test('state lives in ~/.clawdbot unless the environment says otherwise', () => {
  assert.equal(readEnv({ HOME: '/home/ada' }).stateDir, '/home/ada/.clawdbot');
  assert.equal(readEnv({ HOME: '/home/ada', CLAWDBOT_STATE_DIR: '~/elsewhere' }).stateDir, '/home/ada/elsewhere');
});

test('each name has three spellings and ours wins', () => {
  const env = readEnv({
    HOME: '/h',
    OPENCLAW_GATEWAY_TOKEN: 'theirs',
    MOLTBOT_GATEWAY_PORT: '7',
    OPENCLAW_CONFIG_PATH: '~/c.json',
    MOLTBOT_GATEWAY_PASSWORD: 'pw',
  });
  assert.deepEqual(
    [env.gatewayToken, env.gatewayPort, env.configPath, env.gatewayPassword],
    ['theirs', 7, '/h/c.json', 'pw'],
  );
  assert.equal(readEnv({ OPENCLAW_GATEWAY_TOKEN: 'theirs', CLAWDBOT_GATEWAY_TOKEN: 'ours' }).gatewayToken, 'ours');
  assert.equal(
    readEnv({ OPENCLAW_GATEWAY_TOKEN: 'theirs', CLAWDBOT_GATEWAY_TOKEN: '' }).gatewayToken,
    'theirs',
    'empty is unset',
  );
});

test('a port that is none is refused by name', () => {
  for (const port of ['abc', '-1', '65536', '1e3'])
    assert.throws(() => readEnv({ CLAWDBOT_GATEWAY_PORT: port }), /CLAWDBOT_GATEWAY_PORT/);
});

test('variables of the configuration fill gaps and replace nothing', () => {
  const env = withVars(readEnv({ HOME: '/h', SET: 'process', EMPTY: '' }), {
    SET: 'config',
    EMPTY: 'config',
    NEW: 'config',
  });
  assert.deepEqual(
    [env.get('SET'), env.get('EMPTY'), env.get('NEW'), env.get('ABSENT')],
    ['process', 'config', 'config', undefined],
  );
});

test('it is frozen, and later changes of the source do not show', () => {
  const source: Record<string, string> = { HOME: '/h', A: '1' };
  const env = readEnv(source);
  source['A'] = '2';
  assert.equal(env.get('A'), '1');
  assert.throws(() => {
    (env.vars as Record<string, string>)['A'] = '3';
  }, TypeError);
});

test('paths expand from home or from a base', () => {
  assert.deepEqual(
    ['~', '~/x', '/abs', 'rel'].map((path) => expandPath(path, '/h', '/base')),
    ['/h', '/h/x', '/abs', '/base/rel'],
  );
});
