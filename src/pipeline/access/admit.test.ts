/**
 * Access fails closed: nobody but the operator and those a setting lets in; cases of `spec/gateway.md` 3.7 and 8.10.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { commonRules } from '../../config/channel-rules.ts';
import { channelSettingsSchema } from '../../config/channel-config.ts';
import type { ChannelCapabilities } from '../../core/channel.ts';
import { present } from '../../core/present.ts';
import { admit, type AccessRequest } from './admit.ts';

const CAPABILITIES: ChannelCapabilities = {
  chats: ['direct', 'group'],
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
};
const PIPE = { id: 'pipe', aliases: ['tube'], capabilities: CAPABILITIES };

interface Case extends Partial<Pick<AccessRequest, 'paired' | 'activation' | 'isCommand' | 'useAccessGroups'>> {
  readonly config?: object;
  readonly sender?: string;
  readonly name?: string;
  readonly bot?: true;
  readonly group?: string;
  readonly threadId?: string;
  readonly addressed?: boolean;
  readonly others?: boolean;
  readonly quiet?: true;
  readonly native?: true;
  readonly named?: boolean;
  readonly byWords?: boolean;
  readonly channel?: AccessRequest['channel'];
}

function request(one: Case) {
  const chat =
    one.group === undefined ? ({ kind: 'direct', id: 'd1' } as const) : ({ kind: 'group', id: one.group } as const);
  const place = present({ chat, settingsPath: 'channels.pipe', threadId: one.threadId || undefined });
  return admit({
    message: {
      address: { channel: 'pipe', accountId: 'default', chat },
      sender: present({ id: one.sender ?? 'u1', name: one.name ?? 'Ann', isBot: one.bot ? true : undefined }),
      addressesBot: one.addressed ?? one.group === undefined,
      ...present({
        mentionsOthers: one.others ? true : undefined,
        quiet: one.quiet ? true : undefined,
        native: one.native ? true : undefined,
      }),
    },
    channel: one.channel ?? PIPE,
    rules: commonRules(channelSettingsSchema.parse(one.config ?? {}), place),
    paired: one.paired ?? false,
    mention: { named: one.named ?? false, byWords: one.byWords ?? false },
    activation: one.activation,
    isCommand: one.isCommand ?? false,
    useAccessGroups: one.useAccessGroups ?? true,
  });
}
const kind = (one: Case): string => request(one).kind;
const decided = (one: Case): readonly (string | undefined)[] => {
  const step = request(one).steps.find(({ ok }) => !ok);
  return [step?.step, step?.setting];
};
const commands = (one: Case): boolean | undefined => {
  const admission = request(one);
  return admission.kind === 'allowed' ? admission.commands : undefined;
};

describe('direct chats', () => {
  it('lets nobody in when nothing is said, and offers a stranger to pair', () => {
    const admission = request({});
    assert.deepEqual([admission.kind, admission.kind === 'refused' && admission.pairing], ['refused', true]);
    assert.deepEqual(decided({}), ['allowlist', 'channels.pipe.allowFrom']);
  });
  it('goes by the stable id, in any spelling of the channel, never by the name', () => {
    for (const entry of ['u1', 'U1', 'pipe:u1', 'PIPE:U1', 'tube:u1', ' u1 '])
      assert.equal(kind({ config: { allowFrom: [entry] } }), 'allowed', entry);
    for (const entry of ['Ann', '@Ann', 'other-pipe:u1', '', 'pipe:'])
      assert.equal(kind({ config: { allowFrom: [entry] } }), 'refused', entry);
    assert.equal(kind({ sender: '*', config: { allowFrom: ['x'] } }), 'refused');
    assert.equal(kind({ sender: '', config: { allowFrom: ['', 'pipe:'] } }), 'refused');
  });
  it('G207 reads entries as the channel does: prefixes in any case, names never', () => {
    const channel = {
      ...PIPE,
      id: 'telegram',
      senderEntry: (entry: string) => /^(?:telegram:|tg:)?(\d+)$/i.exec(entry)?.[1],
    };
    for (const entry of ['telegram:1', 'tg:1', 'TG:1', '1'])
      assert.equal(kind({ channel, sender: '1', config: { allowFrom: [entry] } }), 'allowed', entry);
    for (const entry of ['@Ann', 'Ann'])
      assert.equal(kind({ channel, sender: '1', config: { allowFrom: [entry] } }), 'refused', entry);
  });
  it('has four policies', () => {
    const allowFrom = ['u1'];
    assert.equal(kind({ config: { dmPolicy: 'disabled', allowFrom: ['*', 'u1'] }, paired: true }), 'refused');
    assert.deepEqual(decided({ config: { dmPolicy: 'disabled' } }), ['dm-policy', 'channels.pipe.dmPolicy']);
    assert.equal(kind({ config: { dmPolicy: 'allowlist', allowFrom } }), 'allowed');
    assert.equal(kind({ config: { dmPolicy: 'allowlist' }, paired: true }), 'refused', 'the list is the whole list');
    assert.equal(kind({ config: { dmPolicy: 'pairing' }, paired: true }), 'allowed');
    assert.equal(kind({ config: { dmPolicy: 'open', allowFrom: ['*'] } }), 'allowed');
    assert.equal(kind({ config: { dmPolicy: 'open' } }), 'refused', 'open without "*" fails closed');
    assert.equal(kind({ config: { dmPolicy: 'open', allowFrom } }), 'allowed');
  });
  it('offers pairing to people only, and only where the policy says so', () => {
    const offers = (one: Case): boolean => {
      const admission = request(one);
      return admission.kind === 'refused' && admission.pairing === true;
    };
    assert.deepEqual(
      [
        offers({}),
        offers({ bot: true }),
        offers({ quiet: true }),
        offers({ sender: '' }),
        offers({ config: { dmPolicy: 'allowlist' } }),
        offers({ group: 'g1' }),
      ],
      [true, false, false, false, false, false],
    );
  });
  it('lets the operator in', () =>
    assert.equal(kind({ channel: { ...PIPE, capabilities: { ...CAPABILITIES, operator: true } } }), 'allowed'));
});

describe('groups', () => {
  const said = { group: 'g1', addressed: true } as const;
  it('G208 blocks all under allowlist without lists, whatever the policy of direct chats', () => {
    assert.equal(kind({ ...said, config: { dmPolicy: 'open' } }), 'refused');
    assert.equal(kind({ config: { groupPolicy: 'disabled', allowFrom: ['u1'] } }), 'allowed');
  });
  it('G230 a pairing never opens a group', () => {
    assert.equal(kind({ ...said, paired: true }), 'refused');
    assert.deepEqual(decided({ ...said, paired: true }), ['group-senders', 'channels.pipe.allowFrom']);
    assert.equal(commands({ ...said, paired: true, config: { groupPolicy: 'open' } }), false);
    const admission = request(said);
    assert.equal(admission.kind === 'refused' && admission.reason, 'sender u1 is not in channels.pipe.allowFrom');
  });
  it('G209 blocks who has no id where senders are listed, also behind "*"', () => {
    for (const groupAllowFrom of [['u1'], ['*']])
      assert.equal(kind({ ...said, sender: '', config: { groupAllowFrom } }), 'refused');
    assert.equal(kind({ ...said, sender: '', config: { groupPolicy: 'open' } }), 'allowed');
  });
  it('G210 a map of groups is a list: others are blocked without "*", which sets the default', () => {
    const config = { groupPolicy: 'open', groups: { g2: {} } };
    assert.deepEqual(decided({ ...said, config }), ['group-listed', 'channels.pipe.groups']);
    assert.equal(kind({ ...said, group: 'g2', config }), 'allowed');
    assert.equal(
      kind({ ...said, addressed: false, config: { groupPolicy: 'open', groups: { '*': { requireMention: false } } } }),
      'allowed',
    );
    assert.deepEqual(decided({ ...said, config: { groupPolicy: 'open', groups: { g1: { enabled: false } } } }), [
      'group-listed',
      'channels.pipe.groups.g1.enabled',
    ]);
  });
  it('G211 a topic overrides its group and inherits the rest', () => {
    const config = {
      groups: {
        g1: {
          requireMention: true,
          allowFrom: ['u1'],
          topics: { 7: { requireMention: false }, 8: { allowFrom: ['u2'] } },
        },
      },
    };
    assert.equal(kind({ ...said, addressed: false, threadId: '7', config }), 'allowed');
    assert.equal(kind({ ...said, addressed: false, threadId: '9', config }), 'refused');
    assert.deepEqual(decided({ ...said, threadId: '8', config }), [
      'group-senders',
      'channels.pipe.groups.g1.topics.8.allowFrom',
    ]);
  });
  it('looks in order: policy, place, senders, mention', () => {
    const config = { groupAllowFrom: ['u1'], groups: { g1: {} } };
    assert.deepEqual(
      request({ ...said, config }).steps.map(({ step }) => step),
      ['group-policy', 'group-listed', 'group-senders', 'mention', 'commands', 'owner', 'approvals'],
    );
    assert.deepEqual(decided({ ...said, config: { groupPolicy: 'disabled', groups: {} } }), [
      'group-policy',
      'channels.pipe.groupPolicy',
    ]);
  });
  it('shuts a place that an allowlist lists nothing for', () => {
    const rules = {
      ...commonRules(channelSettingsSchema.parse({}), {
        chat: { kind: 'group', id: 'g' },
        settingsPath: 'channels.pipe',
      }),
    };
    const { senders: _, ...group } = rules.group;
    const message = {
      address: { channel: 'pipe', accountId: 'default', chat: { kind: 'group', id: 'g' } },
      sender: { id: 'u1' },
      addressesBot: true,
    } as const;
    assert.equal(
      admit({
        message,
        channel: PIPE,
        rules: { ...rules, group },
        paired: false,
        mention: { named: false, byWords: false },
        isCommand: false,
        useAccessGroups: true,
      }).kind,
      'refused',
    );
  });
});

describe('mention and activation', () => {
  const talk = { group: 'g1', config: { groupAllowFrom: ['u1'] } } as const;
  it('leaves talk alone that is not for the agent, and keeps it as context', () => {
    const admission = request(talk);
    assert.deepEqual([admission.kind, admission.kind === 'refused' && admission.unaddressed], ['refused', true]);
    const stranger = request({ ...talk, sender: 'u9' });
    assert.equal(stranger.kind === 'refused' && stranger.unaddressed, undefined, "a stranger's words are not kept");
  });
  it('takes mentions, replies, names and native commands for an address', () => {
    for (const how of [{ addressed: true }, { named: true }, { native: true }] as const)
      assert.equal(kind({ ...talk, ...how }), 'allowed');
    assert.equal(kind({ ...talk, named: true, others: true }), 'refused', 'somebody else is meant');
    assert.equal(kind({ ...talk, addressed: true, others: true }), 'allowed', 'both are meant');
  });
  it('asks for no mention where nothing could be one', () => {
    const mute = { ...PIPE, capabilities: { ...CAPABILITIES, mentions: false } };
    assert.equal(kind({ ...talk, channel: mute }), 'allowed');
    assert.equal(kind({ ...talk, channel: mute, byWords: true }), 'refused');
  });
  it('lets /activation of the session win over requireMention', () => {
    assert.equal(kind({ ...talk, activation: 'always' }), 'allowed');
    assert.equal(
      kind({
        group: 'g1',
        config: { groupAllowFrom: ['u1'], groups: { '*': { requireMention: false } } },
        activation: 'mention',
      }),
      'refused',
    );
  });
  it('needs no mention for a command of somebody who may use commands, unless somebody else is named', () => {
    assert.equal(kind({ ...talk, isCommand: true }), 'allowed');
    assert.equal(kind({ ...talk, isCommand: true, others: true }), 'refused');
    assert.equal(
      kind({ group: 'g1', isCommand: true, config: { groupPolicy: 'open' } }),
      'refused',
      'nobody lists them',
    );
  });
});

describe('the right to commands', () => {
  it('is denied unless a list names the person; "*" names nobody', () => {
    assert.equal(commands({ config: { dmPolicy: 'open', allowFrom: ['*'] } }), false);
    assert.equal(commands({ config: { dmPolicy: 'open', allowFrom: ['*', 'u1'] } }), true);
    assert.equal(commands({ paired: true }), true);
    const talk = { group: 'g1', addressed: true } as const;
    assert.equal(commands({ ...talk, config: { groupPolicy: 'open' } }), false);
    assert.equal(commands({ ...talk, config: { groupAllowFrom: ['*'] } }), false);
    assert.equal(commands({ ...talk, config: { groupAllowFrom: ['u1'] } }), true);
    assert.equal(
      commands({ ...talk, config: { groupPolicy: 'open', allowFrom: ['u1'] } }),
      true,
      'the owner of the direct chats',
    );
  });
  it('brings the right to elevate along only where the channel says so, and only for written ids', () => {
    const channel = { ...PIPE, capabilities: { ...CAPABILITIES, elevatedBy: 'allowFrom' } as const };
    const rights = (one: Case) => {
      const admission = request(one);
      return admission.kind === 'allowed' ? admission.rights.filter((right) => right === 'elevate') : undefined;
    };
    assert.deepEqual(
      [rights({ channel, config: { allowFrom: ['u1'] } }), rights({ config: { allowFrom: ['u1'] } })],
      [['elevate'], []],
    );
    assert.deepEqual(
      [
        rights({ channel, paired: true }),
        rights({ channel, config: { dmPolicy: 'open', allowFrom: ['*'] } }),
        rights({ channel, group: 'g1', addressed: true, config: { groupAllowFrom: ['u1'] } }),
      ],
      [[], [], []],
    );
  });
  it('goes to everybody who may write when access groups are off', () =>
    assert.equal(commands({ useAccessGroups: false, config: { dmPolicy: 'open', allowFrom: ['*'] } }), true));
});
