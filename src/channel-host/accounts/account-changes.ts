/** Starts and stops accounts when the configuration changes, or when a person starts, stops or logs out one. */
import { join } from 'node:path';
import type { ChannelPlugin } from '../../core/channel.ts';
import { AppError } from '../../core/errors.ts';
import type { Log } from '../../core/log.ts';
import type { ConfigStore } from '../../config/store.ts';
import type { AccountName } from '../../host/channel-services.ts';
import { createSerialQueue } from '../../platform/keyed-queue.ts';
import type { AccountPlan } from '../../plugins/channel-accounts.ts';
import type { ChannelRegistry } from '../channel-registry.ts';
import { accountNamed } from './account-names.ts';
import { evaluate, mayRun } from './account-report.ts';
import { lenient, logOut, type LoggedOut } from './logout.ts';
import { keyOf, type RunningAccounts } from './running-accounts.ts';

export interface AccountChangesDeps {
  readonly registry: Pick<ChannelRegistry, 'plugins' | 'plansOf' | 'sources'>;
  readonly running: RunningAccounts;
  /** Channels that deliver outside: people name accounts of these. */
  readonly external: readonly ChannelPlugin[];
  readonly log: Log;
  readonly stateDir: string;
  readonly edit?: ConfigStore<unknown>['edit'] | undefined;
  /** Accounts may run now: the hub has begun and is not closing. */
  isOpen(): boolean;
}

export type AccountChanges = ReturnType<typeof createAccountChanges>;

const unsupported = (what: string) => async (): Promise<never> => {
  throw new AppError('unsupported', `${what} is not supported here.`);
};

export function createAccountChanges(deps: AccountChangesDeps) {
  const { registry, running, log } = deps;
  /** Accounts that were stopped manually; they stay stopped until they are started manually. */
  const held = new Set<string>();

  const named = (name: AccountName): AccountPlan =>
    accountNamed(name, { plugins: deps.external, plansOf: registry.plansOf });

  /** One change at a time: of two connections with one secret most platforms cut one. */
  const oneByOne = createSerialQueue();
  const inTurn = <T>(change: () => Promise<T>): Promise<T> => {
    const mine = oneByOne.run(change);
    mine.catch((error: unknown) => log.error('channels.change', { error }));
    return mine;
  };

  /**
   * Stops accounts that must not run any more, starts new ones, and restarts those whose connection depends on a
   * changed setting.
   */
  async function follow(): Promise<void> {
    if (!deps.isOpen()) return;
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
    assertRunnable(plan, registry);
    await running.begin(plan).tried;
  }

  async function stop(name: AccountName): Promise<void> {
    const key = keyOf(named(name));
    held.add(key);
    await running.end(key);
  }

  async function logout(name: AccountName): Promise<LoggedOut> {
    const plan = named(name);
    await running.end(keyOf(plan));
    return logOut(plan, {
      edit: deps.edit ?? unsupported('Editing the configuration'),
      accountOf: ({ accountId, plugin }) => ({
        accountId,
        config: lenient(plan),
        stateDir: join(deps.stateDir, 'channels', plugin.id, accountId),
        log,
      }),
    });
  }

  return {
    follow: (): Promise<void> => inTurn(follow),
    restart: (name: AccountName): Promise<void> => inTurn(() => restart(name)),
    stop: (name: AccountName): Promise<void> => inTurn(() => stop(name)),
    logout: (name: AccountName): Promise<LoggedOut> => inTurn(() => logout(name)),
    hold: (plan: AccountPlan): Promise<() => Promise<void>> =>
      inTurn(() => hold(keyOf(plan), { held, running, resume: () => inTurn(follow) })),
    named,
  };
}

interface Holding {
  /** Accounts that do not run, whatever the configuration says. */
  readonly held: Set<string>;
  readonly running: Pick<RunningAccounts, 'end'>;
  resume(): Promise<void>;
}

/** For a login: it is not connected, whatever changes meanwhile, until what this resolves with is called. */
async function hold(key: string, { held, running, resume }: Holding): Promise<() => Promise<void>> {
  const wasHeld = held.has(key);
  held.add(key);
  await running.end(key);
  return async () => {
    if (!wasHeld) held.delete(key);
    await resume();
  };
}

function assertRunnable(plan: AccountPlan, registry: Pick<ChannelRegistry, 'sources'>): void {
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
