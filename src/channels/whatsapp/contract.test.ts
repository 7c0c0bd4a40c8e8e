/** The channel contract for WhatsApp; in its group, people are known by their LID. */
import { channelContract } from '../../testing/channel-contract.ts';
import { startFakeWhatsapp } from './fake.ts';
import whatsapp from './index.ts';

channelContract({
  plugin: whatsapp,
  start: startFakeWhatsapp,
  chats: { direct: { kind: 'direct', id: '+15550001001' }, group: { kind: 'group', id: '120363041234567890@g.us' } },
  people: { ann: '+15550001001', bob: '+15550001002' },
});
