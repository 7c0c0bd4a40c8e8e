/**
 * The live channel accounts: connected, supervised, and reachable for replies; a change of configuration touches only
 * what it is about.
 */
import { join } from 'node:path';
import type { ChannelPlugin, WebhookHandler } from '../../core/channel.ts';
import { AppError } from '../../core/errors.ts';
import type { Log } from '../../core/log.ts';
import { DEFAULT_ACCOUNT_ID } from '../../core/product.ts';
import { normaliseAccountId } from '../../core/session-key.ts';
import type { ConfigStore } from '../../config/store.ts';
import { nearest } from '../../config/suggest.ts';
import type { AccountName, ChannelMeta, ChannelStatus } from '../../host/channel-services.ts';
import type { Clock } from '../../platform/clock.ts';
import { createSerialQueue } from '../../platform/keyed-queue.ts';
import { settlesWithin } from '../../platform/timeout.ts';
import { sameConnection, type AccountPlan } from '../../plugins/channel-accounts.ts';
import type { ChannelRegistry } from '../channel-registry.ts';
import { accountStatus, channelMeta, evaluate, mayRun } from './account-report.ts';
import type { AccountContext } from './account-scope.ts';
import { createAccountState, type AccountState } from './account-state.ts';
import { probed } from './account-connection.ts';
import { supervise, type Supervised, type SupervisorDeps } from './account-supervisor.ts';
import { lenient, logOut, type LoggedOut } from './logout.ts';
import { createMounts } from './mounts.ts';
import { OWN_COMMAND } from '../../platform/own-command.ts';
import { head } from '../../core/cut.ts';
import { present } from '../../core/present.ts';

export interface ChannelHubDeps {
  readonly registry: ChannelRegistry;
  /** What every account shares. */
  readonly accounts: Omit<AccountContext, 'mount'>;
  readonly log: Log;
  readonly clock: Clock;
  /** An account can send again: what waits for it may go. */
  onConnected(): void;
  readonly home?: string;
  readonly edit?: ConfigStore<unknown>['edit'];
  random?(): number;
  readonly times?: SupervisorDeps['times'];
}

export type ChannelHub = ReturnType<typeof createChannelHub>;

const unsupported = (what: string) => async (): Promise<never> => {
  throw new AppError('unsupported', `${what} cannot be done here.`);
};

