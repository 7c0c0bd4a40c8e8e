/** The channel contract for Signal, with a running signal-cli daemon. */
import { channelContract } from '../../testing/channel-contract.ts';
import { startFakeSignal } from './fake.ts';
import signal from './index.ts';

channelContract({
  plugin: signal,
  start: () => startFakeSignal(),
  chats: {
    direct: { kind: 'direct', id: '+15550000002' },
    group: { kind: 'group', id: 'Pmpi+EfPWmsxiomLe9Nx2XF9HOE483p6iKiFj65iMwI=' },
  },
  people: { ann: '+15550000002', bob: '+15550000003' },
  untold: ['forwarded', 'members'],
});
