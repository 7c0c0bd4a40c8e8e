/** Recorded and malformed Slack updates through the message reader. */
import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { InboundMessage } from '../../sdk/index.ts';
import { slackSchema } from './config.ts';
import type { InboundContext } from './inbound-context.ts';
import { normalise } from './inbound.ts';
import { chatOf, updateOf, wantedOf } from './update.ts';

const NOW = 1_763_800_100_000;
const context = (config: object = {}, more: Partial<InboundContext> = {}): InboundContext => ({
  accountId: 'default',
  self: { userId: 'U0BOT00001', botId: 'B0BOT00001', teamId: 'T0TEAM0001', teamName: 'Test team', handle: 'clawd' },
  config: slackSchema.parse(config),
  users: new Map([
    ['U0ANN00001', { name: 'Ann', handle: 'ann' }],
    ['U0BOB00001', { name: 'Bob' }],
  ]),
  rooms: new Map([['C0GENERAL1', { kind: 'channel', name: 'general', members: 12 }]]),
  kindOf: () => undefined,
  threadOf: () => undefined,
  commands: new Set(),
  now: NOW,
  ...more,
});
const folder = join(import.meta.dirname, 'samples');
const sample = async (name: string): Promise<any> => JSON.parse(await readFile(join(folder, name), 'utf8'));
const read = (
  { type, payload }: { type: string; payload: unknown },
  config?: object,
  more?: Partial<InboundContext>,
): InboundMessage | undefined => {
  const update = updateOf(type, payload);
  return update && normalise(update, context(config, more));
};