export function createChannelHub(deps: ChannelHubDeps) {
  const { registry, clock, log } = deps;
  const { plugins, plansOf } = registry;
  const running = new Map<string, Supervised>();
  const states = new Map<string, AccountState>();
  /** What was registered with the platform: a change needs a new connection. */
  const registered = new Map<string, string>();
  /** Stopped by hand: they stay so until somebody starts them. */
  const held = new Set<string>();
  const mounts = createMounts();
  const state = { begun: false, over: false };

  const keyOf = ({ plugin, accountId }: Pick<AccountPlan, 'plugin' | 'accountId'>): string =>
    `${plugin.id}\n${accountId}`;
  const addressOf = ({ plugin, accountId }: AccountPlan) => ({ channel: plugin.id, accountId });
  const external = plugins.filter(({ capabilities }) => capabilities.deliverable);

  const accountContext: AccountContext = {
    ...deps.accounts,
    mount: (path: string, handler: WebhookHandler, owner: string) => mounts.mount(path, handler, owner),
  };
  const supervisorDeps: SupervisorDeps = {
    context: accountContext,
    clock,
    log,
    home: deps.home ?? '',
    random: deps.random ?? Math.random,
    onConnected: deps.onConnected,
    ...present({ times: deps.times }),
  };

  const commandsOf = ({ plugin, accountId }: AccountPlan): string =>
    JSON.stringify(accountContext.nativeCommands(plugin.id, accountId));

  function begin(plan: AccountPlan): void {
    registered.set(keyOf(plan), commandsOf(plan));
    const state = states.get(keyOf(plan)) ?? createAccountState(clock);
    states.set(keyOf(plan), state);
    const account = supervise(plan, state, supervisorDeps);
    running.set(keyOf(plan), account);
    registry.add(addressOf(plan), {
      get connection() {
        return account.connection;
      },
      outbound: () => state.outbound(),
    });
  }

  /** From here on it is stopped for everybody, however long its connection takes to close. */
  async function end(key: string): Promise<void> {
    const account = running.get(key);
    running.delete(key);
    if (!account) return;
    registry.remove(addressOf(account.plan));
    const stopped = account.stop();
    states.get(key)?.stopped();
    await stopped;
  }

  /** One change at a time: of two connections with one secret most platforms cut one. */
  const oneByOne = createSerialQueue();
  const inTurn = <T>(change: () => Promise<T>): Promise<T> => {
    const mine = oneByOne.run(change);
    mine.catch((error: unknown) => log.error('channels.change', { error }));
    return mine;
  };

  /**
   * Accounts that may not run any more end, new ones begin, and those begin anew whose connection depends on what
   * changed.
   */
  async function follow(): Promise<void> {
    if (!state.begun || state.over) return;
    const wanted = new Map(
      plugins
        .flatMap(plansOf)
        .filter((plan) => mayRun(evaluate(plan, registry.sources().channels)))
        .map((plan) => [keyOf(plan), plan]),
    );
    const stays = (key: string, account: Supervised): boolean => {
      const plan = wanted.get(key);
      return plan !== undefined && sameConnection(account.plan, plan) && registered.get(key) === commandsOf(plan);
    };
    const leaving = [...running].filter(([key, account]) => !stays(key, account)).map(([key]) => key);
    for (const key of leaving)
      log.info('channel.stopping', { account: key.replace('\n', '/'), restarts: wanted.has(key) });
    await Promise.all(leaving.map(end));
    for (const account of running.values()) account.hurry();
    for (const [key, plan] of wanted) if (!running.has(key) && !held.has(key)) begin(plan);
  }

  /** Which account is meant where none is named. */
  function defaultAccount(plugin: ChannelPlugin): string {
    const ids = plansOf(plugin)
      .filter(({ enabled }) => enabled)
      .map(({ accountId }) => accountId);
    return ids.includes(DEFAULT_ACCOUNT_ID) ? DEFAULT_ACCOUNT_ID : (ids[0] ?? DEFAULT_ACCOUNT_ID);
  }

  /** The account a person means; unknown ones reject with what there is. */
  function named({ channel, accountId }: AccountName): AccountPlan {
    const plugin = channelNamed(channel);
    const plans = plansOf(plugin);
    const wanted =
      accountId === undefined
        ? plans.find((plan) => plan.accountId === defaultAccount(plugin))
        : plans.find((plan) => plan.accountId === normaliseAccountId(accountId));
    if (wanted) return wanted;
    throw new AppError(
      'not_found',
      plans.length === 0
        ? `${plugin.label} is not configured. Add it with \`${OWN_COMMAND} channels add --channel ${plugin.id}\`.`
        : `${plugin.label} has no account "${accountId}". Accounts: ${plans.map((plan) => plan.accountId).join(', ')}.`,
    );
  }

  function channelNamed(name: string): ChannelPlugin {
    const wanted = name.trim().toLowerCase();
    const plugin = external.find((one) => one.id === wanted || one.aliases?.includes(wanted));
    if (plugin) return plugin;
    const near = nearest(
      wanted,
      external.flatMap(({ id, aliases = [] }) => [id, ...aliases]),
    );
    throw new AppError(
      'invalid',
      `Unknown channel "${head(name, 64)}".${near === undefined ? '' : ` Did you mean ${near}?`} Channels: ${external.map(({ id }) => id).join(', ') || 'none'}.`,
    );
  }

  return {
    /** Begins connecting; resolves when every account has tried once or `timeoutMs` went by. */
    async start(timeoutMs = 0): Promise<void> {
      state.begun = true;
      await inTurn(follow);
      if (timeoutMs > 0)
        await settlesWithin(Promise.all([...running.values()].map(({ tried }) => tried)), timeoutMs, clock);
    },

    /** Takes a changed configuration up. */
    apply: (): Promise<void> => inTurn(follow),

    webhook: (path: string): WebhookHandler | undefined => mounts.find(path),

    registry: async (): Promise<ChannelMeta[]> => external.map((plugin) => channelMeta(plugin, registry.sources())),

    /** Channels that deliver outside, in display order, the configured ones first. */
    async status({ probe, timeoutMs }: { probe: boolean; timeoutMs: number }): Promise<ChannelStatus[]> {
      const channels = await Promise.all(
        external.map(async (plugin) => ({
          id: plugin.id,
          label: plugin.label,
          accounts: await Promise.all(
            plansOf(plugin).map(async (plan) => {
              const [account, state] = [running.get(keyOf(plan)), states.get(keyOf(plan))];
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
    },

    restart: (name: AccountName): Promise<void> =>
      inTurn(async () => {
        const plan = named(name);
        held.delete(keyOf(plan));
        await end(keyOf(plan));
        const { problems, ...evaluated } = evaluate(plan, registry.sources().channels);
        if (!mayRun({ problems, ...evaluated }))
          throw new AppError(
            'invalid',
            [
              `${plan.plugin.label} (${plan.accountId}) cannot start.`,
              ...problems.map(({ message, fix }) => `${message}${fix ? ` ${fix}` : ''}`),
            ].join(' '),
          );
        begin(plan);
        await running.get(keyOf(plan))!.tried;
      }),

    stop: (name: AccountName): Promise<void> =>
      inTurn(async () => {
        const key = keyOf(named(name));
        held.add(key);
        await end(key);
      }),

    logout: (name: AccountName): Promise<LoggedOut> =>
      inTurn(async () => {
        const plan = named(name);
        await end(keyOf(plan));
        return logOut(plan, {
          edit: deps.edit ?? unsupported('Editing the configuration'),
          accountOf: ({ accountId, plugin }) => ({
            accountId,
            config: lenient(plan),
            stateDir: join(accountContext.stateDir, 'channels', plugin.id, accountId),
            log,
          }),
        });
      }),

    /**
     * Waits for connections to close, at most `timeoutMs`: a plugin that does not listen must not keep the process.
     */
    async close(timeoutMs = 5000): Promise<void> {
      state.over = true;
      const ended = Promise.all([...running.keys()].map(end));
      if (!(await settlesWithin(ended, timeoutMs, clock))) log.error('channel.close.late', { timeoutMs });
    },
  };
}
