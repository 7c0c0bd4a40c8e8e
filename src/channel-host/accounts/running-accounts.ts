/** Starts and stops the running accounts, each supervised and registered. */
import type { Log } from '../../core/log.ts';
import type { Clock } from '../../platform/clock.ts';
import { sameConnection, type AccountPlan } from '../../plugins/channel-accounts.ts';
import type { ChannelRegistry } from '../channel-registry.ts';
import type { AccountEvents } from './account-events.ts';
import { createAccountState, type AccountState } from './account-state.ts';
import { supervise, type Supervised, type SupervisorDeps } from './account-supervisor.ts';

export interface RunningAccountsDeps {
  readonly registry: Pick<ChannelRegistry, 'add' | 'remove'>;
  readonly supervisor: SupervisorDeps;
  readonly news: Pick<AccountEvents, 'of'>;
  readonly clock: Clock;
  readonly log: Log;
}

export interface RunningAccounts {
  begin(plan: AccountPlan): Supervised;
  /** From here on it is stopped for everybody, however long its connection takes to close. */
  end(key: string): Promise<void>;
  /** Ends those that are not wanted any more, or need a new connection. */
  endAllBut(wanted: ReadonlyMap<string, AccountPlan>): Promise<void>;
  find(key: string): Supervised | undefined;
  all(): readonly Supervised[];
  /** What outlives connections; undefined: it never ran. */
  stateOf(key: string): AccountState | undefined;
  /** Ends all of them. */
  endAll(): Promise<unknown>;
}

export const keyOf = ({ plugin, accountId }: Pick<AccountPlan, 'plugin' | 'accountId'>): string =>
  `${plugin.id}\n${accountId}`;

const addressOf = ({ plugin, accountId }: AccountPlan) => ({ channel: plugin.id, accountId });

export function createRunningAccounts({
  registry,
  supervisor,
  news,
  clock,
  log,
}: RunningAccountsDeps): RunningAccounts {
  const running = new Map<string, Supervised>();
  const states = new Map<string, AccountState>();
  /** What was registered with the platform: a change needs a new connection. */
  const registered = new Map<string, string>();

  const commandsOf = ({ plugin, accountId }: AccountPlan): string =>
    JSON.stringify(supervisor.context.nativeCommands(plugin.id, accountId));

  async function end(key: string): Promise<void> {
    const account = running.get(key);
    running.delete(key);
    if (!account) return;
    registry.remove(addressOf(account.plan));
    const stopped = account.stop();
    states.get(key)?.stopped();
    await stopped;
  }

  const stays = (key: string, account: Supervised, plan: AccountPlan | undefined): boolean =>
    plan !== undefined && sameConnection(account.plan, plan) && registered.get(key) === commandsOf(plan);

  return {
    begin(plan) {
      const key = keyOf(plan);
      registered.set(key, commandsOf(plan));
      const state = states.get(key) ?? news.of(createAccountState(clock), addressOf(plan));
      states.set(key, state);
      const account = supervise(plan, state, supervisor);
      running.set(key, account);
      registry.add(addressOf(plan), {
        get connection() {
          return account.connection;
        },
        outbound: () => state.outbound(),
      });
      return account;
    },
    end,
    async endAllBut(wanted) {
      const leaving = [...running]
        .filter(([key, account]) => !stays(key, account, wanted.get(key)))
        .map(([key]) => key);
      for (const key of leaving)
        log.info('channel.stopping', { account: key.replace('\n', '/'), restarts: wanted.has(key) });
      await Promise.all(leaving.map(end));
    },
    find: (key) => running.get(key),
    all: () => [...running.values()],
    stateOf: (key) => states.get(key),
    endAll: () => Promise.all([...running.keys()].map(end)),
  };
}
