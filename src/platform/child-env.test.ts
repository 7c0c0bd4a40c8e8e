import assert from 'node:assert/strict';
import { test } from 'node:test';
import { childEnv } from './child-env.ts';

const kept = (names: readonly string[]) => Object.keys(childEnv(Object.fromEntries(names.map((name) => [name, 'x']))));

test('what a program needs is handed on', () => {
  const needed = [
    'PATH',
    'HOME',
    'LANG',
    'LC_ALL',
    'TMPDIR',
    'TZ',
    'PWD',
    'USER',
    'SHELL',
    'XDG_CONFIG_HOME',
    'LD_LIBRARY_PATH',
    'SSL_CERT_FILE',
    'KEYBOARD',
    'COMPASS',
    'AUTHOR',
    'DISPLAY',
    'OLDPWD',
    'XDG_SESSION_ID',
    'DESKTOP_SESSION_TYPE',
  ];
  assert.deepEqual(kept(needed), needed);
});

test('what looks like a secret is not', () => {
  assert.deepEqual(
    kept([
      'OPENAI_API_KEY',
      'GITHUB_TOKEN',
      'AWS_SECRET_ACCESS_KEY',
      'AWS_ACCESS_KEY_ID',
      'DB_PASSWORD',
      'DB_PASSWD',
      'MYSQL_PASS',
      'SSH_AUTH_SOCK',
      'GH_PAT',
      'SENTRY_DSN',
      'SESSION_COOKIE',
      'GOOGLE_APPLICATION_CREDENTIALS',
      'openai_apikey',
      'GPG_PASSPHRASE',
      'SLACK_JWT',
      'npm_config__authToken',
      'MYSQL_PWD',
      'SLACK_WEBHOOK_URL',
      'AZURE_STORAGE_CONNECTION_STRING',
      'PRIVATEKEY',
      'STORAGE_ACCOUNTKEY',
      'BW_SESSION',
      'OP_SESSION_team',
    ]),
    [],
  );
  const values = {
    GREETING: `sk-${'a'.repeat(24)}`,
    GIT_REMOTE: 'https://hidden@git.example/x',
    MAILER: 'smtp.example;Password=hidden;',
    BLOB: '-----BEGIN PRIVATE KEY-----\nabc\n-----END PRIVATE KEY-----',
  };
  assert.deepEqual(childEnv(values), {}, 'whatever it is called');
  assert.deepEqual(childEnv({ DATABASE_URL: 'postgres://me:hidden@db/x', PAGE: 'https://a.example/@me' }), {
    PAGE: 'https://a.example/@me',
  });
  assert.deepEqual(
    childEnv({ HTTPS_PROXY: 'http://me:hidden@proxy:3128' }),
    { HTTPS_PROXY: 'http://me:hidden@proxy:3128' },
    'a proxy works only with its credentials',
  );
});

test('what is ours and what steers a Node process is not', () => {
  assert.deepEqual(
    kept([
      'CLAWDBOT_STATE_DIR',
      'OPENCLAW_GATEWAY_PORT',
      'MOLTBOT_X',
      'NODE_OPTIONS',
      'NODE_CHANNEL_FD',
      'NODE_UNIQUE_ID',
    ]),
    [],
  );
});

test('passing a name on outranks the rules, what is added outranks everything', () => {
  assert.deepEqual(
    childEnv(
      { WIKI_TOKEN: 'a', OTHER_TOKEN: 'b', LANG: 'C' },
      { pass: ['WIKI_TOKEN', 'ABSENT'], extra: { LANG: 'de' } },
    ),
    { WIKI_TOKEN: 'a', LANG: 'de' },
  );
});
