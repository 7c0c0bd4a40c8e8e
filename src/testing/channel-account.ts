/** The account that a channel gets in tests, with a record of what it received. */
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import type {
  AccountFacts,
  ChannelAccount,
  ChannelConnection,
  ChannelPlugin,
  NativeCommand,
  WebhookHandler,
} from '../core/channel.ts';
import { AppError } from '../core/errors.ts';
import { silentLog } from '../core/log.ts';
import type { InboundMessage } from '../core/message.ts';
import { present } from '../core/present.ts';
import type { ChannelPlatform, Deliver } from './channel-platform.ts';
import { tempDir } from './temp-dir.ts';

/** Posts of a platform go to what the account mounts. */
export function reachAccount(platform: Pick<ChannelPlatform, 'reach'>, { mounts }: Pick<TestAccount, 'mounts'>): void {
  const deliver = async (path: string, request: Parameters<Deliver>[1]): Promise<{ readonly status: number }> =>
    (await mounts.get(path)?.({ ...request, query: new URLSearchParams() })) ?? { status: 404 };
  platform.reach?.(Object.assign(deliver, { isThere: (path: string) => mounts.has(path) }));
}

export interface TestAccount extends AsyncDisposable {
  readonly account: ChannelAccount<any>;
  readonly received: InboundMessage[];
  /** Merged, as status shows them. */
  readonly facts: AccountFacts;
  readonly mounts: ReadonlyMap<string, WebhookHandler>;
  /** What taking a message does before it is taken: wait, or reject. */
  before: ((message: InboundMessage) => Promise<void>) | undefined;
  connect(): Promise<ChannelConnection>;
}

export interface AccountSetting {
  readonly config: unknown;
  readonly credentials?: Readonly<Record<string, string>>;
  readonly commands?: readonly NativeCommand[];
  readonly accountId?: string;
}

export async function testAccount(
  plugin: ChannelPlugin,
  { config, credentials = {}, commands = [], accountId = 'default' }: AccountSetting,
): Promise<TestAccount> {
  const dir = await tempDir('channel-account');
  const stop = new AbortController();
  const received: InboundMessage[] = [];
  const mounts = new Map<string, WebhookHandler>();
  const connections: ChannelConnection[] = [];
  const connecting = new Set<Promise<unknown>>();
  const state: { facts: AccountFacts } = { facts: {} };
  const account: ChannelAccount<any> = {
    accountId,
    config: plugin.config.parse(config),
    credentials,
    commands,
    stateDir: dir.path,
    log: silentLog,
    signal: stop.signal,
    async receive(message) {
      await self.before?.(message);
      return { status: 'accepted', seq: received.push(message) };
    },
    report: (facts) => void (state.facts = { ...state.facts, ...facts }),
    mount(path, handler) {
      mounts.set(path, handler);
      return { [Symbol.dispose]: () => void mounts.delete(path) };
    },
    keep: async ({ data, mime, name }) =>
      present({ kind: 'document', mime, size: data.length, path: '/kept', name: name || undefined }),
    async open(media, maxBytes) {
      if (media.from === 'url') throw new AppError('network', 'Tests have no network.');
      const data = await readFile(media.path);
      if (data.length > maxBytes)
        throw new AppError(
          'too_large',
          `${basename(media.path)} has ${data.length} bytes; at most ${maxBytes} may be sent.`,
        );
      return { data, mime: media.mime, name: media.name ?? basename(media.path) };
    },
    show: async () => {},
  };
  const self: TestAccount = {
    account,
    received,
    mounts,
    before: undefined,
    get facts() {
      return state.facts;
    },
    async connect() {
      const opening = plugin.connect(account);
      connecting.add(opening);
      const connection = await opening;
      connection.ended?.catch(() => undefined); // a test that cares looks itself
      connections.push(connection);
      return connection;
    },
    async [Symbol.asyncDispose]() {
      stop.abort();
      await Promise.allSettled(connecting);
      for (const connection of connections) await connection[Symbol.asyncDispose]();
      await dir[Symbol.asyncDispose]();
    },
  };
  return self;
}
