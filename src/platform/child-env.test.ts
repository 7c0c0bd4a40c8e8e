import assert from 'node:assert/strict';
import { test } from 'node:test';
import { childEnv } from './child-env.ts';

const kept = (names: readonly string[]) => Object.keys(childEnv(Object.fromEntries(names.map((name) => [name, 'x']))));

test('what a program needs is handed on', () => {
  const needed = ['PATH', 'HOME', 'LANG', 'LC_ALL', 'TMPDIR', 'TZ', 'PWD', 'USER', 'SHELL', 'XDG_CONFIG_HOME', 'LD_LIBRARY_PATH', 'SSL_CERT_FILE', 'KEYBOARD', 'COMPASS', 'AUTHOR', 'DISPLAY'];
  assert.deepEqual(kept(needed), needed);
});

test('what looks like a secret is not', () => {
  assert.deepEqual(kept([
    'OPENAI_API_KEY', 'GITHUB_TOKEN', 'AWS_SECRET_ACCESS_KEY', 'AWS_ACCESS_KEY_ID', 'DB_PASSWORD', 'DB_PASSWD', 'MYSQL_PASS', 'SSH_AUTH_SOCK', 'GH_PAT', 'SENTRY_DSN', 'SESSION_COOKIE',
    'GOOGLE_APPLICATION_CREDENTIALS', 'openai_apikey', 'GPG_PASSPHRASE', 'SLACK_JWT', 'npm_config__authToken',
  ]), []);
  assert.deepEqual(childEnv({ DATABASE_URL: 'postgres://me:hidden@db/x', PAGE: 'https://a.example/@me' }), { PAGE: 'https://a.example/@me' });
  assert.deepEqual(childEnv({ HTTPS_PROXY: 'http://me:hidden@proxy:3128' }), { HTTPS_PROXY: 'http://me:hidden@proxy:3128' }, 'a proxy works only with its credentials');
});

test('what is ours and what steers a Node process is not', () => {
  assert.deepEqual(kept(['CLAWDBOT_STATE_DIR', 'OPENCLAW_GATEWAY_PORT', 'MOLTBOT_X', 'NODE_OPTIONS', 'NODE_CHANNEL_FD', 'NODE_UNIQUE_ID']), []);
});

test('passing a name on outranks the rules, what is added outranks everything', () => {
  assert.deepEqual(childEnv({ WIKI_TOKEN: 'a', OTHER_TOKEN: 'b', LANG: 'C' }, { pass: ['WIKI_TOKEN', 'ABSENT'], extra: { LANG: 'de' } }), { WIKI_TOKEN: 'a', LANG: 'de' });
});
