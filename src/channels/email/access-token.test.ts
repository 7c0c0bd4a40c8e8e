// Mailboxes that take access tokens: from a refresh token or a command, renewed when refused, kept out of every error.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { AppError } from '../../core/errors.ts';
import { testAccount } from '../../testing/channel-account.ts';
import { until } from '../../testing/until.ts';
import { createTokens, forgetTokens } from './access-token.ts';
import { emailConfig } from './config.ts';
import { BOT } from './fake-mails.ts';
import { startFakeMail } from './fake.ts';
import { startFakeTokenService, type FakeTokenService } from './fake-token-service.ts';
import email from './index.ts';
import { tokenUrlOf } from './token-services.ts';

const ANN = { channel: 'email', accountId: 'default', chat: { kind: 'direct', id: 'ann@example.org' } } as const;
const outbound = (text: string) => ({
  token: text,
  runId: text,
  sessionKey: 'agent:main:main',
  payload: { kind: 'final', text } as const,
});

interface Ground extends AsyncDisposable {
  readonly service: FakeTokenService;
  readonly server: Awaited<ReturnType<typeof startFakeMail>>;
  account(config?: object, credentials?: Record<string, string>): ReturnType<typeof testAccount>;
}

async function ground(): Promise<Ground> {
  const service = await startFakeTokenService(BOT);
  const server = await startFakeMail({ tokens: service.tokens });
  const oauth = { auth: 'oauth2', tokenUrl: `${service.url}/token`, clientId: 'client-1', tokenScope: 'mail.all' };
  return {
    service,
    server,
    account: (config = {}, credentials = { refreshToken: 'refresh-0', clientSecret: 'client-secret-1' }) =>
      testAccount(email, { config: { ...server.config, ...oauth, ...config }, credentials }),
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await service[Symbol.asyncDispose]();
    },
  };
}

