/** Lists the status of the external channels in display order, configured ones first. */
import type { ChannelPlugin } from '../../core/channel.ts';
import type { ChannelStatus } from '../../host/channel-services.ts';
import type { Clock } from '../../platform/clock.ts';
import type { ChannelRegistry } from '../channel-registry.ts';
import { probed } from './account-connection.ts';
import { accountStatus, evaluate } from './account-report.ts';
import { keyOf, type RunningAccounts } from './running-accounts.ts';

export interface ChannelsStatusDeps {
  readonly plugins: readonly ChannelPlugin[];
  readonly registry: Pick<ChannelRegistry, 'plansOf' | 'sources'>;
  readonly running: Pick<RunningAccounts, 'find' | 'stateOf'>;
  readonly clock: Clock;
}

/** `probe`: each connection is tested, for at most `timeoutMs`. */
export async function channelsStatus(
  { plugins, registry, running, clock }: ChannelsStatusDeps,
  { probe, timeoutMs }: { readonly probe: boolean; readonly timeoutMs: number },
): Promise<ChannelStatus[]> {
  const channels = await Promise.all(
    plugins.map(async (plugin) => ({
      id: plugin.id,
      label: plugin.label,
      accounts: await Promise.all(
        registry.plansOf(plugin).map(async (plan) => {
          const [account, state] = [running.find(keyOf(plan)), running.stateOf(keyOf(plan))];
          if (probe && account?.connection && state) await probed(account.connection, { clock, state, timeoutMs });
          return accountStatus(evaluate(plan, registry.sources().channels), state, registry.sources().channels);
        }),
      ),
    })),
  );
  return [
    ...channels.filter(({ accounts }) => accounts.length > 0),
    ...channels.filter(({ accounts }) => accounts.length === 0),
  ];
}
