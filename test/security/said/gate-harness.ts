/** Runs a message through the access gate: whether it is admitted, and what its sender may do. */
import discord from '../../../src/channels/discord/index.ts';
import slack from '../../../src/channels/slack/index.ts';
import telegram from '../../../src/channels/telegram/index.ts';
import { createAccessEvaluator } from '../../../src/channel-host/access/evaluate-access.ts';
import { ACCESS_TABLE } from '../../../src/core/access-table.ts';
import { nobodysAuthority, type Authority, type Home } from '../../../src/core/authority.ts';
import type { ChannelPlugin } from '../../../src/core/channel.ts';
import { silentLog } from '../../../src/core/log.ts';
import { may } from '../../../src/core/may.ts';
import type { InboundMessage } from '../../../src/core/message.ts';
import { isStopWord, readCommand } from '../../../src/pipeline/commands/read-command.ts';
import { configSchema } from '../../../src/testing/whole-schema.ts';
import { READ } from '../../../src/testing/command-harness.ts';

const PLUGINS: Readonly<Record<string, ChannelPlugin>> = { telegram, discord, slack };
/** On each platform the sender of the samples is the owner, and everybody may write in groups. */
const config = {
  ...configSchema.parse({ messages: { groupChat: { mentionPatterns: ['\\bclawd\\b'] } } }),
  channels: {
    telegram: { botToken: '1:x', allowFrom: ['501'], groupPolicy: 'open' },
    discord: { token: 'x', allowFrom: ['501'], groupPolicy: 'open' },
    slack: { botToken: 'xoxb-x', appToken: 'xapp-x', allowFrom: ['U0ANN00001'], groupPolicy: 'open' },
  },
};
const evaluate = createAccessEvaluator({
  log: silentLog,
  config: () => config,
  pairing: { allowed: async () => [] },
  approversOf: () => undefined,
  activationOf: () => undefined,
  isCommand: (words) => isStopWord(words) || readCommand(words, READ.commands, []) !== undefined,
});

/** A plain list, to be compared with that of the same message with other words from outside in it. */
export async function mayAtGate(message: InboundMessage): Promise<readonly unknown[]> {
  const { address, sender } = message;
  const home: Home = { agentId: 'main', sessionKey: `agent:main:${address.channel}:${address.chat.id}`, address };
  const route = { agentId: 'main', sessionKey: home.sessionKey, replyTo: address };
  const admission = (await evaluate(message, route as never, PLUGINS[address.channel]!)).admissionOf(message.said);
  const authority: Authority =
    admission.kind === 'refused'
      ? nobodysAuthority(home)
      : {
          requester: {
            kind: 'people',
            channel: address.channel,
            accountId: address.accountId,
            ids: [sender.id],
            commands: admission.commands,
          },
          rights: admission.rights,
          home,
          hands: [],
        };
  const belongings = [undefined, { sessionKey: home.sessionKey, address }, { sessionKey: 'agent:main:main' }];
  return [
    admission.kind,
    authority,
    ...ACCESS_TABLE.flatMap(({ verb, kind }) =>
      belongings.map((of) => may(authority, verb, { kind, ...(of ? { of } : {}) }).ok),
    ),
  ];
}
