// A gateway at rest leaves the sessions alone: nobody is connected who hears how many there are.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ChannelStatus } from '../../host/channel-services.ts';
import { createFakeServices } from '../../testing/fake-services.ts';
import { createFakeClock } from '../../testing/fake-clock.ts';
import { createHealth } from './health.ts';

const telegram: ChannelStatus = { id: 'telegram', label: 'Telegram', accounts: [] };

test('the sessions are read only for somebody who is connected, the channels always', async () => {
  const services = createFakeServices({ stateDir: '/nowhere' });
  const read: string[] = [];
  const list = services.sessions.list;
  services.sessions.list = (filter) => {
    read.push('sessions');
    return list(filter);
  };
  services.channels.status = async () => [telegram];
  let observed = false;
  const health = createHealth({ services, clock: createFakeClock(), observed: () => observed });
  const changed = Promise.withResolvers<void>();
  health.onChange(() => changed.resolve());

  health.refreshSoon();
  await changed.promise;
  assert.deepEqual(health.current().channelOrder, ['telegram']);
  health.refreshIfOld();
  assert.deepEqual(read, []);

  observed = true;
  health.refreshIfOld();
  assert.deepEqual(read, ['sessions'], 'what was left out is not taken for collected');
  await health.recent();
  assert.equal(health.current().sessions.count, 0);
});
