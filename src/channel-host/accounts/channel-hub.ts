/**
 * Manages the live accounts: connected, supervised, reachable for replies. A configuration change affects only the
 * accounts it changes.
 */
import type { WebhookHandler } from '../../core/channel.ts';
import type { Log } from '../../core/log.ts';
import { present } from '../../core/present.ts';
import type { ConfigStore } from '../../config/store.ts';
import type { ChannelMeta, ChannelStatus } from '../../host/channel-services.ts';
import type { Clock } from '../../platform/clock.ts';
import { settlesWithin } from '../../platform/timeout.ts';
import type { ChannelRegistry } from '../channel-registry.ts';
import { createAccountEvents } from './account-events.ts';
import { createAccountChanges } from './account-changes.ts';
import { channelMeta } from './account-report.ts';
import type { AccountContext } from './account-scope.ts';
import type { SupervisorDeps } from './account-supervisor.ts';
import { channelsStatus } from './channels-status.ts';
import { loginChannel } from './account-names.ts';
import { createLogins } from './logins.ts';
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

export function createChannelHub(deps: ChannelHubDeps) {
  const { registry, clock, log } = deps;
  const mounts = createMounts();
  const context: AccountContext = {
    ...deps.accounts,
    mount: (path: string, handler: WebhookHandler, owner: string) => mounts.mount(path, handler, owner),
  };
  const news = createAccountEvents();
  const running = createRunningAccounts({ registry, clock, log, news, supervisor: supervisorDeps(deps, context) });
  const state = { begun: false, over: false };
  const external = registry.plugins.filter(({ capabilities }) => capabilities.deliverable);

  const changes = createAccountChanges({
    registry,
    running,
    external,
    log,
    stateDir: context.stateDir,
    edit: deps.edit,
    isOpen: () => state.begun && !state.over,
  });

  const logins = createLogins({
    stateDir: context.stateDir,
    log,
    clock,
    named: ({ channel = loginChannel(external, registry.plansOf), accountId }) =>
      changes.named(present({ channel, accountId })),
    isConnected: (plan) => running.find(keyOf(plan))?.connection !== undefined,
    hold: changes.hold,
  });

  return {
    logins,

    /** Begins connecting; resolves when every account has tried once or `timeoutMs` went by. */
    async start(timeoutMs = 0): Promise<void> {
      state.begun = true;
      await changes.follow();
      if (timeoutMs > 0) await settlesWithin(Promise.all(running.all().map(({ tried }) => tried)), timeoutMs, clock);
    },

    /** Takes a changed configuration up. */
    apply: (): Promise<void> => changes.follow(),

    webhook: (path: string): WebhookHandler | undefined => mounts.find(path),

    registry: async (): Promise<ChannelMeta[]> => external.map((plugin) => channelMeta(plugin, registry.sources())),

    /** Channels that deliver outside, in display order, the configured ones first. */
    status: (how: { probe: boolean; timeoutMs: number }): Promise<ChannelStatus[]> =>
      channelsStatus({ plugins: external, registry, running, clock }, how),

    /** Returns how to stop. */
    subscribe: news.subscribe,

    restart: changes.restart,
    stop: changes.stop,
    logout: changes.logout,

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
