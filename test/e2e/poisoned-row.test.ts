/** An unreadable row of the journal does not stop the gateway or block other messages. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { it } from 'node:test';
import { startFakeTelegram } from '../../src/channels/telegram/fake.ts';
import type { Chat } from '../../src/testing/channel-platform.ts';
import { startGateway } from '../../src/testing/running-gateway.ts';
import { until } from '../../src/testing/until.ts';

const ANN: Chat = { kind: 'direct', id: '501' };

it('a message that cannot be read is passed over at a start, and those behind it are answered', async () => {
  await using telegram = await startFakeTelegram();
  await using gateway = await startGateway({
    config: { channels: { telegram: { ...telegram.config, ...telegram.credentials, allowFrom: ['501'] } } },
  });
  gateway.models.reply({ hang: true });
  await telegram.write({ chat: ANN, by: '501', text: 'hello' });
  await until(() => gateway.models.requests.length === 1, 'its turn is under way');
  await gateway.restart({
    graceMs: 0,
    while: () => {
      using journal = new DatabaseSync(join(gateway.stateDir, 'journal.sqlite'));
      const body = JSON.stringify({
        message: { id: 'p', address: { channel: 'telegram', accountId: 'default', chat: ANN } },
        route: {
          agentId: 'main',
          sessionKey: 'agent:main:main',
          matchedBy: 'default',
          replyTo: { channel: 'telegram', accountId: 'default', chat: ANN },
        },
      });
      journal
        .prepare(
          `INSERT INTO inbound (seq, channel, account, message_id, version, run_id, session_key, agent_id, body, state, accepted_at) VALUES (0, 'telegram', 'default', 'p', 0, 'poisoned', 'agent:main:main', 'main', ?, 'accepted', 1)`,
        )
        .run(body);
    },
  });
  await until(() => telegram.seen(ANN).length === 1, 'the answer');
  await telegram.write({ chat: ANN, by: '501', text: 'and now' });
  await until(() => telegram.seen(ANN).length === 2, 'the next answer');
  assert.equal(gateway.models.requests.length, 3);
});
