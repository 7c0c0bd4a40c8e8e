import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ownCommand } from './own-command.ts';

const from = (script: string, rest: Partial<Parameters<typeof ownCommand>[0]> = {}) =>
  ownCommand({ argv: [script], cwd: '/home/me', home: '/home/me', ...rest });

test('a checkout names its script: short where it was started, with its folder elsewhere', () => {
  assert.deepEqual(from('/home/me/bot/dist/main.js', { cwd: '/home/me/bot' }), {
    here: 'node bin/clawdbot.mjs',
    anywhere: 'node bin/clawdbot.mjs',
  });
  assert.deepEqual(from('/home/me/bot/src/main.ts'), {
    here: 'node ~/bot/bin/clawdbot.mjs',
    anywhere: 'node bin/clawdbot.mjs',
  });
  assert.equal(from('/srv/my bot/dist/main.js').here, 'node "/srv/my bot/bin/clawdbot.mjs"');
  assert.equal(from('/srv/bot/dist/main.js', { cwd: undefined }).here, 'node /srv/bot/bin/clawdbot.mjs');
});

test('an installed or linked command is named as it was called', () => {
  for (const found of [
    from('/usr/lib/node_modules/clawdbot/dist/main.js'),
    from('/home/me/bot/dist/main.js', { launcher: 'clawdbot' }),
    from('/home/me/test.ts'),
  ])
    assert.deepEqual(found, { here: 'clawdbot', anywhere: 'clawdbot' });
});
