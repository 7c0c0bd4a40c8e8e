/** The live channel accounts: connected, supervised, and reachable for replies. */
import { asAppError, AppError } from '../core/errors.ts';
import type { ChannelAccount, ChannelConnection, ChannelPlugin, Receipt } from '../core/channel.ts';
import type { Log } from '../core/log.ts';
import type { ChatAddress, InboundMessage } from '../core/message.ts';
import { DEFAULT_ACCOUNT_ID } from '../core/product.ts';
import type { OutboundMessage } from '../core/reply.ts';
import { normaliseAccountId } from '../core/session-key.ts';
import type { ChannelStatus } from '../gateway/channel-services.ts';
import type { Clock } from '../platform/clock.ts';
import type { ChannelsConfig } from '../plugins/config.ts';

export interface ChannelHubDeps {
  readonly plugins: readonly ChannelPlugin[];
  config(): ChannelsConfig;
  readonly log: Log;
  readonly clock: Clock;
  receive(plugin: ChannelPlugin, message: InboundMessage): Promise<Receipt>;
  show(message: OutboundMessage): Promise<void>;
  keep: ChannelAccount<unknown>['keep'];
  /** An account can send again: what waits for it may go. */
  onConnected(): void;
}

interface Account { readonly plugin: ChannelPlugin; readonly accountId: string; readonly raw: unknown; connection: ChannelConnection | undefined; lastError: string | undefined; lastInboundAt: number | undefined; lastOutboundAt: number | undefined; readonly stop: AbortController; done: Promise<void> }

export type ChannelHub = ReturnType<typeof createChannelHub>;

const FIRST_RETRY_MS = 1_000;
const LONGEST_RETRY_MS = 60_000;