describe('Slack updates as messages', async () => {
  for (const name of (await readdir(folder)).sort()) {
    it(`reads ${name}`, async () => {
      const { message, ...given } = await sample(name);
      const reported = read(given);
      if (message === null) return assert.equal(reported, undefined);
      const { attachments, ...rest } = message;
      if (attachments) assert.deepEqual(reported?.attachments, attachments);
      assert.partialDeepStrictEqual(reported, rest);
      assert.equal(reported!.address.threadId, rest.address ? rest.address.threadId : reported!.address.threadId);
    });
  }

  it('G221 infers the kind of a chat from its id where Slack does not say it, and prefers what Slack says', () => {
    const kind = (channel: string, type?: string): string | undefined =>
      read({
        type: 'events_api',
        payload: {
          event: { type: 'message', user: 'U0ANN00001', ts: '1.000001', text: 'x', channel, channel_type: type },
        },
      })?.address.chat.kind;
    assert.deepEqual(
      [
        kind('D1AA'),
        kind('C1AA'),
        kind('G1AA'),
        kind('X1AA'),
        kind('C1AA', 'mpim'),
        kind('G1AA', 'group'),
        kind('C1AA', 'im'),
      ],
      ['direct', 'channel', 'group', 'channel', 'group', 'channel', 'direct'],
    );
  });

  it('knows a chat from earlier updates', async () => {
    const { message: _, ...mention } = await sample('app-mention.json');
    assert.equal(read(mention, {}, { kindOf: () => 'group' })!.address.chat.kind, 'group');
  });

  it('takes other bots only where it was asked to', async () => {
    const { message: _, ...bot } = await sample('other-bot.json');
    assert.deepEqual(read(bot, { allowBots: true })?.sender, { id: 'B0OTHER001', name: 'Deploys', isBot: true });
    const { message: __, ...own } = await sample('own-message.json');
    assert.equal(read(own, { allowBots: true }), undefined);
  });

  it('G218 tells of reactions as the settings say, in the thread of the message', async () => {
    const { message: _, ...own } = await sample('reaction-own.json');
    const { message: __, ...others } = await sample('reaction-on-others.json');
    const reported = (config: object): boolean[] => [own, others].map((given) => read(given, config) !== undefined);
    assert.deepEqual(
      [
        reported({ reactionNotifications: 'off' }),
        reported({ reactionNotifications: 'own' }),
        reported({ reactionNotifications: 'all' }),
      ],
      [
        [false, false],
        [true, false],
        [true, true],
      ],
    );
    assert.deepEqual(
      [
        reported({ reactionNotifications: 'allowlist', reactionAllowlist: ['U0ANN00001'] }),
        reported({ reactionNotifications: 'allowlist', reactionAllowlist: ['U0BOB00001'] }),
      ],
      [
        [true, true],
        [false, false],
      ],
    );
    assert.equal(read(own, {}, { threadOf: () => '1763800000.000100' })!.address.threadId, '1763800000.000100');
  });

  it('takes the words behind the slash command for a command where they are one', async () => {
    const { message: _, ...slash } = await sample('slash-command.json');
    const said = (text: string, commands: string[] = [], command = '/clawd', config = {}): unknown => {
      const reported = read({ ...slash, payload: { ...slash.payload, text, command } }, config, {
        commands: new Set(commands),
      });
      return (
        reported && [
          reported.text,
          reported.native ?? false,
          ...(reported.said === reported.text ? [] : [reported.said]),
        ]
      );
    };
    assert.deepEqual(said('model opus', ['model', 'status']), ['/model opus', true]);
    assert.deepEqual(said('hello', ['model', 'status']), ['hello', false]);
    assert.deepEqual(said('/model opus'), ['/model opus', true]);
    assert.deepEqual(said('what time is it'), ['what time is it', false]);
    assert.deepEqual(said('new ideas for lunch'), ['new ideas for lunch', false]);
    assert.deepEqual(said('status'), ['status', true, '/status']);
    assert.deepEqual(said(''), ['/help', true]);
    assert.deepEqual(said('now', [], '/status'), ['/status now', true]);
    assert.equal(said('status', [], '/clawd', { slashCommand: { enabled: false } }), undefined);
  });

  it('answers, in a thread, the message it began with', async () => {
    const { message: _, ...reply } = await sample('thread-reply-to-bot.json');
    assert.deepEqual(read(reply)!.quoted, { id: '1763800009.000100', sender: 'clawd', senderId: 'U0BOT00001' });
    assert.deepEqual(
      read(reply, {}, { starter: { text: 'The plan', sender: 'Bob', senderId: 'U0BOB00001' } })!.quoted,
      { id: '1763800009.000100', text: 'The plan', sender: 'Bob', senderId: 'U0BOB00001' },
    );
    const { message: __, ...root } = await sample('thread-root.json');
    assert.equal(read(root)?.quoted, undefined);
  });

  it('tells what must be looked up', async () => {
    const { payload, type } = await sample('channel-mention.json');
    const update = updateOf(type, payload)!;
    assert.deepEqual(
      [wantedOf(update), chatOf(update)],
      [{ users: ['U0ANN00001', 'U0BOT00001', 'U0BOB00001'], rooms: ['C0GENERAL1'] }, 'C0GENERAL1'],
    );
    const reply = await sample('thread-reply-to-bot.json');
    assert.deepEqual(wantedOf(updateOf(reply.type, reply.payload)!).thread, {
      channel: 'C0GENERAL1',
      ts: '1763800009.000100',
    });
  });

  it('survives every field missing or being something else', async () => {
    const names = await readdir(folder);
    const strange: unknown[] = [undefined, null, 0, '', [], {}, true, 'x'.repeat(200_000)];
    for (const name of names) {
      const { type, payload } = await sample(name);
      const fields = payload.event ?? payload;
      for (const key of Object.keys(fields)) {
        for (const value of strange) {
          const broken = { ...fields, [key]: value };
          const update = updateOf(type, payload.event ? { ...payload, event: broken } : broken);
          if (!update) continue;
          wantedOf(update);
          const reported = normalise(update, context());
          if (reported)
            assert.ok(
              reported.sender.id && reported.address.chat.id && Number.isFinite(reported.receivedAt),
              `${name} ${key}`,
            );
        }
      }
    }
    for (const payload of strange)
      for (const type of ['events_api', 'slash_commands', 'interactive', 'odd'])
        assert.equal(read({ type, payload }), undefined);
  });
});
