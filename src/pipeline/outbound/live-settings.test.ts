/** How a run is shown while it goes on, out of configuration, channel and message. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ChannelCapabilities } from '../../core/channel.ts';
import { present } from '../../core/present.ts';
import type { InboundRow } from '../../journal/rows.ts';
import { configSchema } from '../../testing/whole-schema.ts';
import { createDeliverySettings } from './live-settings.ts';

const able: ChannelCapabilities = {
  chats: ['direct', 'group'],
  threads: true,
  edit: true,
  react: true,
  typing: true,
  media: true,
  voice: true,
  markdown: 'full',
  maxTextLength: 4000,
  idempotentSend: false,
  deliverable: true,
};

interface Case {
  readonly channel?: object;
  readonly defaults?: object;
  readonly messages?: object;
  readonly agents?: object[];
  readonly can?: Partial<ChannelCapabilities>;
  readonly chat?: 'direct' | 'group';
  readonly addressed?: boolean;
  /** Somebody has to address the agent there. */
  readonly gated?: boolean;
  readonly system?: true;
}

function settings({
  channel = {},
  defaults = {},
  messages = {},
  agents = [],
  can = {},
  chat = 'direct',
  addressed = chat === 'direct',
  gated = true,
  system,
}: Case = {}) {
  const config = configSchema.parse({ channels: { desk: channel }, agents: { defaults, list: agents }, messages });
  const row = {
    message: {
      address: { channel: 'desk', accountId: 'default', chat: { kind: chat, id: 'c' } },
      addressesBot: addressed,
      ...present({ system }),
    },
    route: { agentId: 'main' },
    access: gated ? [{ step: 'mention', ok: true, detail: '' }] : [],
  } as unknown as InboundRow;
  return createDeliverySettings().liveSettings(config, row, { ...able, ...can });
}

describe('typing', () => {
  it(
    'G159 is shown at once where the agent was spoken to, else with its first words, and never for its own ' +
      'triggers',
    () => {
      assert.deepEqual(
        [
          settings(),
          settings({ chat: 'group', addressed: true }),
          settings({ chat: 'group' }),
          settings({ system: true }),
          settings({ can: { typing: false } }),
          settings({ defaults: { typingMode: 'thinking' } }),
        ].map(({ typing }) => typing),
        ['instant', 'instant', 'message', 'never', 'never', 'thinking'],
      );
      assert.deepEqual(
        [settings().typingEveryMs, settings({ defaults: { typingIntervalSeconds: 3 } }).typingEveryMs],
        [6000, 3000],
      );
    },
  );
});

describe('the sign that a message was seen', () => {
  const acks = (scope: string | undefined, over: Case = {}): (string | undefined)[] =>
    ([{ chat: 'direct' }, { chat: 'group', addressed: true }, { chat: 'group' }] as const).map(
      (message) =>
        settings({
          messages: present({ ackReaction: '👀', ackReactionScope: scope || undefined }),
          ...over,
          ...message,
        }).ack,
    );

  it('goes to the messages it is meant for', () => {
    assert.deepEqual(acks(undefined), [undefined, '👀', undefined]);
    assert.deepEqual(acks('group-all'), [undefined, '👀', '👀']);
    assert.deepEqual(acks('direct'), ['👀', undefined, undefined]);
    assert.deepEqual(acks('all'), ['👀', '👀', '👀']);
    assert.deepEqual(acks('off'), [undefined, undefined, undefined]);
  });

  it('goes where a channel says, instead of everybody', () => {
    const by = (ackReaction: object) => acks('off', { channel: { ackReaction } });
    assert.deepEqual(by({}), ['👀', '👀', undefined]);
    assert.deepEqual(by({ emoji: '✅', direct: false, group: 'always' }), [undefined, '✅', '✅']);
    assert.deepEqual(by({ direct: true, group: 'never' }), ['👀', undefined, undefined]);
    const free = { channel: { ackReaction: { group: 'mentions' } }, chat: 'group', gated: false } as const;
    assert.equal(settings({ messages: { ackReaction: '👀' }, ...free }).ack, '👀', 'no mention is needed');
  });

  it('may be another one on a channel, or none', () => {
    assert.deepEqual(
      [
        acks('all', { channel: { ackReaction: '✅' } })[0],
        acks('all', { channel: { ackReaction: '' } })[0],
        acks('all', { can: { react: false } })[0],
        acks('all', { system: true })[0],
      ],
      ['✅', undefined, undefined, undefined],
    );
  });
});

describe('what answers point at', () => {
  it('is what the account says for the kind of chat, else for all', () => {
    const channel = { replyToMode: 'first', replyToModeByChatType: { group: 'all', channel: 'off' } };
    assert.deepEqual(
      (['direct', 'group'] as const).map((chat) => settings({ channel, chat }).rules.replyTo),
      ['first', 'all'],
    );
  });
});

describe('streaming', () => {
  it('is what the account says, then everybody, then what suits the platform', () => {
    const modes = [
      settings(),
      settings({ can: { streaming: 'preview' } }),
      settings({ can: { streaming: 'preview', edit: false } }),
      settings({ can: { streaming: 'preview' }, channel: { streaming: 'off' } }),
      settings({ channel: { blockStreaming: true } }),
      settings({ defaults: { blockStreamingDefault: 'on' } }),
      settings({ defaults: { blockStreamingDefault: 'on' }, channel: { blockStreaming: false } }),
    ].map(({ streaming }) => streaming);
    assert.deepEqual(modes, ['off', 'preview', 'off', 'off', 'blocks', 'blocks', 'off']);
  });

  it('G163 merges blocks as the account says, else everybody, else the platform', () => {
    const idle = (over: Case): unknown =>
      settings({ can: { coalesce: { minChars: 1500, idleMs: 700 } }, ...over }).blocks.coalesce;
    assert.deepEqual(idle({}), { minChars: 1500, maxChars: 4000, idleMs: 700 });
    assert.deepEqual(
      idle({
        defaults: { blockStreamingCoalesce: { minChars: 50, idleMs: 9 } },
        channel: { blockStreamingCoalesce: { minChars: 70 } },
      }),
      { minChars: 70, maxChars: 4000, idleMs: 9 },
    );
  });

  it('never makes a block longer than a message', () => {
    const { minChars, maxChars, coalesce } = settings({
      channel: { textChunkLimit: 500 },
      can: { coalesce: { minChars: 1500, idleMs: 1 } },
    }).blocks;
    assert.deepEqual([minChars, maxChars, coalesce.minChars, coalesce.maxChars], [500, 500, 500, 500]);
  });

  it('waits as the agent does', () => {
    assert.equal(settings({ defaults: { humanDelay: { mode: 'natural' } } }).humanDelay.mode, 'natural');
    assert.equal(
      settings({ defaults: { humanDelay: { mode: 'natural' } }, agents: [{ id: 'main', humanDelay: { mode: 'off' } }] })
        .humanDelay.mode,
      'off',
    );
  });
});
