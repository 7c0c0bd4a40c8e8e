/** The channel contract for Microsoft Teams, with a connector that signs its requests. */
import { channelContract } from '../../testing/channel-contract.ts';
import { startFakeTeams } from './fake.ts';
import msteams from './index.ts';

const people = { ann: '11111111-1111-4111-8111-111111111111', bob: '22222222-2222-4222-8222-222222222222' };

channelContract({
  plugin: msteams,
  start: startFakeTeams,
  chats: {
    direct: { kind: 'direct', id: people.ann },
    group: { kind: 'group', id: '19:friends@thread.v2' },
    thread: { kind: 'channel', id: '19:general@thread.tacv2', threadId: '1700000000000' },
  },
  people,
  untold: ['forwarded', 'recorded', 'members'],
});
