/** Live accounts: connected despite failures, reachable for replies, stopped on request. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { z } from 'zod';
import type { ChannelAccount, ChannelPlugin } from '../../core/channel.ts';
import { silentLog } from '../../core/log.ts';
import { createFakeClock } from '../../testing/fake-clock.ts';
import { createChannelRegistry } from '../channel-registry.ts';
import { createChannelHub, type ChannelHub } from './channel-hub.ts';

interface FakePlugin extends ChannelPlugin {
  readonly tries: ChannelAccount<any>[];
  readonly closed: string[];
  failures: number;
  breaksOnClose: boolean;
}

function fakePlugin(id: string, over: Partial<ChannelPlugin> & { deliverable?: boolean } = {}): FakePlugin {
  const plugin: FakePlugin = {
    id,
    label: id.toUpperCase(),
    config: z.object({ token: z.string().default('t') }),
    tries: [],
    closed: [],
    failures: 0,
    breaksOnClose: false,
    capabilities: {
      chats: ['direct'],
      threads: false,
      edit: false,
      react: false,
      typing: false,
      media: false,
      voice: false,
      markdown: 'none',
      maxTextLength: 100,
      idempotentSend: false,
      deliverable: over.deliverable ?? true,
    },
    parseTarget: (text) => (text.startsWith('+') ? { chat: { kind: 'direct', id: text } } : undefined),
    async connect(account) {
      plugin.tries.push(account);
      if (plugin.failures-- > 0) throw new Error('no route to host');
      return {
        send: async () => ({ messageIds: [] }),
        async probe() {
          if (account.accountId === 'dumb') throw new Error('probe broke');
          return { ok: true, detail: account.config.token };
        },
        async [Symbol.asyncDispose]() {
          plugin.closed.push(account.accountId);
          if (plugin.breaksOnClose) throw new Error('would not close');
        },
      };
    },
    ...over,
  };
  return plugin;
}

/** Every channel is configured unless `config` is given. */
function harness(
  plugins: readonly FakePlugin[],
  config: Record<string, any> = Object.fromEntries(plugins.map(({ id }) => [id, {}])),
) {
  const clock = createFakeClock();
  const seen = { connected: 0, received: [] as string[] };
  const registry = createChannelRegistry({ plugins, config: () => config });
  const hub: ChannelHub = createChannelHub({
    registry,
    clock,
    log: silentLog,
    random: () => 1,
    accounts: {
      stateDir: '/state',
      receive: async (plugin, message) => {
        seen.received.push(`${plugin.id} ${message.id}`);
        return { status: 'accepted', seq: 1 };
      },
      show: async () => {},
      keep: async ({ mime }) => ({ kind: 'document', mime, path: '/kept' }),
      open: () => Promise.reject(new Error('not in this test')),
      nativeCommands: () => [],
    },
    onConnected: () => {
      seen.connected++;
    },
  });
  return { hub, registry, clock, seen };
}
const at = (channel: string, accountId = 'default') => ({
  channel,
  accountId,
  chat: { kind: 'direct' as const, id: '+1' },
});

