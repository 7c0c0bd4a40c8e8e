import assert from 'node:assert/strict';
import { test } from 'node:test';
import { maskSecret, redactText } from './redact.ts';

// Assembled, so that no scanner takes the corpus for real keys.
const long = (prefix: string): string => `${prefix}${'abcdefghij0123456789'.repeat(2)}`;

const CORPUS: readonly (readonly [name: string, text: string, secret: string])[] = [
  ['env assignment', `OPENAI_API_KEY=${long('v')}`, long('v')],
  ['env assignment, quoted', 'export DB_PASSWORD="correct horse"', 'correct horse'],
  ['env assignment with colon', 'SECRET: hunter22', 'hunter22'],
  ['JSON field', `{"apiKey":"${long('k')}"}`, long('k')],
  ['JSON field, prefixed name', '{"botToken": "short"}', 'short'],
  ['JSON field inside a JSON string', JSON.stringify({ body: JSON.stringify({ password: 'p4ssw0rd!' }) }), 'p4ssw0rd!'],
  ['env assignment inside a JSON string', JSON.stringify({ body: 'API_TOKEN="abc def"' }), 'abc def'],
  ['CLI flag', `clawdbot --token ${long('t')} run`, long('t')],
  ['CLI flag with equals', 'login --password=hunter2', 'hunter2'],
  ['CLI flag with a prefix', 'run --gateway-token=hunter2', 'hunter2'],
  ['query parameter', 'GET /ws?token=abc123&x=1', 'abc123'],
  ['Bearer', `Authorization: Bearer ${long('b')}`, long('b')],
  ['Basic', 'authorization: Basic dXNlcjpwYXNzd29yZA==', 'dXNlcjpwYXNzd29yZA=='],
  ['URL credentials', 'fetching https://me:s3cr3t@example.org/x', 's3cr3t'],
  ['PEM', `-----BEGIN RSA PRIVATE KEY-----\nMIIEabc\n-----END RSA PRIVATE KEY-----`, 'MIIEabc'],
  ['PEM in JSON', JSON.stringify({ m: '-----BEGIN PRIVATE KEY-----\nMIIEabc\n-----END PRIVATE KEY-----' }), 'MIIEabc'],
  ['PEM cut short', '-----BEGIN EC PRIVATE KEY-----\nMIIEabc', 'MIIEabc'],
  ['sk-', `used ${long('sk-')}`, long('sk-')],
  ['ghp_', `used ${long('ghp_')}`, long('ghp_')],
  ['github_pat_', `used ${long('github_pat_')}`, long('github_pat_')],
  ['xoxb-', `used ${long('xoxb-')}`, long('xoxb-')],
  ['xapp-', `used ${long('xapp-')}`, long('xapp-')],
  ['gsk_', `used ${long('gsk_')}`, long('gsk_')],
  ['AIza', `used ${long('AIza')}`, long('AIza')],
  ['pplx-', `used ${long('pplx-')}`, long('pplx-')],
  ['npm_', `used ${long('npm_')}`, long('npm_')],
  ['Telegram in a URL', `https://api.telegram.org/bot${long('123456789:')}/getMe`, long('123456789:')],
];

for (const [name, text, secret] of CORPUS) {
  test(`redacts: ${name}`, () => {
    const clean = redactText(text);
    assert.ok(!clean.includes(secret), clean);
    assert.equal(redactText(clean), clean, 'a second pass changes nothing');
  });
}

const INNOCENT = [
  'agent.turn sessionKey=agent:main:main',
  '{"sessionKey":"agent:main:telegram:direct:42","inputTokens":12,"totalTokens":3000}',
  'the key to success is a good password policy',
  'task-force went to the desk-side',
  'http://127.0.0.1:18789/healthz',
  '2026-01-29T12:00:00.000Z gateway.ready ms=321',
];

for (const text of INNOCENT) {
  test(`leaves alone: ${text.slice(0, 40)}`, () => assert.equal(redactText(text), text));
}

test('long secrets keep 6 and 4 characters, short ones none', () => {
  assert.equal(maskSecret('abcdefghijklmnopqr'), 'abcdef…opqr');
  assert.equal(maskSecret('abcdefghijklmnopq'), '***');
});

test('JSON stays JSON', () => {
  const line = JSON.stringify({ apiKey: 'x'.repeat(30), nested: { password: 'a"b\\c' }, note: 'TOKEN=abc' });
  assert.doesNotThrow(() => JSON.parse(redactText(line)));
});
