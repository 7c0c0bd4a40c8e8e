// What the gateway shows of heartbeats: the period of the default agent, the section of the prompt, the switch.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { startGateway } from '../../testing/running-gateway.ts';

describe('the feature', () => {
  it('says in health and status how often the agent looks by itself, if it does', async () => {
    await using gateway = await startGateway({ config: { agents: { defaults: { heartbeat: { every: '30m' } } } } });
    const client = await gateway.connect();
    assert.equal((await client.call('health')).heartbeatSeconds, 1800);
    const { defaultAgentId, enabled, agents } = (await client.call('status')).heartbeat;
    assert.deepEqual([defaultAgentId, enabled, agents.length], ['main', true, 1]);
    const { nextAtMs, ...agent } = agents[0];
    assert.deepEqual(agent, {
      agentId: 'main',
      everyMs: 1_800_000,
      session: 'agent:main:main',
      target: 'last',
      enabled: true,
    });
    assert.ok(nextAtMs > 0);
    await client.call('set-heartbeats', { enabled: false });
    assert.equal((await client.call('health')).heartbeatSeconds, 0);
    assert.equal((await client.call('status')).heartbeat.agents[0].enabled, false);
  });

  it('tells an agent what it is asked and how to say that all is well; one that never looks is told nothing', async () => {
    const system = async (every: string): Promise<string> => {
      await using gateway = await startGateway({ config: { agents: { defaults: { heartbeat: { every } } } } });
      gateway.models.reply({ text: ['Hi.'] });
      await (await gateway.connect()).say('hello');
      return gateway.models.requests[0]!.system;
    };
    assert.match(await system('30m'), /## Heartbeats\n.*HEARTBEAT\.md.*\n.*HEARTBEAT_OK and nothing else/);
    assert.doesNotMatch(await system('0m'), /## Heartbeats/);
  });
});
