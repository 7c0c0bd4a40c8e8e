/** The channel contract for iMessage, through imsg and through BlueBubbles. */
import { channelContract } from '../../testing/channel-contract.ts';
import { startFakeBlueBubbles } from './fake-bluebubbles.ts';
import { startFakeImsg } from './fake.ts';
import imessage from './index.ts';

const people = { ann: '+15550000002', bob: '+15550000003' };
const direct = { kind: 'direct', id: people.ann } as const;

channelContract({
  plugin: imessage,
  start: startFakeImsg,
  chats: { direct, group: { kind: 'group', id: '42' } },
  people,
  untold: ['forwarded', 'edited', 'recorded', 'members'],
});

channelContract({
  plugin: imessage,
  start: () => startFakeBlueBubbles(),
  chats: { direct, group: { kind: 'group', id: 'iMessage;+;chat42' } },
  people,
  untold: ['edited', 'members'],
});
