/** Who may write where on Slack, by the account's settings; targets and reviews. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { PlaceFacts, PlaceRules } from '../../sdk/index.ts';
import { groupStages } from '../../agent/tool-policy/group-stages.ts';
import { present } from '../../sdk/index.ts';
import { slackSchema } from './config.ts';
import slack from './index.ts';

const place = (kind: 'direct' | 'group' | 'channel', id: string, name?: string): PlaceFacts => ({
  chat: { kind, id },
  settingsPath: 'channels.slack',
  ...present({ names: name ? { chat: name } : undefined }),
});
const rulesFor = (config: object, facts: PlaceFacts): PlaceRules => slack.rules!(slackSchema.parse(config), facts);
const general = place('channel', 'C0GENERAL1', 'general');
const other = place('channel', 'C0OTHER001', 'other');

describe('Slack settings', () => {
  it('closes everything by default: codes for strangers, and no channel', () => {
    const { direct, group } = rulesFor({}, general);
    assert.deepEqual(
      [
        direct.value,
        direct.allowFrom.value,
        group.value,
        group.listed,
        group.senders?.value,
        group.requireMention.value,
      ],
      ['pairing', [], 'allowlist', undefined, [], true],
    );
  });

  it('G129 finds a channel by id, name and `*`, the most specific first', () => {
    const config = {
      channels: {
        C0GENERAL1: { requireMention: false },
        '#general': { requireMention: true, systemPrompt: 'by name' },
        '*': { requireMention: true, skills: ['a'] },
      },
    };
    const { group, systemPrompt, skills } = rulesFor(config, general);
    assert.deepEqual(
      [group.requireMention, systemPrompt, skills],
      [{ value: false, path: 'channels.slack.channels.C0GENERAL1.requireMention' }, 'by name', ['a']],
    );
    assert.equal(
      rulesFor({ channels: { general: { requireMention: false } } }, general).group.requireMention.value,
      false,
    );
    assert.deepEqual(rulesFor(config, other).group.listed, { value: true, path: 'channels.slack.channels.*' });
    assert.deepEqual(
      rulesFor({ channels: { '#general': {} } }, place('channel', 'C0OTHER001')).group.listed?.value,
      false,
    );
  });

  it('G222 takes unlisted channels under an open policy, and never one that is refused', () => {
    const config = { groupPolicy: 'open', channels: { C0GENERAL1: {}, C0OTHER001: { allow: false } } };
    assert.deepEqual(
      [rulesFor(config, general).group.listed, rulesFor(config, place('channel', 'C0THIRD001')).group.listed],
      [undefined, undefined],
    );
    assert.deepEqual(rulesFor(config, other).group.listed, {
      value: false,
      path: 'channels.slack.channels.C0OTHER001.allow',
    });
    const closed = { channels: { C0GENERAL1: {}, C0OTHER001: { enabled: false } } };
    assert.deepEqual(
      [general, other, place('channel', 'C0THIRD001')].map((facts) => rulesFor(closed, facts).group.listed?.value),
      [true, false, false],
    );
  });

  it('lets the members of a listed channel write, or those it names', () => {
    const senders = (config: object): readonly string[] | undefined => rulesFor(config, general).group.senders?.value;
    assert.equal(senders({ channels: { C0GENERAL1: {} } }), undefined);
    assert.deepEqual(senders({ channels: { C0GENERAL1: { users: ['U0ANN00001'] } } }), ['U0ANN00001']);
    assert.deepEqual(senders({ channels: { C0GENERAL1: {} }, groupAllowFrom: ['U0BOB00001'] }), ['U0BOB00001']);
    assert.deepEqual(senders({ allowFrom: ['U0ANN00001'] }), ['U0ANN00001']);
    assert.equal(senders({ groupPolicy: 'open' }), undefined);
  });

  it('reads direct messages in both spellings', () => {
    const direct = (config: object): unknown => {
      const { value, path, allowFrom } = rulesFor(config, place('direct', 'U0ANN00001')).direct;
      return [value, path, allowFrom.value, allowFrom.path];
    };
    assert.deepEqual(direct({ dmPolicy: 'allowlist', allowFrom: ['U1'] }), [
      'allowlist',
      'channels.slack.dmPolicy',
      ['U1'],
      'channels.slack.allowFrom',
    ]);
    assert.deepEqual(direct({ dm: { policy: 'allowlist', allowFrom: ['U2'] }, allowFrom: ['U1'] }), [
      'allowlist',
      'channels.slack.dm.policy',
      ['U2'],
      'channels.slack.dm.allowFrom',
    ]);
    assert.deepEqual(direct({ dm: { enabled: false } }), [
      'disabled',
      'channels.slack.dm.enabled',
      [],
      'channels.slack.allowFrom',
    ]);
  });

  it('keeps group direct messages out, or to those that are named', () => {
    const group = (dm: object): PlaceRules['group'] =>
      rulesFor({ groupPolicy: 'open', dm }, place('group', 'G0TRIO0001')).group;
    assert.equal(group({ groupEnabled: false }).value, 'disabled');
    assert.deepEqual(
      [group({ groupChannels: ['G0TRIO0001'] }).listed?.value, group({ groupChannels: ['G0OTHER001'] }).listed?.value],
      [true, false],
    );
    assert.equal(group({}).listed, undefined);
  });

  it('limits the tools of a channel by what is written there', () => {
    const channels = {
      slack: {
        channels: {
          C0GENERAL1: { tools: { deny: ['exec'] }, toolsBySender: { U0ANN00001: { allow: ['read'] } } },
          '*': { tools: { allow: ['web_search'] } },
          C0BROKEN01: { tools: 'exec' },
        },
      },
    };
    const limits = (id: string, sender: string): unknown =>
      groupStages(channels as never, { channel: 'slack', id }, [sender])
        .map(({ allow = [], deny }) => [...allow, ...deny])
        .flat();
    assert.deepEqual(limits('c0general1', 'U0BOB00001'), [
      { setting: 'channels.slack.channels.C0GENERAL1.tools.deny', patterns: ['exec'] },
    ]);
    assert.deepEqual(limits('c0general1', 'u0ann00001'), [
      { setting: 'channels.slack.channels.C0GENERAL1.toolsBySender.U0ANN00001.allow', patterns: ['read'] },
    ]);
    assert.deepEqual(limits('C0OTHER001', 'U0BOB00001'), [
      { setting: 'channels.slack.channels.*.tools.allow', patterns: ['web_search'] },
    ]);
    assert.deepEqual(
      limits('C0BROKEN01', 'U0BOB00001'),
      [{ setting: 'channels.slack.channels.C0BROKEN01.tools.deny', patterns: ['*'] }],
      'what makes no sense opens nothing',
    );
  });

  it('reads targets by id and never by name', () => {
    const target = (text: string): string | undefined => {
      const found = slack.parseTarget!(text);
      return found && [found.chat.kind, found.chat.id, ...(found.threadId ? [found.threadId] : [])].join(' ');
    };
    assert.deepEqual(['C012AB3CD', 'G012AB3CD', 'D012AB3CD', 'U012AB3CD', 'W012AB3CD'].map(target), [
      'channel C012AB3CD',
      'group G012AB3CD',
      'direct D012AB3CD',
      'direct U012AB3CD',
      'direct W012AB3CD',
    ]);
    assert.deepEqual(
      [
        '<@U012AB3CD>',
        '<#C012AB3CD|general>',
        'user:u012ab3cd',
        'channel:C012AB3CD',
        'slack:C012AB3CD',
        'slack:channel:G012AB3CD',
        '#C012AB3CD',
      ].map(target),
      [
        'direct U012AB3CD',
        'channel C012AB3CD',
        'direct U012AB3CD',
        'channel C012AB3CD',
        'channel C012AB3CD',
        'channel G012AB3CD',
        'channel C012AB3CD',
      ],
    );
    assert.equal(target('channel:C012AB3CD:1700000000.000100'), 'channel C012AB3CD 1700000000.000100');
    assert.deepEqual(
      ['#general', '@ann', 'ann', '', 'user:C012AB3CD', 'channel:U012AB3CD', '123456'].map(target),
      Array.from({ length: 7 }, () => undefined),
    );
  });

  it('takes ids for allowlist entries and nothing else', () => {
    assert.deepEqual(
      ['U012AB3CD', 'slack:u012ab3cd', 'user:U012AB3CD', '<@U012AB3CD>', '*', 'B012AB3CD'].map(slack.senderEntry!),
      ['U012AB3CD', 'U012AB3CD', 'U012AB3CD', 'U012AB3CD', '*', 'B012AB3CD'],
    );
    assert.deepEqual(
      ['ann', '@ann', 'ann@example.com', '12345', 'wendy', 'umberto'].map(slack.senderEntry!),
      Array.from({ length: 6 }, () => undefined),
    );
  });

  it('warns about open access and a plain-text token', () => {
    const warnings = (config: object): string =>
      slack.review!(slackSchema.parse(config))
        .map(({ message, fix }) => `${message} ${fix}`)
        .join('\n');
    assert.equal(warnings({ allowFrom: ['U012AB3CD'], channels: { C012AB3CD: {}, '*': {} } }), '');
    assert.match(warnings({ dmPolicy: 'open' }), /no `\*`/);
    assert.match(warnings({ dmPolicy: 'open', allowFrom: ['*'] }), /Everybody in the workspace/);
    assert.match(warnings({ groupPolicy: 'open' }), /Every channel/);
    assert.match(warnings({ apiRoot: 'http://slack.example/api/' }), /not https/);
    assert.match(warnings({ allowBots: true }), /bots/);
    assert.match(warnings({ slashCommand: { name: '/clawd' } }), /begins with a slash/);
  });

  it('asks for the secrets its mode needs', () => {
    const needed = (settings: Record<string, unknown>): string[] =>
      slack.credentials!.filter((one) => one.needed?.(settings) ?? true).map(({ key }) => key);
    assert.deepEqual(
      [needed({}), needed({ mode: 'http' })],
      [
        ['botToken', 'appToken'],
        ['botToken', 'signingSecret'],
      ],
    );
  });
});