describe('connecting', () => {
  it('makes one account without a list, and each named one with the shared settings beneath its own', async () => {
    const [one, many] = [fakePlugin('one'), fakePlugin('many')];
    const { hub, clock } = harness([one, many], {
      one: { token: 'x' },
      many: { token: 'shared', accounts: { Biz: {}, home: { token: 'own' }, off: { enabled: false, token: 'y' } } },
    });
    await hub.start();
    await clock.advance(0);
    assert.deepEqual(
      one.tries.map(({ accountId, config }) => [accountId, config.token]),
      [['default', 'x']],
    );
    assert.deepEqual(
      many.tries.map(({ accountId, config }) => [accountId, config.token]),
      [
        ['biz', 'shared'],
        ['home', 'own'],
      ],
    );
    await hub.close();
  });

  it('tries again after a failure, with growing pauses, and then says it may send', async () => {
    const plugin = fakePlugin('pipe');
    plugin.failures = 2;
    const { hub, registry, clock, seen } = harness([plugin]);
    await hub.start();
    await clock.advance(0);
    assert.deepEqual([registry.connection(at('pipe')), seen.connected], [undefined, 0]);
    assert.match((await hub.status({ probe: false, timeoutMs: 1 }))[0]!.accounts[0]!.lastError ?? '', /no route/);
    await clock.advance(1000);
    assert.equal(plugin.tries.length, 2);
    await clock.advance(1999);
    assert.equal(plugin.tries.length, 2);
    await clock.advance(1);
    assert.deepEqual([plugin.tries.length, seen.connected], [3, 1]);
    assert.ok(registry.connection(at('pipe')));
    await hub.close();
  });

  it('tells who listens of each change of an account once, and of none when nothing changes', async () => {
    const plugin = fakePlugin('pipe');
    plugin.failures = 1;
    const { hub, clock } = harness([plugin]);
    const heard: string[] = [];
    const end = hub.subscribe(({ channel, accountId }) => {
      heard.push(`${channel}/${accountId}`);
    });
    const settled = (): Promise<void> => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
    await hub.start();
    await clock.advance(0);
    await settled();
    const before = heard.length;
    assert.ok(before > 0 && heard.every((name) => name === 'pipe/default'), heard.join());
    await settled();
    assert.equal(heard.length, before, 'nothing changed');
    await clock.advance(1000);
    await settled();
    assert.ok(heard.length > before, 'it is connected');
    const connected = heard.length;
    end();
    await hub.close();
    await settled();
    assert.equal(heard.length, connected, 'nobody listens any more');
  });

  it('waits for the accounts when asked to, but not for ever', async () => {
    const plugin = fakePlugin('pipe', { connect: () => new Promise(() => {}) });
    const { hub, clock } = harness([plugin]);
    const started = hub.start(500);
    await clock.advance(500);
    await started;
  });

  it('passes messages on and remembers when', async () => {
    const plugin = fakePlugin('pipe');
    const { hub, clock, seen } = harness([plugin]);
    await hub.start();
    await clock.advance(0);
    await plugin.tries[0]!.receive({ id: 'm1' } as never);
    assert.deepEqual(seen.received, ['pipe m1']);
    const [account] = (await hub.status({ probe: false, timeoutMs: 1 }))[0]!.accounts;
    assert.deepEqual([account!.lastInboundAt, account!.lastOutboundAt], [clock.now(), undefined]);
    await hub.close();
  });
});

describe('closing', () => {
  it('ends every connection and every pending one, also if some fail', async () => {
    const [good, bad, down] = [fakePlugin('good'), fakePlugin('bad'), fakePlugin('down')];
    bad.breaksOnClose = true;
    down.failures = 99;
    const { hub, clock } = harness([bad, down, good]);
    await hub.start();
    await clock.advance(0);
    await hub.close();
    assert.deepEqual([good.closed, bad.closed, down.tries.length, clock.pending()], [['default'], ['default'], 1, 0]);
  });
});

describe('closing with a plugin that never answers', () => {
  it('does not wait for it for ever', async () => {
    const stuck = fakePlugin('stuck', { connect: () => new Promise(() => {}) });
    const good = fakePlugin('good');
    const { hub, clock } = harness([stuck, good]);
    await hub.start();
    await clock.advance(0);
    const closed = hub.close(5000);
    await clock.advance(5000);
    await closed;
    assert.deepEqual([good.closed, clock.pending()], [['default'], 0]);
  });
});

describe('looking', () => {
  it('probes when asked, and a probe that breaks is an answer', async () => {
    const plugin = fakePlugin('pipe');
    const { hub, clock } = harness([plugin, fakePlugin('inner', { deliverable: false })], {
      pipe: { accounts: { ok: {}, dumb: {} } },
    });
    await hub.start();
    await clock.advance(0);
    const status = await hub.status({ probe: true, timeoutMs: 1000 });
    assert.deepEqual(
      status.map(({ id }) => id),
      ['pipe'],
      'surfaces of our own are not listed',
    );
    assert.deepEqual(
      status[0]!.accounts.map(({ accountId, connected, probe }) => [accountId, connected, probe]),
      [
        ['ok', true, { ok: true, detail: 't', ms: 0 }],
        ['dumb', true, { ok: false, detail: 'probe broke', ms: 0 }],
      ],
    );
    const [ok] = (await hub.status({ probe: false, timeoutMs: 1 }))[0]!.accounts;
    assert.deepEqual([ok!.lastProbeAt, ok!.probe?.ok], [clock.now(), true], 'the last one is still shown');
    await hub.close();
  });
});
