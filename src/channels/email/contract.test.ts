/** E-mail keeps the contract of a channel, on a server of IMAP and SMTP. */
import { channelContract } from '../../testing/channel-contract.ts';
import { startFakeMail } from './fake.ts';
import email from './index.ts';

channelContract({
  plugin: email,
  start: startFakeMail,
  chats: {
    direct: { kind: 'direct', id: 'ann@example.org' },
    group: { kind: 'group', id: 'ann@example.org,bob@example.org' },
  },
  people: { ann: 'ann@example.org', bob: 'bob@example.org' },
  untold: ['recorded', 'edited', 'members'],
});
