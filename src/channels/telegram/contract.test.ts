/** The channel contract for Telegram, over the Bot API. */
import { channelContract } from '../../testing/channel-contract.ts';
import { startFakeTelegram } from './fake.ts';
import telegram from './index.ts';

channelContract({
  plugin: telegram,
  start: () => startFakeTelegram({ forums: ['-1002'] }),
  chats: {
    direct: { kind: 'direct', id: '501' },
    group: { kind: 'group', id: '-1001' },
    thread: { kind: 'group', id: '-1002', threadId: '42' },
  },
  people: { ann: '501', bob: '502' },
  untold: ['members'],
});
