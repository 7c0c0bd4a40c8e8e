/** Damaged sessions of one agent: the other agents answer, and no message to it is lost. */
import assert from 'node:assert/strict';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { startFakeTelegram } from '../../src/channels/telegram/fake.ts';
import type { Chat } from '../../src/testing/channel-platform.ts';
import { startGateway } from '../../src/testing/running-gateway.ts';
import { until } from '../../src/testing/until.ts';

describe('sessions of one agent that cannot be read', () => {
  it('hold up nobody else; what was said to it is answered once they can', async () => {
    await using telegram = await startFakeTelegram();
    const sessionsOf = (stateDir: string): string => join(stateDir, 'agents', 'work', 'sessions', 'sessions.json');
    await using gateway = await startGateway({
      config: {
        channels: { telegram: { ...telegram.config, ...telegram.credentials, allowFrom: ['501', '502'] } },
        agents: { list: [{ id: 'main', default: true }, { id: 'work' }] },
        bindings: [{ agentId: 'work', match: { channel: 'telegram', peer: { kind: 'direct', id: '502' } } }],
      },
      before: async (stateDir) => void (await mkdir(sessionsOf(stateDir), { recursive: true })),
    });
    const ann: Chat = { kind: 'direct', id: '501' };
    const bob: Chat = { kind: 'direct', id: '502' };
    const asked = await telegram.write({ chat: bob, by: '502', text: 'to work' });
    await until(() => telegram.acknowledged.includes(asked), 'it is in the journal');
    await telegram.write({ chat: ann, by: '501', text: 'to main' });
    await until(() => telegram.seen(ann).length === 1, 'the other agent answers');
    await gateway.restart();
    await telegram.write({ chat: ann, by: '501', text: 'again' });
    await until(() => telegram.seen(ann).length === 2, 'in the next run too');
    assert.deepEqual(telegram.seen(bob), []);
    await gateway.restart({ while: () => rm(sessionsOf(gateway.stateDir), { recursive: true }) });
    await until(() => telegram.seen(bob).length === 1, 'the answer');
  });
});
