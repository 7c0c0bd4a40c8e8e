/** `channels.*` through the protocol, and when a channel counts as degraded. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { AppError } from '../../core/errors.ts';
import { publishedProtocol } from '../../testing/published-protocol.ts';
import { startTestGateway } from '../../testing/ws-gateway.ts';
import type { AccountStatus } from '../../host/channel-services.ts';
import { channelHealth } from '../ws/health.ts';

const NOW = 1_000_000_000;
const well: AccountStatus = {
  accountId: 'default',
  enabled: true,
  configured: true,
  running: true,
  connected: true,
  problems: [],
};
const health = (...accounts: Partial<AccountStatus>[]) =>
  channelHealth({ id: 'pipe', label: 'Pipe', accounts: accounts.map((over) => ({ ...well, ...over })) }, NOW);

describe('a channel', () => {
  it('is degraded as soon as one account is', () => {
    assert.deepEqual([health({}).ok, health({}).summary], [true, 'Pipe: running']);
    for (const [over, summary] of [
      [{ probe: { ok: false, detail: 'deaf' } }, 'deaf'],
      [{ connected: false, downSince: NOW - 60_001, lastError: 'refused' }, 'refused'],
      [{ connected: false, downSince: NOW - 60_001 }, 'not connected'],
      [{ running: false, connected: false, lastError: 'its settings are invalid' }, 'its settings are invalid'],
      [{ problems: [{ kind: 'auth', message: 'The token is refused.' }] }, 'The token is refused.'],
    ] as const) {
      const { ok, summary: line } = health({ accountId: 'a' }, { ...over, accountId: 'b' });
      assert.deepEqual([ok, line], [false, `Pipe: failed (b) - ${summary}`]);
    }
  });

  it('is not for a hiccup, a warning, or what is meant to be off', () => {
    assert.deepEqual(
      [
        health({ connected: false, downSince: NOW - 59_000, lastError: 'cut' }).ok,
        health({ connected: false, downSince: NOW - 59_000 }).summary,
      ],
      [true, 'Pipe: connecting'],
    );
    assert.equal(health({ problems: [{ kind: 'permissions', message: 'It cannot read history.' }] }).ok, true);
    assert.deepEqual(health({ enabled: false, running: false, lastError: 'disabled' }).summary, 'Pipe: disabled');
    assert.equal(
      health({ configured: false, running: false, lastError: 'not configured' }).summary,
      'Pipe: not configured',
    );
    assert.equal(health().summary, 'Pipe: not configured');
  });
});

describe('G182 channels.status', () => {
  it('answers maps as published, and no field of one channel beside them', async () => {
    await using gateway = await startTestGateway();
    gateway.services.setChannels([
      {
        id: 'pipe',
        label: 'Pipe',
        accounts: [
          {
            ...well,
            reconnectAttempts: 2,
            downSince: 5,
            credentialSources: { botToken: 'env' },
            problems: [{ kind: 'intent', message: 'Turn it on.' }],
          },
        ],
      },
      { id: 'kite', label: 'Kite', accounts: [] },
    ]);
    const client = await gateway.client({ scopes: ['operator.read'] });
    const answer: any = await client.call('channels.status', {});
    assert.equal(publishedProtocol().fault('ChannelsStatusResult', answer), undefined);
    assert.deepEqual(Object.keys(answer).sort(), [
      'channelAccounts',
      'channelDefaultAccountId',
      'channelLabels',
      'channelMeta',
      'channelOrder',
      'channels',
      'ts',
    ]);
    assert.deepEqual(
      [answer.channelOrder, answer.channelDefaultAccountId, answer.channelAccounts.kite],
      [['pipe', 'kite'], { pipe: 'default', kite: 'default' }, []],
    );
    assert.deepEqual(answer.channelAccounts.pipe[0].credentialSources, { botToken: 'env' });
    const old: any = await client.call('providers.status', {});
    assert.deepEqual(Object.keys(old).sort(), [
      'providerAccounts',
      'providerDefaultAccountId',
      'providerLabels',
      'providerOrder',
      'providers',
      'ts',
    ]);
    const facts: any = await client.call('status', {});
    assert.deepEqual(
      [facts.channelSummary, facts.channelProblems],
      [['Pipe: running'], [{ channel: 'pipe', accountId: 'default', kind: 'intent', message: 'Turn it on.' }]],
    );
  });

  it('starting, stopping and logging out need the right to administer', async () => {
    await using gateway = await startTestGateway();
    const reader = await gateway.client({ scopes: ['operator.read', 'operator.write'] });
    for (const name of ['start', 'stop', 'restart', 'logout'])
      assert.equal(
        (await reader.request(`channels.${name}`, { channel: 'pipe' })).error.details.missingScope,
        'operator.admin',
        name,
      );
    const admin = await gateway.client({ scopes: ['operator.admin'] });
    assert.deepEqual(await admin.call('channels.logout', { channel: 'pipe' }), {
      channel: 'pipe',
      cleared: false,
      loggedOut: false,
    });
    gateway.services.channels.restart = async ({ channel }) => {
      throw new AppError('invalid', `Unknown channel "${channel}".`);
    };
    assert.match((await admin.request('channels.start', { channel: 'pip' })).error.message, /Unknown channel "pip"/);
  });
});
