/**
 * The resources of one connection of an account. They end with the connection, and nothing of it is accepted
 * afterwards.
 */
import { join } from 'node:path';
import type { ChannelAccount, ChannelPlugin, NativeCommand, Receipt, WebhookHandler } from '../../core/channel.ts';
import { AppError } from '../../core/errors.ts';
import type { Log } from '../../core/log.ts';
import type { InboundMessage } from '../../core/message.ts';
import type { OutboundMessage } from '../../core/reply.ts';
import type { AccountPlan } from '../../plugins/channel-accounts.ts';
import type { AccountState } from './account-state.ts';
import { createRetryLimit } from './retry-limit.ts';

/** What every account shares. */
export interface AccountContext {
  readonly stateDir: string;
  receive(plugin: ChannelPlugin, message: InboundMessage): Promise<Receipt>;
  show(message: OutboundMessage): Promise<void>;
  readonly keep: ChannelAccount<unknown>['keep'];
  readonly open: ChannelAccount<unknown>['open'];
  mount(path: string, handler: WebhookHandler, owner: string): Disposable;
  /** For native registration. */
  nativeCommands(channel: string, accountId: string): readonly NativeCommand[];
}

export interface ScopeSpec {
  readonly plan: AccountPlan;
  readonly config: unknown;
  readonly credentials: Readonly<Record<string, string>>;
  readonly state: AccountState;
  readonly log: Log;
  readonly signal: AbortSignal;
  /** The connection reported that it can send again. */
  onBack(): void;
}

export interface AccountScope {
  readonly account: ChannelAccount<unknown>;
  close(): void;
}

export function openScope(
  context: AccountContext,
  { plan, config, credentials, state, log, signal, onBack }: ScopeSpec,
): AccountScope {
  const { plugin, accountId } = plan;
  const held = new DisposableStack();
  const retryLimit = createRetryLimit(log);
  const over = (): boolean => held.disposed;
  const gone = (): AppError =>
    new AppError('unavailable', `This connection of ${plugin.label} (${accountId}) was replaced by a newer one.`, {
      retryAfterMs: 1000,
    });
  const account: ChannelAccount<unknown> = {
    accountId,
    config,
    credentials,
    log,
    signal,
    stateDir: join(context.stateDir, 'channels', plugin.id, accountId),
    commands: context.nativeCommands(plugin.id, accountId),
    show: context.show,
    keep: context.keep,
    open: context.open,
    async receive(message) {
      if (over()) throw gone();
      state.inbound();
      try {
        return await retryLimit(message, () => context.receive(plugin, message));
      } finally {
        state.decided();
      }
    },
    report(facts) {
      if (!over() && state.report(facts)) onBack();
    },
    mount(path, handler) {
      if (over()) throw gone();
      return held.use(context.mount(path, handler, `${plugin.id}/${accountId}`));
    },
  };
  return { account, close: () => held.dispose() };
}
