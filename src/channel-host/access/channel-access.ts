/** Access to the channels: admission, pairing requests and explanations, based on one store and one evaluation. */
import { join } from 'node:path';
import type { ChannelPlugin } from '../../core/channel.ts';
import type { Log } from '../../core/log.ts';
import type { AccessService, PairingService } from '../../host/channel-services.ts';
import type { Journal } from '../../journal/journal.ts';
import { createPairingStore } from '../../pipeline/access/pairing-store.ts';
import { route, type RoutingRules } from '../../pipeline/routing/route.ts';
import { createAccessService, pluginOf, type AccessServiceDeps } from './access-service.ts';
import { createAccessGate, type AccessGate, type AccessGateDeps } from './access-gate.ts';
import { createAccessEvaluator, type AccessEvaluatorDeps } from './evaluate-access.ts';
import { createPairingService, type PairingServiceDeps } from './pairing-service.ts';

export interface ChannelAccessDeps
  extends Pick<AccessGateDeps, 'transcribe'>,
    Pick<PairingServiceDeps, 'sender'>,
    Pick<AccessServiceDeps, 'accounts' | 'open' | 'find'> {
  readonly stateDir: string;
  readonly log: Log;
  readonly journal: Journal;
  readonly evaluating: Omit<AccessEvaluatorDeps, 'pairing' | 'log'>;
  now(): number;
  rules(): RoutingRules;
  /** Every channel there is, configured or not. */
  plugins(): Promise<readonly ChannelPlugin[]>;
}

export interface ChannelAccess {
  readonly gate: AccessGate;
  readonly pairing: PairingService;
  readonly explain: AccessService;
}

export function createChannelAccess({
  stateDir,
  log,
  journal,
  now,
  rules,
  plugins,
  sender,
  transcribe,
  accounts,
  open,
  find,
  evaluating,
}: ChannelAccessDeps): ChannelAccess {
  const store = createPairingStore({ dir: join(stateDir, 'credentials'), log, now });
  const evaluate = createAccessEvaluator({ ...evaluating, log, pairing: store });
  return {
    gate: createAccessGate({ evaluate, pairing: store, transcribe }),
    pairing: createPairingService({
      store,
      journal,
      sender,
      log,
      channelId: async (name) => pluginOf(name, await plugins()).id,
      sessionKeyOf: (address) => route({ address }, rules()).sessionKey,
    }),
    explain: createAccessService({ evaluate, journal, rules, plugins, accounts, now, open, find }),
  };
}