describe('a mailbox that takes access tokens', () => {
  it('is read and sent from with one token for both servers', async () => {
    await using on = await ground();
    await using fixture = await on.account();
    const connection = await fixture.connect();
    on.server.deliver({ chat: ANN.chat, by: ANN.chat.id, text: 'hello' });
    await until(() => fixture.received.length === 1);
    await connection.send(ANN, outbound('hi'));
    assert.equal(on.server.sent.length, 1);
    const [form] = on.service.exchanges;
    assert.deepEqual(Object.fromEntries(form!), {
      grant_type: 'refresh_token',
      refresh_token: 'refresh-0',
      client_id: 'client-1',
      client_secret: 'client-secret-1',
      scope: 'mail.all',
    });
    assert.equal(on.service.exchanges.length, 1, 'it is kept until it ends');
  });

  it('gets a new token where the old one is refused, on either server', async () => {
    await using on = await ground();
    await using fixture = await on.account();
    const connection = await fixture.connect();
    on.service.tokens.clear();
    await connection.send(ANN, outbound('with a new one'));
    assert.deepEqual([on.server.sent.length, on.service.exchanges.length], [1, 2]);
    on.service.tokens.clear();
    on.server.cut();
    on.server.deliver({ chat: ANN.chat, by: ANN.chat.id, text: 'still there?' });
    await until(() => fixture.received.length === 1, 'the mail after the cut');
    assert.equal(on.service.exchanges.length, 3);
  });

  it('keeps the newest refresh token, for the one of the settings it came from, until it is logged out', async () => {
    await using on = await ground();
    on.service.rotates = true;
    await using fixture = await on.account();
    await (await fixture.connect())[Symbol.asyncDispose]();
    on.service.refreshTokens.delete('refresh-0');
    await (await fixture.connect())[Symbol.asyncDispose]();
    assert.equal(on.service.exchanges.at(-1)!.get('refresh_token'), 'refresh-1');
    const kept = await readFile(join(fixture.account.stateDir, 'refresh-token.json'), 'utf8');
    assert.ok(!kept.includes('refresh-0'), 'the one of the settings is not written down again');
    const ask = createTokens({ ...fixture.account, credentials: { refreshToken: 'set-anew' } });
    on.service.refreshTokens.add('set-anew');
    await ask();
    assert.equal(on.service.exchanges.at(-1)!.get('refresh_token'), 'set-anew');
    await forgetTokens(fixture.account);
    await assert.rejects(readFile(join(fixture.account.stateDir, 'refresh-token.json')), { code: 'ENOENT' });
  });

  const json = (body: unknown, status = 400) => ({ status, body: JSON.stringify(body) });
  for (const [what, answer, code, says] of [
    [
      'a refresh token that ended',
      json({ error: 'invalid_grant', error_description: 'AADSTS70008: x' }),
      'auth',
      /AADSTS70008.*grant access again/,
    ],
    ['an unknown application', json({ error: 'invalid_client' }, 401), 'auth', /clientId and clientSecret/],
    ['a scope that is not granted', json({ error: 'invalid_scope' }), 'auth', /tokenScope/],
    ['a service that is down', json({}, 503), 'unavailable', /at the moment \(503\)/],
    ['a service that counts', json({}, 429), 'unavailable', /at the moment \(429\)/],
    ['a page instead of an answer', { status: 200, body: '<html>' }, 'unavailable', /without an access token \(200\)/],
    ['a token of several lines', json({ access_token: 'a\r\nb' }, 200), 'unavailable', /without an access token/],
    ['a redirect', { status: 302, body: '' }, 'unavailable', /without an access token \(302\)/],
    ['a token that opens nothing', json({ access_token: 'foreign' }, 200), 'auth', /does not accept the access token/],
  ] as const)
    it(`says what to do about ${what}`, async () => {
      await using on = await ground();
      on.service.answers.push(answer, answer);
      await using fixture = await on.account();
      await assert.rejects(fixture.connect(), (error: AppError) => {
        assert.equal(error.code, code, error.message);
        assert.match(error.message, says);
        for (const secret of ['refresh-0', 'client-secret-1', 'foreign']) assert.ok(!error.message.includes(secret));
        return true;
      });
    });

  it('reports a send that found no token as one that never left', async () => {
    await using on = await ground();
    await using fixture = await on.account();
    const connection = await fixture.connect();
    on.service.tokens.clear();
    on.service.answers.push(json({}, 500));
    await assert.rejects(connection.send(ANN, outbound('later')), { code: 'unavailable' });
    await connection.send(ANN, outbound('later'));
    assert.equal(on.server.sent.length, 1);
  });

  it('takes the token that a command prints, and says what is wrong with it', async () => {
    await using on = await ground();
    on.service.tokens.add('printed-token');
    const node = (script: string) => ({ tokenCommand: [process.execPath, '-e', script], clientId: undefined });
    await using fixture = await on.account(node('console.log("printed-token")'), {});
    await fixture.connect();
    assert.equal(on.service.exchanges.length, 0);
    for (const [script, code, says] of [
      ['console.log("one two")', 'auth', /nothing else/],
      [' ', 'auth', /nothing else/],
      ['console.error("sign in first"); process.exit(3)', 'unavailable', /sign in first/],
      ['console.log("printed-token-of-somebody")', 'auth', /does not accept the access token/],
    ] as const) {
      await using wrong = await on.account(node(script), {});
      await assert.rejects(wrong.connect(), (error: AppError) => {
        assert.deepEqual([error.code, says.test(error.message)], [code, true], error.message);
        return !error.message.includes('printed-token-of');
      });
    }
    await using absent = await on.account({ tokenCommand: ['/nowhere/token'] }, {});
    await assert.rejects(absent.connect(), { code: 'unavailable', message: /tokenCommand/ });
  });

  it('is told apart from one that takes passwords alone', async () => {
    await using service = await startFakeTokenService(BOT);
    await using server = await startFakeMail();
    const oauth = { auth: 'oauth2', tokenUrl: `${service.url}/token`, clientId: 'client-1' };
    await using fixture = await testAccount(email, {
      config: { ...server.config, ...oauth },
      credentials: { refreshToken: 'refresh-0' },
    });
    await assert.rejects(fixture.connect(), { code: 'invalid', message: /SMTP server .* takes no access tokens/ });
  });

  it('needs no password, and its settings are looked through before', () => {
    const settings = {
      address: BOT,
      imapHost: 'outlook.office365.com',
      smtpHost: 'smtp.office365.com',
      auth: 'oauth2',
    };
    const needed = (more: object) =>
      email.credentials!.filter(({ needed: asks }) => asks?.({ ...settings, ...more }) ?? true).map(({ key }) => key);
    assert.deepEqual(needed({}), ['refreshToken']);
    assert.deepEqual(needed({ tokenCommand: ['oama'] }), []);
    assert.deepEqual(needed({ auth: 'password' }), ['password']);
    const lacks = (more: object) => JSON.stringify(email.review!(emailConfig.parse({ ...settings, ...more })));
    assert.match(lacks({}), /email\.clientId is not set/);
    assert.match(lacks({ imapHost: 'imap.own.test' }), /email\.tokenUrl is not set/);
    assert.doesNotMatch(lacks({ clientId: 'x' }), /is not set/);
    assert.doesNotMatch(lacks({ tokenCommand: ['oama'] }), /is not set/);
    assert.match(tokenUrlOf({ tokenUrl: undefined, imapHost: 'imap.gmail.com' })!, /googleapis/);
    assert.equal(tokenUrlOf({ tokenUrl: undefined, imapHost: 'notgmail.com' }), undefined);
    assert.throws(() => emailConfig.parse({ ...settings, tokenUrl: 'http://login.example.com/token' }), /https/);
  });
});
