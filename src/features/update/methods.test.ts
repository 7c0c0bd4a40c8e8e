// Updates over the wire: what is known of newer code in the published words, and taking it for administrators alone.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { canonicalSessionKey } from '../../core/session-key.ts';
import { startTestGateway } from '../../testing/ws-gateway.ts';
import update from './index.ts';
import { updateMethods } from './methods.ts';
import type { UpdateReport, UpdateRequest, UpdateService, UpdateStatus } from './update-service.ts';

const CURRENT = { version: '1.2.3', sha: 'a'.repeat(40) };

async function gatewayWith(status: Partial<UpdateStatus>, report: Partial<UpdateReport> = {}) {
  const asked: UpdateRequest[] = [];
  const updater: UpdateService = {
    status: async () => ({ mode: 'git', root: '/srv/clawdbot', current: CURRENT, ...status }),
    async run(request) {
      asked.push(request);
      return { status: 'ok', mode: 'git', root: '/srv/clawdbot', steps: [], durationMs: 5, ...report };
    },
  };
  const named = { canonicalKey: (raw: string) => canonicalSessionKey(raw), agentIds: () => ['main'] };
  const parts = { methods: updateMethods(updater, named) };
  const gateway = await startTestGateway({ services: { features: [{ feature: update, parts }] } });
  return { gateway, asked, [Symbol.asyncDispose]: () => gateway[Symbol.asyncDispose]() };
}

describe('update.status', () => {
  it('tells of newer code as published, and of what stands in its way', async () => {
    await using s = await gatewayWith({
      available: { version: '1.3.0', sha: 'b'.repeat(40), upstream: 'origin/main', behind: 4 },
    });
    const { updateAvailable, mode, root } = await (await s.gateway.client({ scopes: ['operator.read'] })).call(
      'update.status',
    );
    assert.deepEqual([mode, root], ['git', '/srv/clawdbot']);
    assert.deepEqual(updateAvailable, {
      currentVersion: '1.2.3',
      latestVersion: '1.3.0',
      channel: 'dev',
      currentSha: CURRENT.sha,
      upstreamRef: 'origin/main',
      upstreamSha: 'b'.repeat(40),
      commitsBehind: 4,
    });
    await using none = await gatewayWith({
      reason: 'dirty',
      advice: 'Commit it first.',
      running: { step: 'build', startedAt: 5 },
      last: { status: 'error', reason: 'build-failed', endedAt: 4 },
    });
    const reported = await (await none.gateway.client()).call('update.status');
    assert.deepEqual(
      [reported.updateAvailable, reported.reason, reported.running.step, reported.last.reason],
      [null, 'dirty', 'build', 'build-failed'],
    );
  });
});

describe('update.run', () => {
  it('answers the result, and when the gateway restarts', async () => {
    await using s = await gatewayWith({}, { restart: { scheduledAt: 9, delayMs: 60_000 } });
    const { ok, result, restart } = await (await s.gateway.client()).call('update.run', {
      note: 'Back again.',
      sessionKey: 'main',
      restartDelayMs: 1e9,
      timeoutMs: 5000,
    });
    assert.deepEqual([ok, result.status, restart], [true, 'ok', { scheduledAt: 9, delayMs: 60_000 }]);
    assert.deepEqual(s.asked, [
      { note: 'Back again.', sessionKey: 'agent:main:main', restartDelayMs: 60_000, timeoutMs: 5000 },
    ]);
    await using failed = await gatewayWith({}, { status: 'error', reason: 'build-failed' });
    assert.deepEqual(
      await (await failed.gateway.client())
        .call('update.run')
        .then(({ ok: fine, restart: begins }: any) => [fine, begins]),
      [false, null],
    );
  });

  it('is for administrators, and tells no session of an agent that is not there', async () => {
    await using s = await gatewayWith({});
    assert.equal(
      (await (await s.gateway.client({ scopes: ['operator.read', 'operator.write'] })).request('update.run')).error
        .code,
      'FORBIDDEN',
    );
    const { error } = await (await s.gateway.client()).request('update.run', { sessionKey: 'agent:nobody:main' });
    assert.equal(error.details.code, 'UNKNOWN_AGENT_ID');
    assert.deepEqual(s.asked, []);
  });
});
