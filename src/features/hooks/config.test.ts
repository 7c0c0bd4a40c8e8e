/** The `hooks` section: what is refused when it is read, and what only shows beside the `gateway` section. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { hooksConfigSchema, checkHooks } from './config.ts';

const TOKEN = 'hook-token-0123456789';
const problems = (hooks: unknown): string[] =>
  hooksConfigSchema.safeParse(hooks).error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`) ?? [];

describe('hooks', () => {
  it('are off, with limits', () => {
    const { enabled, path, maxBodyBytes, allowRequestSessionKey, token } = hooksConfigSchema.parse(undefined);
    assert.deepEqual(
      { enabled, path, maxBodyBytes, allowRequestSessionKey, token },
      { enabled: false, path: '/hooks', maxBodyBytes: 262_144, allowRequestSessionKey: false, token: undefined },
    );
  });

  it('need a token that cannot be guessed: a blank one is none', () => {
    for (const token of [undefined, '', '   '])
      assert.match(problems({ enabled: true, token }).join(), /^token: is required/, String(token));
    for (const token of ['short', 'x'.repeat(15), `  ${'x'.repeat(15)}  `])
      assert.match(problems({ enabled: true, token }).join(), /^token: must have at least 16/, token);
    assert.deepEqual(problems({ enabled: true, token: TOKEN }), []);
    assert.match(problems({ enabled: false, token: 'short' }).join(), /at least 16/);
  });

  it('(190) take no path that is not theirs', () => {
    const at = (path: string): string[] => problems({ enabled: true, token: TOKEN, path });
    for (const path of [
      '/',
      '',
      '//',
      ' / ',
      '/v1',
      '/v1/hooks',
      '/tools',
      '/Healthz',
      '/chat/hooks',
      '/a b',
      '/../x',
      '/a/..',
      '/a%2fb',
      '/a?b',
      '/a//b',
      '/.',
      '/hooks/../v1',
    ])
      assert.match(at(path).join(), /^path: (?:must|may only)/, path);
    for (const path of ['/hooks', 'hooks', '/hooks/', '/automation', '/hooks/v2', '/my.hooks'])
      assert.deepEqual(at(path), [], path);
    assert.equal(hooksConfigSchema.parse({ path: 'automation/' }).path, '/automation');
  });

  it('never share the secret of the gateway, nor lie where the Control UI is', () => {
    const stray = (hooks: unknown, auth: { token?: string; password?: string } = {}, basePath = '/'): string[] =>
      checkHooks(
        {
          hooks: hooksConfigSchema.parse(hooks),
          gateway: { auth, controlUi: { enabled: true, basePath } },
        },
        { reachable: false },
      ).map(({ path }) => path.join('.'));
    assert.deepEqual(stray({ enabled: true, token: TOKEN }, { token: TOKEN }), ['hooks.token']);
    assert.deepEqual(stray({ enabled: true, token: TOKEN }, { password: TOKEN }), ['hooks.token']);
    assert.deepEqual(stray({ path: '/ui/hooks' }, {}, '/ui/'), ['hooks.path']);
    assert.deepEqual(stray({ enabled: true, token: TOKEN }, { token: 'another' }, '/ui'), []);
    assert.deepEqual(stray({}), []);
  });
});
