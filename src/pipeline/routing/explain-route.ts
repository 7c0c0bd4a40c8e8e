/** Explains in sentences why each binding matched or not, using the live routing code. Pure. */
import type { InboundMessage } from '../../core/message.ts';
import { present } from '../../core/present.ts';
import { broadcastRoutes } from './broadcast.ts';
import type { Binding } from './config.ts';
import { anyAccount, isNamed, type Field, type BindingMatch, type Tier } from './match.ts';
import { channelOf, evaluateBindings, type RoutingRules } from './route.ts';

export function explainRoute(message: InboundMessage, rules: RoutingRules) {
  const { route, matches, chosen } = evaluateBindings(message, rules);
  const broadcast = broadcastRoutes(message, rules);
  const channel = channelOf(message, rules);
  const bindings = rules.bindings.flatMap((binding, index) =>
    isNamed(binding.match.channel, message.address.channel, channel)
      ? [
          {
            path: `bindings[${index}]`,
            agentId: binding.agentId,
            matches: 'tier' in matches[index]!,
            chosen: index === chosen && !broadcast,
            ...present({ tier: 'tier' in matches[index]! ? matches[index].tier : undefined }),
            why: whyOf({
              binding,
              match: matches[index]!,
              message,
              chosen: index === chosen,
              broadcast: broadcast !== undefined,
            }),
          },
        ]
      : [],
  );
  return {
    route,
    bindings,
    ...present({
      broadcast: broadcast
        ? {
            agents: broadcast.routes.map(({ agentId }) => agentId),
            strategy: broadcast.strategy,
            path: broadcast.path,
          }
        : undefined,
    }),
    sessionKeys: broadcast ? broadcast.routes.map(({ sessionKey }) => sessionKey) : [route.sessionKey],
  };
}

interface RouteQuestion {
  readonly binding: Binding;
  readonly match: BindingMatch;
  readonly message: InboundMessage;
  readonly chosen: boolean;
  readonly broadcast: boolean;
}

function whyOf({ binding, match, message, chosen, broadcast }: RouteQuestion): string {
  if ('missing' in match) return MISSING[match.missing](binding, message);
  if (broadcast) return `${TIER_WORDS[match.tier]} matches, but the broadcast of this chat takes precedence.`;
  return chosen
    ? `${TIER_WORDS[match.tier]} matches, and no more specific binding does.`
    : `${TIER_WORDS[match.tier]} matches, but a more specific or earlier binding takes precedence.`;
}

const TIER_WORDS: Readonly<Record<Tier, string>> = {
  peer: 'The chat',
  'parent-peer': 'The chat of the thread',
  'any-peer': 'Every chat of this kind',
  'guild-roles': 'A role of the sender',
  guild: 'The server',
  team: 'The team',
  account: 'The account',
  channel: 'The channel',
};

const MISSING: Readonly<Record<Field, (binding: Binding, message: InboundMessage) => string>> = {
  channel: ({ match }) => `It is for ${match.channel}.`,
  account: ({ match }, { address }) =>
    `It is for the account ${anyAccount(match.accountId) ? '*' : match.accountId}, and the message came to ` +
    `${address.accountId}.`,
  guild: ({ match }, { spaceId }) => `It is for the server ${match.guildId}, and the message came ${from(spaceId)}.`,
  team: ({ match }, { spaceId }) => `It is for the team ${match.teamId}, and the message came ${from(spaceId)}.`,
  roles: ({ match }) => `The sender has none of the roles ${match.roles?.join(', ')}.`,
  peer: ({ match }, { address }) =>
    `It is for the ${match.peer?.kind} ${match.peer?.id}, and the message came from the ${address.chat.kind} ` +
    `${address.chat.id}.`,
};

const from = (spaceId: string | undefined): string => (spaceId === undefined ? 'from none' : `from ${spaceId}`);