export function createChannelHub(deps: ChannelHubDeps) {
  const accounts: Account[] = [];

  /** Connects, and again after a failure, with growing pauses. */
  async function supervise(account: Account): Promise<void> {
    const log = deps.log.child({ channel: account.plugin.id, accountId: account.accountId });
    for (let pause = FIRST_RETRY_MS; !account.stop.signal.aborted; pause = Math.min(LONGEST_RETRY_MS, pause * 2)) {
      try {
        account.connection = await account.plugin.connect({
          accountId: account.accountId, config: account.plugin.config.parse(account.raw), log, signal: account.stop.signal,
          show: deps.show, keep: deps.keep, credentials: {}, stateDir: '', commands: [], report: () => {}, mount: () => ({ [Symbol.dispose]: () => {} }), open: () => Promise.reject(new AppError('unsupported', 'Not built yet.')),
          receive: (message) => {
            account.lastInboundAt = deps.clock.now();
            return deps.receive(account.plugin, message);
          },
        });
        account.lastError = undefined;
        break;
      } catch (error) {
        account.lastError = asAppError(error).message;
        log.error('channel.connect', { error, retryInMs: pause });
        await deps.clock.sleep(pause, account.stop.signal).catch(() => undefined /* stopping: the loop looks */);
      }
    }
    if (account.connection && !account.stop.signal.aborted) deps.onConnected();
  }

  function accountsOf(plugin: ChannelPlugin): { accountId: string; raw: unknown }[] {
    const { accounts: named, enabled: _enabled, ...shared } = (deps.config()[plugin.id] ?? {}) as Record<string, unknown>;
    if (typeof named !== 'object' || named === null) return [{ accountId: DEFAULT_ACCOUNT_ID, raw: shared }];
    return Object.entries(named as Record<string, { enabled?: unknown }>).filter(([, own]) => own.enabled !== false)
      .map(([id, { enabled: _off, ...own }]) => ({ accountId: normaliseAccountId(id), raw: { ...shared, ...own } }));
  }

  const find = (channel: string, accountId: string): Account | undefined => accounts.find((one) => one.plugin.id === channel && one.accountId === accountId);

  return {
    /** Begins connecting; resolves when every account has tried once or `patienceMs` went by. */
    async start(patienceMs = 0): Promise<void> {
      for (const plugin of deps.plugins) {
        for (const { accountId, raw } of accountsOf(plugin)) {
          const account: Account = { plugin, accountId, raw, connection: undefined, lastError: undefined, lastInboundAt: undefined, lastOutboundAt: undefined, stop: new AbortController(), done: Promise.resolve() };
          accounts.push(account);
          account.done = supervise(account);
        }
      }
      if (patienceMs > 0) await Promise.race([Promise.all(accounts.map((one) => one.done)), deps.clock.sleep(patienceMs)]);
    },

    connection(address: ChatAddress) {
      const account = find(address.channel, address.accountId);
      if (!account?.connection) return undefined;
      account.lastOutboundAt = deps.clock.now();
      return { connection: account.connection, capabilities: account.plugin.capabilities };
    },

    capabilities: (channel: string) => deps.plugins.find((plugin) => plugin.id === channel)?.capabilities,

    /** A target a person wrote → an address. */
    resolve({ channel, accountId, to }: { channel?: string | undefined; accountId?: string | undefined; to: string }): ChatAddress {
      const external = deps.plugins.filter((plugin) => plugin.capabilities.deliverable);
      const names = external.map((plugin) => plugin.id).join(', ') || 'none is configured';
      const wanted = channel?.trim().toLowerCase();
      const plugin = wanted === undefined && external.length === 1 ? external[0] : external.find((one) => one.id === wanted || one.aliases?.includes(wanted ?? ''));
      if (!plugin) throw new AppError('invalid', wanted === undefined ? `Name a channel to send to (${names}).` : `Unknown or undeliverable channel "${channel}". Channels: ${names}.`);
      const target = plugin.parseTarget?.(to.trim());
      if (!target) throw new AppError('invalid', `"${to}" is not a target ${plugin.label} knows.`);
      return { channel: plugin.id, accountId: normaliseAccountId(accountId), ...target };
    },

    /** Accounts of channels that deliver outside, in display order. */
    async status({ probe, timeoutMs }: { probe: boolean; timeoutMs: number }): Promise<ChannelStatus[]> {
      const external = deps.plugins.filter((plugin) => plugin.capabilities.deliverable);
      return Promise.all(external.map(async ({ id, label }) => ({
        id, label,
        accounts: await Promise.all(accounts.filter((one) => one.plugin.id === id).map(async (one) => ({
          accountId: one.accountId, enabled: true, configured: true, running: true, connected: one.connection !== undefined, problems: [],
          ...(one.lastError === undefined ? {} : { lastError: one.lastError }),
          ...(one.lastInboundAt === undefined ? {} : { lastInboundAt: one.lastInboundAt }),
          ...(one.lastOutboundAt === undefined ? {} : { lastOutboundAt: one.lastOutboundAt }),
          ...(probe && one.connection ? { probe: await probed(one.connection, timeoutMs) } : {}),
        }))),
      })));
    },

    /** Waits for connections to close, at most `patienceMs`: a plugin that does not listen must not keep the process. */
    async close(patienceMs = 5000): Promise<void> {
      const enough = Promise.withResolvers<void>();
      using _patience = deps.clock.setTimeout(() => {
        deps.log.error('channel.close.late', { patienceMs });
        enough.resolve();
      }, patienceMs);
      for (const account of accounts) account.stop.abort();
      const closed = Promise.all(accounts.map(async (account) => {
        await account.done;
        await account.connection?.[Symbol.asyncDispose]();
      }).map((closing) => closing.catch((error: unknown) => deps.log.error('channel.close', { error }))));
      await Promise.race([closed, enough.promise]);
    },
  };
}

async function probed(connection: ChannelConnection, timeoutMs: number): Promise<{ ok: boolean; detail?: string }> {
  try {
    const { ok, detail } = await connection.probe(AbortSignal.timeout(timeoutMs));
    return { ok, ...(detail === undefined ? {} : { detail }) };
  } catch (error) {
    return { ok: false, detail: asAppError(error).message };
  }
}
