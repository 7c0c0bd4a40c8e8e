/** What every channel must do, run against its real protocol; a gap is declared in `capabilities`, never skipped. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ChannelConnection, ChannelPlugin } from '../core/channel.ts';
import { silentLog } from '../core/log.ts';
import type { ChatAddress, InboundMessage } from '../core/message.ts';
import type { OutboundMessage } from '../core/reply.ts';

/** The platform the channel talks to: a fake server, or the product itself. */
export interface ChannelPlatform extends AsyncDisposable {
  readonly config: unknown;
  /** Texts that people on the platform can see now, in order. */
  visible(): Promise<readonly string[]>;
  show?(message: OutboundMessage): Promise<void>;
}

export interface ChannelContract {
  readonly plugin: ChannelPlugin;
  readonly address: ChatAddress;
  start(): Promise<ChannelPlatform>;
}

export function channelContract({ plugin, address, start }: ChannelContract): void {
  const message = (token: string, text: string): OutboundMessage => ({ token, runId: token, sessionKey: 'agent:main:main', payload: { kind: 'final', text } });
  async function open(platform: ChannelPlatform): Promise<{ connection: ChannelConnection; received: InboundMessage[] }> {
    const received: InboundMessage[] = [];
    const connection = await plugin.connect({
      accountId: address.accountId, config: plugin.config.parse(platform.config), log: silentLog, signal: new AbortController().signal,
      receive: async (inbound) => ({ status: 'accepted', seq: received.push(inbound) }),
      show: async (shown) => platform.show?.(shown),
      credentials: {}, stateDir: '/nowhere', commands: [], report: () => {}, mount: () => ({ [Symbol.dispose]: () => {} }), open: async () => ({ data: new Uint8Array(), mime: 'image/png', name: 'x' }),
      keep: async ({ data, mime, name }) => ({ kind: 'document', mime, size: data.length, path: '/kept', ...(name ? { name } : {}) }),
    });
    return { connection, received };
  }

  describe(`channel ${plugin.id}`, () => {
    it('has a well-formed id and the methods its capabilities promise', async () => {
      assert.match(plugin.id, /^[a-z0-9][a-z0-9-]*$/);
      await using platform = await start();
      const { connection } = await open(platform);
      await using _ = connection;
      for (const able of ['edit', 'react', 'typing'] as const) assert.equal(typeof connection[able] === 'function', plugin.capabilities[able], able);
      assert.ok(plugin.capabilities.maxTextLength > 0 && plugin.capabilities.chats.length > 0);
    });

    it('shows what is sent, once, in order, and answers with ids', async () => {
      await using platform = await start();
      const { connection } = await open(platform);
      await using _ = connection;
      for (const text of ['one', 'two']) assert.ok((await connection.send(address, message(`t-${text}`, text))).messageIds.length > 0);
      assert.deepEqual(await platform.visible(), ['one', 'two']);
    });

    it('keeps its word on sending the same token twice', { skip: plugin.capabilities.idempotentSend ? false : 'capabilities.idempotentSend is false: the outbox never repeats blindly' }, async () => {
      await using platform = await start();
      const { connection } = await open(platform);
      await using _ = connection;
      await connection.send(address, message('same', 'once'));
      await connection.send(address, message('same', 'once'));
      assert.deepEqual(await platform.visible(), ['once']);
    });

    it('answers a probe', async () => {
      await using platform = await start();
      const { connection } = await open(platform);
      await using _ = connection;
      assert.equal((await connection.probe(AbortSignal.timeout(1000))).ok, true);
    });
  });
}
