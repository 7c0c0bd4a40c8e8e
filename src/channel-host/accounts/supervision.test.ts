/** Supervision of an account: surviving failures, delays, and events of a closed connection without effect. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { z } from 'zod';
import { channelShape } from '../../config/channel-config.ts';
import type { ChannelAccount, ChannelConnection, ChannelPlugin } from '../../core/channel.ts';
import { AppError } from '../../core/errors.ts';
import { silentLog } from '../../core/log.ts';
import { createFakeClock } from '../../testing/fake-clock.ts';
import { createChannelRegistry } from '../channel-registry.ts';
import { createChannelHub } from './channel-hub.ts';

type Connect = (account: ChannelAccount<any>, nth: number) => Promise<Partial<ChannelConnection>>;

function harness(connect: Connect, config: Record<string, any> = { pipe: { botToken: '123:test-token' } }) {
  const clock = createFakeClock();
  const tries: { readonly at: number; readonly account: ChannelAccount<any> }[] = [];
  const plugin: ChannelPlugin = {
    id: 'pipe',
    label: 'Pipe',
    config: z.object({
      ...channelShape,
      botToken: z.string().optional(),
      webhookPath: z.string().optional(),
      rooms: z.record(z.string(), z.unknown()).optional(),
    }),
    credentials: [{ key: 'botToken', label: 'Bot token', env: 'PIPE_TOKEN' }],
    liveKeys: ['rooms'],
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
      deliverable: true,
    },
    async connect(account) {
      tries.push({ at: clock.monotonic(), account });
      const made = await connect(account, tries.length);
      return {
        send: async () => ({ messageIds: [] }),
        probe: async () => ({ ok: true }),
        [Symbol.asyncDispose]: async () => {},
        ...made,
      };
    },
  };
  const state = { config, received: [] as string[], connected: 0, edits: [] as unknown[], commands: ['help'] };
  const registry = createChannelRegistry({ plugins: [plugin], config: () => state.config });
  const hub = createChannelHub({
    registry,
    clock,
    log: silentLog,
    random: () => 1,
    accounts: {
      stateDir: '/state',
      receive: async (_plugin, message) => ({ status: 'accepted', seq: state.received.push(message.id) }),
      show: async () => {},
      keep: async ({ mime }) => ({ kind: 'document', mime }),
      open: () => Promise.reject(new Error('not in this test')),
      nativeCommands: () => state.commands.map((name) => ({ name, description: name, args: [] })),
    },
    onConnected: () => {
      state.connected++;
    },
    edit: async (edits) => {
      state.edits.push(...edits);
      return {} as never;
    },
  });
  const status = async () => (await hub.status({ probe: false, timeoutMs: 1 }))[0]!.accounts[0]!;
  return { hub, registry, clock, tries, state, status, plugin };
}
const here = { channel: 'pipe', accountId: 'default', chat: { kind: 'direct' as const, id: '1' } };

describe('G204 an account that fails', () => {
  it('is restarted with increasing delays, also when the plugin throws immediately, and reports why', async () => {
    const { hub, clock, tries, status } = harness((_account, nth) => {
      if (nth < 3) throw new Error('boom');
      return Promise.resolve({});
    });
    await hub.start();
    await clock.advance(0);
    const { running, connected, lastError, reconnectAttempts, problems } = await status();
    assert.deepEqual(
      { running, connected, lastError, reconnectAttempts },
      { running: true, connected: false, lastError: 'boom', reconnectAttempts: 1 },
    );
    assert.deepEqual(problems, [{ kind: 'runtime', message: 'boom' }]);
    await clock.advance(3000);
    assert.deepEqual(
      tries.map(({ at }) => at),
      [0, 1000, 3000],
    );
    assert.equal((await status()).lastError, undefined);
    await hub.close();
  });

  it('never waits longer than a minute', async () => {
    const { hub, clock, tries } = harness(async () => {
      throw new Error('down');
    });
    await hub.start();
    await clock.advance(10 * 60_000);
    const pauses = tries.slice(1).map(({ at }, index) => at - tries[index]!.at);
    assert.deepEqual(pauses.slice(0, 8), [1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000]);
    await hub.close();
  });

  it('waits five minutes after a refused secret, and not at all once configuration changed', async () => {
    const { hub, clock, tries, status, state } = harness(async (account) => {
      if (account.credentials['botToken'] !== 'right')
        throw new AppError('auth', 'Pipe refuses the token.', { details: { fix: 'Set channels.pipe.botToken.' } });
      return {};
    });
    await hub.start();
    await clock.advance(299_999);
    assert.equal(tries.length, 1);
    assert.deepEqual((await status()).problems, [
      { kind: 'auth', message: 'Pipe refuses the token.', fix: 'Set channels.pipe.botToken.' },
    ]);
    await clock.advance(1);
    assert.equal(tries.length, 2);
    state.config = { pipe: { botToken: 'right' } };
    await hub.apply();
    await clock.advance(0);
    assert.deepEqual([tries.length, (await status()).connected], [3, true]);
    await hub.close();
  });

  it('is given up when it does not connect within a minute, and taken leave of when it does later', async () => {
    const late = Promise.withResolvers<Partial<ChannelConnection>>();
    const left: number[] = [];
    const { hub, clock, tries, status } = harness((_account, nth) => (nth === 1 ? late.promise : Promise.resolve({})));
    await hub.start();
    await clock.advance(60_000);
    assert.match(
      (await status()).lastError ?? '',
      /did not connect within 60 s/,
      'told, though the connection is still on its way',
    );
    await clock.advance(7000);
    assert.equal(tries.length, 2);
    assert.ok(tries[0]!.account.signal.aborted);
    late.resolve({
      [Symbol.asyncDispose]: async () => {
        left.push(1);
      },
    });
    await clock.advance(0);
    assert.deepEqual([left, (await status()).connected], [[1], true]);
    await hub.close();
  });
});

describe('a connection that ends', () => {
  for (const [how, end] of [
    ['resolves', (ended: PromiseWithResolvers<void>) => ended.resolve()],
    ['rejects', (ended: PromiseWithResolvers<void>) => ended.reject(new Error('cut'))],
  ] as const) {
    it(`begins anew when ended ${how}, twice over`, async () => {
      const ended: PromiseWithResolvers<void>[] = [];
      const { hub, registry, clock, tries } = harness(async () => ({
        ended: (ended[ended.length] = Promise.withResolvers<void>()).promise,
      }));
      await hub.start();
      await clock.advance(0);
      end(ended[0]!);
      await clock.advance(0);
      assert.equal(registry.connection(here), undefined, 'nothing is sent into it');
      await clock.advance(1000);
      end(ended[1]!);
      await clock.advance(2000);
      assert.deepEqual([tries.length, registry.connection(here) !== undefined], [3, true]);
      await hub.close();
    });
  }

  it('cannot deliver messages after its end: it gets an error, and its webhooks are removed', async () => {
    const ended = Promise.withResolvers<void>();
    const { hub, registry, clock, tries, state } = harness(async (account, nth) => {
      account.mount(`/hook-${nth}`, async () => ({ status: 200 }));
      return nth === 1 ? { ended: ended.promise, [Symbol.asyncDispose]: () => new Promise(() => {}) } : {};
    });
    await hub.start();
    await clock.advance(0);
    await tries[0]!.account.receive({ id: 'm1' } as never);
    ended.resolve();
    await clock.advance(6000);
    await assert.rejects(tries[0]!.account.receive({ id: 'ghost' } as never), { code: 'unavailable' });
    tries[0]!.account.report({ connected: false });
    assert.deepEqual(
      [state.received, tries.length, hub.webhook('/hook-1'), typeof hub.webhook('/hook-2')],
      [['m1'], 2, undefined, 'function'],
    );
    assert.ok(registry.connection(here), 'a ghost cannot say that the new one is down');
    await hub.close();
  });
});

describe('a connection that is silent', () => {
  it('is asked after five minutes, and replaced after two answers that do not come', async () => {
    const asked: number[] = [];
    const { hub, clock, tries } = harness(async (_account, nth) => ({
      probe: async () => {
        asked.push(clock.monotonic());
        return { ok: nth > 1, detail: 'deaf' };
      },
    }));
    await hub.start();
    await clock.advance(5 * 60_000 - 1);
    assert.deepEqual(asked, []);
    await clock.advance(60_000);
    assert.ok(asked.length >= 2);
    assert.equal(tries.length, 2);
    await hub.close();
  });

  it('is left alone while anything comes, or when it answers', async () => {
    const { hub, clock, tries, status } = harness(async () => ({}));
    await hub.start();
    await clock.advance(0);
    for (let minute = 0; minute < 12; minute++) {
      tries[0]!.account.report({ alive: true });
      await clock.advance(60_000);
    }
    assert.equal((await status()).lastProbeAt, undefined);
    await clock.advance(20 * 60_000);
    assert.notEqual((await status()).lastProbeAt, undefined);
    assert.equal(tries.length, 1);
    await hub.close();
  });
});

describe('stopping', () => {
  it('leaves nothing running, however long the plugin takes', async () => {
    const { hub, registry, clock, status } = harness(async () => ({
      [Symbol.asyncDispose]: () => new Promise(() => {}),
    }));
    await hub.start();
    await clock.advance(0);
    const stopping = hub.stop({ channel: 'pipe' });
    await clock.advance(0);
    assert.deepEqual([(await status()).running, registry.connection(here)], [false, undefined]);
    await clock.advance(20_000);
    await stopping;
    await hub.apply();
    assert.equal((await status()).running, false, 'a change of configuration does not start it');
    const again = hub.restart({ channel: 'pipe' });
    await clock.advance(0);
    await again;
    assert.equal((await status()).connected, true);
    const closing = hub.close();
    await clock.advance(20_000);
    await closing;
    assert.equal(clock.pending(), 0);
  });
});

describe('G194 a change of configuration', () => {
  const accounts = (over: object = {}) => ({
    pipe: { accounts: { a: { botToken: 'a' }, b: { botToken: 'b', ...over } } },
  });

  it('restarts only the account that changed', async () => {
    const { hub, clock, tries, state } = harness(async () => ({}), accounts());
    await hub.start();
    await clock.advance(0);
    state.config = accounts({ webhookPath: '/x' });
    await hub.apply();
    await clock.advance(0);
    assert.deepEqual(
      tries.map(({ account }) => account.accountId),
      ['a', 'b', 'b'],
    );
    await hub.close();
  });

  it('touches no connection for access lists, delivery and what the plugin reads live', async () => {
    const { hub, clock, tries, state } = harness(async () => ({}), accounts());
    await hub.start();
    await clock.advance(0);
    state.config = {
      ...accounts({ allowFrom: ['1'], groups: { '-1': {} }, rooms: { x: {} }, streaming: 'off', enabled: true }),
      defaults: { dmPolicy: 'allowlist' },
    };
    await hub.apply();
    state.config = structuredClone(state.config);
    await hub.apply();
    await clock.advance(0);
    assert.equal(tries.length, 3, 'only `enabled` counts, which was not written before');
    await hub.close();
  });

  it('registers other commands with a new connection', async () => {
    const { hub, clock, tries, state } = harness(async () => ({}));
    await hub.start();
    await clock.advance(0);
    state.commands = ['help', 'status'];
    await hub.apply();
    await clock.advance(0);
    assert.deepEqual(
      tries.map(({ account }) => account.commands.length),
      [1, 2],
    );
    await hub.close();
  });

  it('starts what is new and stops what is gone', async () => {
    const { hub, registry, clock, tries, state, status } = harness(async () => ({}), {});
    await hub.start();
    assert.equal((await hub.status({ probe: false, timeoutMs: 1 }))[0]!.accounts.length, 0);
    state.config = { pipe: { botToken: 'x' } };
    await hub.apply();
    await clock.advance(0);
    assert.deepEqual([tries.length, (await status()).connected], [1, true]);
    state.config = { pipe: { botToken: 'x', enabled: false } };
    await hub.apply();
    assert.deepEqual(
      [(await status()).running, (await status()).lastError, registry.connection(here)],
      [false, 'disabled', undefined],
    );
    await hub.close();
  });
});

describe('G200 what must not start', () => {
  it('is shown with the reason and never connects: off, without a secret, with settings that make no sense', async () => {
    for (const [config, lastError, problem] of [
      [{ pipe: { enabled: false, botToken: 'x' } }, 'disabled', undefined],
      [{ pipe: {} }, 'not configured', /no bot token/],
      [{ pipe: { botToken: 'x', dmPolicy: 'sometimes' } }, 'its settings are invalid', /channels\.pipe\.dmPolicy/],
    ] as const) {
      const { hub, clock, tries, status } = harness(async () => ({}), config);
      await hub.start();
      await clock.advance(0);
      const seen = await status();
      assert.deepEqual([tries.length, seen.running, seen.lastError], [0, false, lastError]);
      if (problem) assert.match(seen.problems[0]!.message, problem);
      assert.ok(!JSON.stringify(seen).includes('"x"'), 'no secret');
      await hub.close();
    }
  });
});

describe('a plugin that breaks while it is looked at', () => {
  it('is reported and continues', async () => {
    const { hub, clock, status, plugin } = harness(async () => ({}));
    Object.assign(plugin, {
      review: () => {
        throw new Error('oops');
      },
    });
    await hub.start();
    await clock.advance(0);
    assert.deepEqual(
      [(await status()).connected, (await status()).problems[0]!.message],
      [true, 'Pipe could not review its settings: oops'],
    );
    await hub.close();
  });
});

describe('G182 logging out', () => {
  it('stops the account and clears what configuration holds', async () => {
    const { hub, clock, state, status } = harness(async () => ({}));
    await hub.start();
    await clock.advance(0);
    assert.deepEqual(await hub.logout({ channel: 'pipe' }), { cleared: true, loggedOut: true, kept: [] });
    assert.deepEqual(state.edits, [{ path: 'channels.pipe.botToken', value: undefined }]);
    assert.equal((await status()).running, false);
    await assert.rejects(hub.logout({ channel: 'pip' }), /Did you mean pipe/);
    await hub.close();
  });
});
