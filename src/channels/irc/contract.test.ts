/** IRC keeps the contract of a channel, on a server with the history and the tags of IRCv3. */
import { channelContract } from '../../testing/channel-contract.ts';
import { startFakeIrc } from './fake.ts';
import irc from './index.ts';

channelContract({
  plugin: irc,
  start: startFakeIrc,
  chats: { direct: { kind: 'direct', id: 'ann' }, group: { kind: 'group', id: '#general' } },
  people: { ann: 'ann', bob: 'bob' },
});
