/** The channel contract for IRC, on a server with IRCv3 history and tags. */
import { channelContract } from '../../testing/channel-contract.ts';
import { startFakeIrc } from './fake.ts';
import irc from './index.ts';

channelContract({
  plugin: irc,
  start: startFakeIrc,
  chats: { direct: { kind: 'direct', id: 'ann' }, group: { kind: 'group', id: '#general' } },
  people: { ann: 'ann', bob: 'bob' },
});
