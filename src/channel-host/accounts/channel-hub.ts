/**
 * The live channel accounts: connected, supervised, and reachable for replies; a change of configuration touches only
 * what it is about.
 */
import { join } from 'node:path';
import type { WebhookHandler } from '../../core/channel.ts';
import { AppError } from '../../core/errors.ts';
import type { Log } from '../../core/log.ts';
import { present } from '../../core/present.ts';
import type { ConfigStore } from '../../config/store.ts';
import type { AccountName, ChannelMeta, ChannelStatus } from '../../host/channel-services.ts';
import type { Clock } from '../../platform/clock.ts';
import { createSerialQueue } from '../../platform/keyed-queue.ts';
import { settlesWithin } from '../../platform/timeout.ts';
import type { AccountPlan } from '../../plugins/channel-accounts.ts';
import type { ChannelRegistry } from '../channel-registry.ts';
import { accountNamed } from './account-names.ts';
import { channelMeta, evaluate, mayRun } from './account-report.ts';
import type { AccountContext } from './account-scope.ts';
import type { SupervisorDeps } from './account-supervisor.ts';
import { channelsStatus } from './channels-status.ts';
import { lenient, logOut, type LoggedOut } from './logout.ts';
import { createMounts } from './mounts.ts';
import { createRunningAccounts, keyOf } from './running-accounts.ts';

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
  const mounts = createMounts();
  const context: AccountContext = {
    ...deps.accounts,
    mount: (path: string, handler: WebhookHandler, owner: string) => mounts.mount(path, handler, owner),
  };
  const running = createRunningAccounts({ registry, clock, log, supervisor: supervisorDeps(deps, context) });
  /** Stopped by hand: they stay so until somebody starts them. */
  const held = new Set<string>();
  const state = { begun: false, over: false };
  const external = registry.plugins.filter(({ capabilities }) => capabilities.deliverable);

  const named = (name: AccountName): AccountPlan =>
    accountNamed(name, { plugins: external, plansOf: registry.plansOf });

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
      registry.plugins
        .flatMap(registry.plansOf)
        .filter((plan) => mayRun(evaluate(plan, registry.sources().channels)))
        .map((plan) => [keyOf(plan), plan]),
    );
    await running.endAllBut(wanted);
    for (const account of running.all()) account.hurry();
    for (const [key, plan] of wanted) if (!running.find(key) && !held.has(key)) running.begin(plan);
  }

  async function restart(name: AccountName): Promise<void> {
    const plan = named(name);
    held.delete(keyOf(plan));
    await running.end(keyOf(plan));
    insistOnRunnable(plan, registry);
    await running.begin(plan).tried;
  }

  async function logout(name: AccountName): Promise<LoggedOut> {
    const plan = named(name);
    await running.end(keyOf(plan));
    return logOut(plan, {
      edit: deps.edit ?? unsupported('Editing the configuration'),
      accountOf: ({ accountId, plugin }) => ({
        accountId,
        config: lenient(plan),
        stateDir: join(context.stateDir, 'channels', plugin.id, accountId),
        log,
      }),
    });
  }

  return {
    /** Begins connecting; resolves when every account has tried once or `timeoutMs` went by. */
    async start(timeoutMs = 0): Promise<void> {
      state.begun = true;
      await inTurn(follow);
      if (timeoutMs > 0) await settlesWithin(Promise.all(running.all().map(({ tried }) => tried)), timeoutMs, clock);
    },

    /** Takes a changed configuration up. */
    apply: (): Promise<void> => inTurn(follow),

    webhook: (path: string): WebhookHandler | undefined => mounts.find(path),

    registry: async (): Promise<ChannelMeta[]> => external.map((plugin) => channelMeta(plugin, registry.sources())),

    /** Channels that deliver outside, in display order, the configured ones first. */
    status: (how: { probe: boolean; timeoutMs: number }): Promise<ChannelStatus[]> =>
      channelsStatus({ plugins: external, registry, running, clock }, how),

    restart: (name: AccountName): Promise<void> => inTurn(() => restart(name)),

    stop: (name: AccountName): Promise<void> =>
      inTurn(async () => {
        const key = keyOf(named(name));
        held.add(key);
        await running.end(key);
      }),

    logout: (name: AccountName): Promise<LoggedOut> => inTurn(() => logout(name)),

    /**
     * Waits for connections to close, at most `timeoutMs`: a plugin that does not listen must not keep the process.
     */
    async close(timeoutMs = 5000): Promise<void> {
      state.over = true;
      if (!(await settlesWithin(running.endAll(), timeoutMs, clock))) log.error('channel.close.late', { timeoutMs });
    },
  };
}

const supervisorDeps = (
  { clock, log, home = '', random = Math.random, onConnected, times }: ChannelHubDeps,
  context: AccountContext,
): SupervisorDeps => ({ context, clock, log, home, random, onConnected, ...present({ times }) });

function insistOnRunnable(plan: AccountPlan, registry: ChannelRegistry): void {
  const { problems, ...evaluated } = evaluate(plan, registry.sources().channels);
  if (mayRun({ problems, ...evaluated })) return;
  throw new AppError(
    'invalid',
    [
      `${plan.plugin.label} (${plan.accountId}) cannot start.`,
      ...problems.map(({ message, fix }) => `${message}${fix ? ` ${fix}` : ''}`),
    ].join(' '),
  );
}
