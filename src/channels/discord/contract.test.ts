/** The channel contract for Discord, over its own protocol. */
import { channelContract } from '../../testing/channel-contract.ts';
import { ANN, BOB, CHANNEL, THREAD } from './fake-discord.ts';
import { startFakeDiscord } from './fake.ts';
import discord from './index.ts';

channelContract({
  plugin: discord,
  start: () => startFakeDiscord(),
  chats: {
    direct: { kind: 'direct', id: ANN },
    group: { kind: 'channel', id: CHANNEL },
    thread: { kind: 'channel', id: CHANNEL, threadId: THREAD },
  },
  people: { ann: ANN, bob: BOB },
  untold: ['members'],
});
