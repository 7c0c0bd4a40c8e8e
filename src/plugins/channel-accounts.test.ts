/** The accounts of a channel, the sources of their secrets, and messages about their settings. */
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { z } from 'zod';
import { channelShape } from '../config/channel-config.ts';
import type { ChannelPlugin } from '../core/channel.ts';
import { tempDir } from '../testing/temp-dir.ts';
import { accountsOf, type Channels } from './channel-accounts.ts';
import { checkChannels } from './channel-check.ts';
import { resolveCredentials, sourcesOf } from './channel-credentials.ts';
import { distinct } from './distinct.ts';

const plugin = (over: Partial<ChannelPlugin> = {}): ChannelPlugin => ({
  id: 'pipe',
  label: 'Pipe',
  aliases: ['tube'],
  config: z.object({
    ...channelShape,
    botToken: z.string().optional(),
    tokenFile: z.string().optional(),
    appToken: z.string().optional(),
    mode: z.enum(['socket', 'http']).optional(),
  }),
  credentials: [
    { key: 'botToken', label: 'Bot token', fileKey: 'tokenFile', env: 'PIPE_TOKEN' },
    { key: 'appToken', label: 'App token', needed: ({ mode }) => mode === 'socket' },
  ],
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
  connect: async () => {
    throw new Error('not here');
  },
  ...over,
});
const fixture = (channels: Channels, vars: Record<string, string> = {}) => ({
  channels,
  variable: (name: string) => vars[name],
});
const seen = (channels: Channels, vars?: Record<string, string>) =>
  accountsOf(plugin(), fixture(channels, vars)).map(({ accountId, enabled, configured, place }) => [
    accountId,
    enabled,
    configured,
    sourcesOf(place)['botToken'],
  ]);

describe('the accounts of a channel', () => {
  it('are none, the default one, or those named', () => {
    assert.deepEqual(seen({}), []);
    assert.deepEqual(seen({ pipe: {} }), [['default', true, false, 'none']]);
    assert.deepEqual(seen({ pipe: { botToken: 'x' } }), [['default', true, true, 'config']]);
    assert.deepEqual(seen({ pipe: { accounts: { Biz: { botToken: 'x' }, off: { enabled: false } } } }), [
      ['biz', true, true, 'config'],
      ['off', false, false, 'none'],
    ]);
    assert.deepEqual(
      seen({ pipe: { enabled: false, accounts: { biz: { botToken: 'x', enabled: true } } } }),
      [['biz', false, true, 'config']],
      'the channel is off',
    );
  });

  it("never share a secret: that of the channel is the default account's", () => {
    assert.deepEqual(seen({ pipe: { botToken: 'x', accounts: { biz: {} } } }), [
      ['default', true, true, 'config'],
      ['biz', true, false, 'none'],
    ]);
    assert.deepEqual(seen({ pipe: { accounts: { biz: {} } } }, { PIPE_TOKEN: 'x' }), [['biz', true, false, 'none']]);
  });

  it('come from the environment alone only when all they need is there', () => {
    assert.deepEqual(seen({}, { PIPE_TOKEN: 'x' }), [['default', true, true, 'env']]);
    assert.deepEqual(seen({}, { PIPE_TOKEN: '  ' }), []);
    assert.deepEqual(
      seen({ pipe: { botToken: 'y' } }, { PIPE_TOKEN: 'x' }),
      [['default', true, true, 'config']],
      'what is written wins',
    );
    assert.deepEqual(seen({ defaults: { mode: 'socket' } }, { PIPE_TOKEN: 'x' }), []);
  });

  it('say what is missing and where it may be put', () => {
    const [plan] = accountsOf(plugin(), fixture({ pipe: { mode: 'socket', botToken: 'x' } }));
    assert.deepEqual(plan!.missing, [
      { kind: 'config', message: 'Pipe has no app token.', fix: 'Set channels.pipe.appToken.' },
    ]);
    const [other] = accountsOf(plugin(), fixture({ pipe: {} }));
    assert.equal(
      other!.missing[0]!.fix,
      'Set channels.pipe.botToken, or channels.pipe.tokenFile, or the environment variable PIPE_TOKEN.',
    );
  });
});

describe('a secret in a file', () => {
  it('is read without its line end; a file that is not there or empty is a problem that holds no secret', async () => {
    await using dir = await tempDir('secret');
    const file = join(dir.path, 'token');
    const read = async (tokenFile: string) =>
      resolveCredentials({ ...accountsOf(plugin(), fixture({ pipe: { tokenFile } }))[0]!.place, home: dir.path });
    assert.match((await read('~/token')).problems[0]!.message, /bot token cannot be read: ~\/token does not exist/);
    await writeFile(file, ' \n');
    assert.match((await read(file)).problems[0]!.message, /is empty/);
    await writeFile(file, '123:test-token\n');
    assert.deepEqual(await read(file), { credentials: { botToken: '123:test-token' }, problems: [] });
  });
});

describe('G198 the settings of a channel', () => {
  const check = (channels: Channels) => checkChannels([plugin()], fixture(channels));
  const paths = (channels: Channels) => check(channels).errors.map(({ path }) => path);

  it('are right when they are: closed by default', () =>
    assert.deepEqual(check({ pipe: { botToken: 'x', groups: { '-1': { requireMention: false } } } }), {
      errors: [],
      warnings: [],
    }));
  it('are told where they are wrong, once for all accounts', () => {
    assert.deepEqual(paths({ pipe: { mode: 'carrier', accounts: { a: {}, b: {} } } }), ['channels.pipe.mode']);
    assert.deepEqual(paths({ pipe: { accounts: { a: { mode: 'carrier' }, b: {} } } }), [
      'channels.pipe.accounts.a.mode',
    ]);
  });
  it('with an unknown name are taken, with the name that was meant', () => {
    const { errors, warnings } = check({
      defaults: { elsewhere: 1 },
      pipe: { botTokn: 'x', groups: { '-1': { requireMenton: true } } },
      pip: {},
      kite: {},
    });
    assert.deepEqual(errors, []);
    assert.match(
      warnings.map(({ path, fix }) => `${path} ${fix}`).join('\n'),
      /^channels\.pipe\.botTokn Did you mean "channels\.pipe\.botToken"\?\nchannels\.pipe\.groups\.-1\.requireMenton Did you mean "channels\.pipe\.groups\.-1\.requireMention"\?\nchannels\.pip Did you mean "pipe"\?\nchannels\.kite Channels: pipe\.$/,
    );
  });
  it('of a schema of another library are refused without a reason', () => {
    const odd = plugin({ config: { safeParse: () => ({ success: false }) } as never });
    assert.deepEqual(
      checkChannels([odd], fixture({ pipe: {} })).errors.map(({ path }) => path),
      ['channels.pipe'],
    );
  });
});

describe('G200 two with one name', () => {
  it('first come, first served; the other is told', () => {
    const { kept, clashes } = distinct([
      plugin(),
      plugin({ label: 'Second' }),
      plugin({ id: 'tube', label: 'Third' }),
      plugin({ id: 'fourth', label: 'Fourth', aliases: ['tube', 'four'] }),
      plugin({ id: 'defaults', label: 'Odd' }),
    ]);
    assert.deepEqual(
      kept.map(({ id, aliases }) => [id, aliases]),
      [
        ['pipe', []],
        ['tube', ['tube']],
        ['fourth', ['four']],
      ],
      'an id counts more than an alias',
    );
    assert.equal(clashes.length, 4);
    assert.match(clashes[0]!.problem, /"pipe" is already used by Pipe/);
  });
});
