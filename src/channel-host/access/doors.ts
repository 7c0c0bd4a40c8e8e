/** The doors of the house: who gets in, who asks to, and why; one store and one judge behind all three. */
import { join } from 'node:path';
import type { ChannelPlugin } from '../../core/channel.ts';
import type { Log } from '../../core/log.ts';
import type { DoorService, PairingService } from '../../host/channel-services.ts';
import type { Journal } from '../../journal/journal.ts';
import { createPairingStore } from '../../pipeline/access/pairing-store.ts';
import { route, type RoutingRules } from '../../pipeline/routing/route.ts';
import { createDoorService, pluginOf, type DoorServiceDeps } from './door-service.ts';
import { createDoorkeeper, type Doorkeeper, type DoorkeeperDeps } from './doorkeeper.ts';
import { createJudge, type JudgeDeps } from './judge.ts';
import { createPairingService, type PairingServiceDeps } from './pairing-service.ts';

export interface DoorsDeps
  extends Pick<DoorkeeperDeps, 'hear'>,
    Pick<PairingServiceDeps, 'sender'>,
    Pick<DoorServiceDeps, 'accounts' | 'open' | 'find'> {
  readonly stateDir: string;
  readonly log: Log;
  readonly journal: Journal;
  readonly judging: Omit<JudgeDeps, 'pairing' | 'log'>;
  now(): number;
  rules(): RoutingRules;
  /** Every channel there is, configured or not. */
  plugins(): Promise<readonly ChannelPlugin[]>;
}

export interface Doors {
  readonly doorkeeper: Doorkeeper;
  readonly pairing: PairingService;
  readonly explain: DoorService;
}

export function createDoors({
  stateDir,
  log,
  journal,
  now,
  rules,
  plugins,
  sender,
  hear,
  accounts,
  open,
  find,
  judging,
}: DoorsDeps): Doors {
  const store = createPairingStore({ dir: join(stateDir, 'credentials'), log, now });
  const judge = createJudge({ ...judging, log, pairing: store });
  return {
    doorkeeper: createDoorkeeper({ judge, pairing: store, hear }),
    pairing: createPairingService({
      store,
      journal,
      sender,
      log,
      channelId: async (name) => pluginOf(name, await plugins()).id,
      sessionKeyOf: (address) => route({ address }, rules()).sessionKey,
    }),
    explain: createDoorService({ judge, journal, rules, plugins, accounts, now, open, find }),
  };
}
