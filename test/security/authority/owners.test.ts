/** Who is the owner, and who may answer approvals: every documented configuration, in every kind of chat. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import discord from '../../../src/channels/discord/index.ts';
import slack from '../../../src/channels/slack/index.ts';
import telegram from '../../../src/channels/telegram/index.ts';
import type { ChannelPlugin } from '../../../src/core/channel.ts';
import type { Right } from '../../../src/core/principal.ts';
import { createPlaceRules } from '../../../src/pipeline/access/place-rules.ts';
import { senderRights, type SenderFacts } from '../../../src/pipeline/access/sender-rights.ts';

const PEOPLE = { telegram: '4711', discord: '100000000000000501', slack: 'U0ANN00001' } as const;
const PLUGINS: Readonly<Record<keyof typeof PEOPLE, ChannelPlugin>> = { telegram, discord, slack };
type Id = keyof typeof PEOPLE;

interface Asked {
  readonly channel: Id;
  readonly settings: object;
  readonly account?: string;
  readonly group?: boolean;
  readonly paired?: SenderFacts['paired'];
  readonly owners?: readonly string[];
  readonly approvers?: readonly string[];
  readonly sender?: string;
}

function rightsOf({
  channel,
  settings,
  account = 'default',
  group = false,
  paired = false,
  owners,
  approvers,
  sender = PEOPLE[channel],
}: Asked): { readonly commands: boolean; readonly rights: readonly Right[] } {
  const plugin = PLUGINS[channel];
  const credentials = {
    telegram: { botToken: '1:x' },
    discord: { token: 'x' },
    slack: { botToken: 'xoxb-x', appToken: 'xapp-x' },
  }[channel];
  const channels = { [channel]: { ...credentials, ...settings } };
  const { rules, problem } = createPlaceRules()(plugin, channels, {
    address: { channel, accountId: account, chat: { kind: group ? 'group' : 'direct', id: 'c1' } },
  });
  assert.equal(problem, undefined);
  return senderRights({
    senderId: sender,
    inGroup: group,
    channel: plugin,
    elevates: false,
    rules,
    paired,
    owners,
    approvers,
    useAccessGroups: true,
  });
}

const spellings = (channel: Id): readonly (string | number)[] =>
  ({
    telegram: ['4711', 4711, 'telegram:4711', 'tg:4711', ' 4711 '],
    discord: [PEOPLE.discord, `discord:${PEOPLE.discord}`, `user:${PEOPLE.discord}`, `<@${PEOPLE.discord}>`],
    slack: [PEOPLE.slack, `slack:${PEOPLE.slack}`, `user:${PEOPLE.slack}`, `<@${PEOPLE.slack}>`],
  })[channel];

describe('who the owner is', () => {
  let [asked, right] = [0, 0];
  const check = (given: Asked, expected: readonly Right[], commands: boolean, what: string): void => {
    asked += 1;
    const found = rightsOf(given);
    assert.deepEqual([[...found.rights].sort(), found.commands], [[...expected].sort(), commands], what);
    right += 1;
  };
  const OWNER: readonly Right[] = ['approve', 'configure'];

  for (const channel of Object.keys(PEOPLE) as Id[]) {
    it(`${channel}: an owner admitted in any documented way`, () => {
      for (const entry of spellings(channel)) {
        const written = JSON.stringify(entry);
        for (const group of [false, true]) {
          check(
            { channel, settings: { allowFrom: [entry] }, group },
            OWNER,
            true,
            `allowFrom ${written}, group ${group}`,
          );
          check(
            {
              channel,
              settings: { allowFrom: ['1'], accounts: { work: { allowFrom: [entry] } } },
              account: 'work',
              group,
            },
            OWNER,
            true,
            `of the account ${written}, group ${group}`,
          );
          check(
            { channel, settings: { allowFrom: ['*', entry] }, group },
            OWNER,
            true,
            `beside everybody ${written}, group ${group}`,
          );
          if (channel !== 'telegram')
            check(
              { channel, settings: { dm: { allowFrom: [entry] } }, group },
              OWNER,
              true,
              `dm.allowFrom ${written}, group ${group}`,
            );
        }
      }
      check({ channel, settings: {}, owners: [`${channel}:${PEOPLE[channel]}`] }, OWNER, true, 'ownerAllowFrom');
      check(
        {
          channel,
          settings: { allowFrom: ['*'] },
          owners: [`  ${channel.toUpperCase()}:${PEOPLE[channel]} `],
          group: true,
        },
        OWNER,
        true,
        'ownerAllowFrom, in a group',
      );
      check({ channel, settings: {}, paired: 'owner' }, OWNER, true, 'a pairing and the owner’s word');
      check({ channel, settings: {}, paired: 'owner', group: true }, OWNER, true, 'the same, in a group');
    });

    it(`${channel}: nobody else`, () => {
      check({ channel, settings: { allowFrom: ['*'] } }, [], false, 'writable by everybody');
      check({ channel, settings: { allowFrom: ['*'] }, sender: '*' }, [], false, 'by the very name of everybody');
      check({ channel, settings: { allowFrom: ['', ' '] }, sender: '' }, [], false, 'without an id');
      check({ channel, settings: { allowFrom: ['Ann', '@ann'] } }, [], false, 'by a name');
      check({ channel, settings: {}, paired: true }, [], true, 'a pairing alone');
      check({ channel, settings: {}, paired: true, group: true }, [], false, 'a pairing, in a group');
      check(
        { channel, settings: { dmPolicy: 'allowlist', allowFrom: ['1'] }, paired: 'owner' },
        [],
        false,
        'an allowlist is the whole list',
      );
      check(
        { channel, settings: { allowFrom: [PEOPLE[channel]] }, owners: [`${channel}:1`] },
        ['approve-own'],
        true,
        'another is named as the owner',
      );
      check(
        { channel, settings: { allowFrom: [PEOPLE[channel]] }, owners: [`${channel}:1`], group: true },
        [],
        true,
        'another is named as the owner, in a group',
      );
      check(
        { channel, settings: { allowFrom: ['1'] }, owners: [PEOPLE[channel]] },
        [],
        false,
        'an owner without a channel',
      );
      check(
        { channel, settings: { allowFrom: ['1'] }, owners: [`${channel}:*`, 'other:*'] },
        [],
        false,
        'everybody is no owner',
      );
      check(
        {
          channel,
          settings: { allowFrom: ['1'] },
          owners: Object.keys(PEOPLE)
            .filter((id) => id !== channel)
            .map((id) => `${id}:${PEOPLE[channel]}`),
        },
        [],
        false,
        'the owner of another channel',
      );
      check(
        { channel, settings: { allowFrom: ['1'] }, owners: [], paired: 'owner' },
        [],
        true,
        'an empty list of owners closes',
      );
    });

    it(`${channel}: approvers`, () => {
      check(
        { channel, settings: { allowFrom: [PEOPLE[channel]] }, approvers: ['1'] },
        ['configure'],
        true,
        'the list of approvers is the whole list',
      );
      check(
        { channel, settings: { allowFrom: [PEOPLE[channel]] }, approvers: [] },
        ['configure'],
        true,
        'an empty one names nobody',
      );
      check({ channel, settings: { allowFrom: ['*'] }, approvers: ['*'] }, [], false, 'everybody is no approver');
      for (const entry of spellings(channel))
        check(
          { channel, settings: { allowFrom: ['*'] }, approvers: [String(entry)], group: true },
          ['approve'],
          false,
          `approver ${entry}`,
        );
    });
  }

  it('is told', (t) => t.diagnostic(`owners: ${right}/${asked}`));
});
