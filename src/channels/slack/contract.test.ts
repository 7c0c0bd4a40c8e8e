/** The channel contract for Slack, over its real protocol. */
import { channelContract } from '../../testing/channel-contract.ts';
import { startFakeSlack } from './fake.ts';
import slack from './index.ts';

channelContract({
  plugin: slack,
  start: startFakeSlack,
  chats: {
    direct: { kind: 'direct', id: 'U0ANN00001' },
    group: { kind: 'channel', id: 'C0GENERAL1' },
    thread: { kind: 'channel', id: 'C0GENERAL1', threadId: '1700000000.000100' },
  },
  people: { ann: 'U0ANN00001', bob: 'U0BOB00001' },
});
