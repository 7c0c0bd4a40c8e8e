/** `POST /tools/invoke` (spec 14.5): authorization, status codes, response format, and client disconnects. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { present } from '../../core/present.ts';
import type { Principal } from '../../core/principal.ts';
import { startHttpGateway, TEST_TOKEN } from '../../testing/http-gateway.ts';
import { createGatewayAuth } from '../auth.ts';

const DEVICES = {
  'device-writes': ['operator.write', 'operator.approvals'],
  'device-admin': ['operator.admin'],
} as Readonly<Record<string, string[]>>;
const auth = createGatewayAuth({
  mode: 'token',
  token: TEST_TOKEN,
  devices: {
    principalOf: (token): Principal | undefined =>
      DEVICES[token] ? { kind: 'operator', id: token, scopes: DEVICES[token] } : undefined,
  },
});
const start = () => startHttpGateway({ auth });
const PATH = '/tools/invoke';

describe('an answer', () => {
  it('is what the tool gave', async () => {
    await using gateway = await start();
    const answer = await gateway.post(
      PATH,
      { tool: 'read', args: { path: 'a.txt' }, action: 'look', sessionKey: 'main', dryRun: true, future: 1 },
      { 'x-openclaw-message-channel': 'telegram', 'x-clawdbot-account-id': 'work', 'x-clawdbot-agent-id': 'main' },
    );
    assert.equal(answer.status, 200);
    assert.deepEqual(await answer.json(), {
      ok: true,
      result: { content: [{ type: 'text', text: 'ran read' }], details: { args: { path: 'a.txt' } } },
    });
    const { signal: _, ...call } = gateway.services.tools.invoked[0]!;
    assert.deepEqual(call, {
      tool: 'read',
      args: { path: 'a.txt' },
      action: 'look',
      sessionKey: 'main',
      dryRun: true,
      channel: 'telegram',
      accountId: 'work',
      agentId: 'main',
      principal: { kind: 'owner' },
    });
  });

  it('is 200 also when the tool failed: the result says so', async () => {
    await using gateway = await start();
    const answer = await gateway.post(PATH, { tool: 'read', args: { path: 'broken' } });
    assert.deepEqual([answer.status, ((await answer.json()) as any).result.isError], [200, true]);
  });
});

describe('a refusal', () => {
  it('says what was wrong', async () => {
    await using gateway = await start();
    const refused = async (body: unknown): Promise<unknown[]> => {
      const answer = await gateway.post(PATH, body);
      const { ok, error, ...rest } = (await answer.json()) as any;
      assert.deepEqual([ok, rest], [false, {}]);
      return [answer.status, error.type, error.message];
    };
    assert.deepEqual(await refused({ tool: 'bash' }), [404, 'not_found', 'There is no tool "bash".']);
    assert.deepEqual(await refused({ tool: 'read', args: { path: '' } }), [
      400,
      'invalid_request',
      'The input of read is not valid:\n- path: is required (string)',
    ]);
    for (const body of [
      {},
      { tool: 7 },
      { tool: '' },
      { tool: 'read', args: [] },
      { tool: 'read', args: 'x' },
      { tool: 'read', dryRun: 'yes' },
      [],
      null,
      'x',
    ])
      assert.deepEqual((await refused(body)).slice(0, 2), [400, 'invalid_request'], JSON.stringify(body));
    assert.equal(gateway.services.tools.invoked.length, 2);
  });

  it('is 400 for what is no JSON, 413 for too much of it, 405 for another method', async () => {
    await using gateway = await start();
    const send = (body: string): Promise<Response> =>
      gateway.fetch(PATH, {
        method: 'POST',
        headers: { authorization: `Bearer ${TEST_TOKEN}`, 'content-type': 'application/json' },
        body,
      });
    assert.equal((await send('{')).status, 400);
    assert.equal((await send('')).status, 400);
    const big = await send(JSON.stringify({ tool: 'read', args: { path: 'x'.repeat(2 * 1024 * 1024) } }));
    assert.deepEqual([big.status, ((await big.json()) as any).error.type], [413, 'too_large']);
    const got = await gateway.fetch(PATH, { headers: { authorization: `Bearer ${TEST_TOKEN}` } });
    assert.deepEqual([got.status, got.headers.get('allow'), ((await got.json()) as any).ok], [405, 'POST', false]);
  });

  it('is 401 without the token and 403 for a device that may not do everything', async () => {
    await using gateway = await start();
    const as = (token: string | undefined): Promise<Response> =>
      gateway.fetch(PATH, {
        method: 'POST',
        headers: present({
          'content-type': 'application/json',
          authorization: token !== undefined ? `Bearer ${token}` : undefined,
        }),
        body: '{"tool":"read"}',
      });
    for (const token of [undefined, 'wrong', '']) {
      const answer = await as(token);
      assert.deepEqual(
        [answer.status, ((await answer.json()) as any).error.type],
        [401, 'unauthorized'],
        String(token),
      );
    }
    assert.equal((await as('device-writes')).status, 403);
    assert.equal(gateway.services.tools.invoked.length, 0);
    assert.equal((await as('device-admin')).status, 200);
  });
});

it('stops the tool when the caller goes away', async () => {
  await using gateway = await start();
  const leaving = new AbortController();
  const request = gateway.fetch(PATH, {
    method: 'POST',
    signal: leaving.signal,
    headers: { 'content-type': 'application/json', authorization: `Bearer ${TEST_TOKEN}` },
    body: JSON.stringify({ tool: 'read', args: { path: 'waits' } }),
  });
  while (gateway.services.tools.invoked.length === 0) await new Promise(setImmediate);
  const { signal } = gateway.services.tools.invoked[0]!;
  const stopped = new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
  leaving.abort();
  await assert.rejects(request);
  await stopped;
  assert.equal(signal.aborted, true);
});
