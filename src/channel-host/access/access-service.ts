/** Explains whether and why a message is or was answered, and by which agent, with the functions of the access gate. */
import { cut, head } from '../../core/cut.ts';
import type { Opening } from '../../core/access-table.ts';
import { operatorAuthority, type Authority } from '../../core/authority.ts';
import { AppError } from '../../core/errors.ts';
import {
  explainAct,
  extentsOf,
  readAct,
  readResource,
  requesterView,
  delegatedViaAll,
  type AccessAnswer,
} from '../../core/explain-access.ts';
import type { ChannelPlugin } from '../../core/channel.ts';
import type { InboundMessage } from '../../core/message.ts';
import { typed } from '../../core/saying.ts';
import { maskedCommand } from '../../core/masked-command.ts';
import { normaliseAccountId } from '../../core/session-key.ts';
import type { Admission } from '../../core/admission.ts';
import { present } from '../../core/present.ts';
import type { ActQuestion, AccessService, Hypothetical, SeenMessage } from '../../host/channel-services.ts';
import type { Journal } from '../../journal/journal.ts';
import type { InboundRow } from '../../journal/rows.ts';
import { explainRoute } from '../../pipeline/routing/explain-route.ts';
import { lintBindings } from '../../pipeline/routing/lint-bindings.ts';
import { lintBroadcast } from '../../pipeline/routing/lint-broadcast.ts';
import type { Route } from '../../core/route.ts';
import { routedChannel } from '../../pipeline/routing-rules.ts';
import type { RoutingRules } from '../../pipeline/routing/route.ts';
import { authorityAtGate, homeOf } from './gate-authority.ts';
import type { FindThing } from './find-thing.ts';
import type { AccessEvaluator } from './evaluate-access.ts';

export interface AccessServiceDeps {
  readonly evaluate: AccessEvaluator;
  readonly journal: { readonly inbound: Pick<Journal['inbound'], 'recent'> };
  rules(): RoutingRules;
  /** Every channel there is, configured or not. */
  plugins(): Promise<readonly ChannelPlugin[]>;
  /** Ids of the accounts a channel has, by the configuration. */
  accounts(channel: string): readonly string[];
  now(): number;
  /** What `access.open` lists. */
  open(): readonly Opening[];
  readonly find: FindThing;
}

interface Placed {
  readonly message: InboundMessage;
  readonly plugin: ChannelPlugin;
  readonly route: Route;
}

const MAX_TEXT_CHARS = 80;

export function createAccessService({
  evaluate,
  journal,
  rules,
  plugins,
  accounts,
  now,
  open,
  find,
}: AccessServiceDeps): AccessService {
  /** With every channel's facts, also of those that are not connected. */
  async function placed(hypothetical: Hypothetical) {
    const all = await plugins();
    const plugin = pluginOf(hypothetical.channel, all);
    const message = messageOf(hypothetical, plugin, now());
    return {
      plugin,
      message,
      rules: {
        ...rules(),
        channel: () => routedChannel(plugin),
      } satisfies RoutingRules,
    };
  }

  return {
    async route(hypothetical, bindings) {
      const { message, rules: known } = await placed(hypothetical);
      return explainRoute(message, bindings ? { ...known, bindings } : known);
    },

    async access({ verb, resource, scopes, hands, ...hypothetical }) {
      const { plugin, message, rules: known } = await placed(hypothetical);
      const explained = explainRoute(message, known);
      const { admissionOf } = await evaluate(message, explained.route, plugin);
      const admission = admissionOf(message.said);
      const allowed = admission.kind === 'allowed';
      const authority = askerOf({ message, plugin, route: explained.route }, admission, { scopes, hands });
      const answers = await actsOf({ verb, resource }, { authority, open, find });
      return {
        ...explained,
        requester: requesterView(authority),
        reaches: extentsOf(authority, open()),
        ...present({ acts: answers }),
        allowed,
        commands: allowed && admission.commands,
        reason: allowed ? 'The message reaches the agent.' : admission.reason,
        steps: admission.steps,
      };
    },

    async asker(hypothetical, route) {
      const { plugin, message } = await placed(hypothetical);
      const { admissionOf } = await evaluate(message, route, plugin);
      return askerOf({ message, plugin, route }, admissionOf(message.said), {});
    },

    review: async () => [
      ...lintBindings(rules().bindings, await plugins(), ({ id }) => accounts(id)),
      ...lintBroadcast(rules().broadcast, await plugins()),
    ],

    async recent({ channel, ...filter }) {
      const id = channel === undefined ? undefined : pluginOf(channel, await plugins()).id;
      return (await journal.inbound.recent({ ...filter, ...present({ channel: id }) })).map(seen);
    },
  };
}

/** The requester: the operator in the web chat, elsewhere the sender as the access gate classifies them. */
function askerOf(
  { message, plugin, route }: Placed,
  admission: Admission,
  { scopes, hands = [] }: Pick<ActQuestion, 'scopes' | 'hands'>,
): Authority {
  if (scopes && !plugin.capabilities.operator)
    throw new AppError(
      'invalid',
      `Only devices connected to the gateway have scopes; a sender on ${plugin.id} has none.`,
    );
  const basis = plugin.capabilities.operator
    ? operatorAuthority(scopes ? { kind: 'operator', id: 'device', scopes } : { kind: 'owner' }, homeOf(route))
    : authorityAtGate(message, route, admission);
  return delegatedViaAll(basis, hands);
}

async function actsOf(
  { verb, resource }: Pick<ActQuestion, 'verb' | 'resource'>,
  { authority, open, find }: { readonly authority: Authority; open(): readonly Opening[]; readonly find: FindThing },
): Promise<readonly AccessAnswer[] | undefined> {
  if (verb === undefined && resource === undefined) return undefined;
  if (verb === undefined || resource === undefined)
    throw new AppError('invalid', 'Give both the verb and the resource, for example read and received-file.');
  const { kind: written, id } = readResource(resource);
  const act = readAct(verb, written);
  return explainAct(authority, act, open(), id === undefined ? undefined : await find(act[1], id, authority.home));
}

/** By id or any other name; `not_found` lists the channels. */
export function pluginOf(name: string, plugins: readonly ChannelPlugin[]): ChannelPlugin {
  const wanted = name.trim().toLowerCase();
  const found = plugins.find(({ id, aliases }) => id === wanted || aliases?.includes(wanted));
  if (!found)
    throw new AppError(
      'not_found',
      `Unknown channel "${head(name, 64)}". Channels: ${plugins.map(({ id }) => id).join(', ')}.`,
    );
  return found;
}

function messageOf(one: Hypothetical, plugin: ChannelPlugin, now: number): InboundMessage {
  const kind = one.chatKind ?? 'direct';
  const sender = one.senderId ?? (kind === 'direct' ? one.chatId : undefined) ?? '';
  return {
    id: 'hypothetical',
    text: one.text ?? '',
    said: typed(one.text ?? ''),
    attachments: [],
    receivedAt: now,
    sender: { id: sender },
    address: {
      channel: plugin.id,
      accountId: normaliseAccountId(one.accountId),
      chat: { kind, id: one.chatId ?? sender },
      ...present({ threadId: one.threadId }),
    },
    addressesBot: kind === 'direct' || one.mentioned === true,
    ...present({ spaceId: one.spaceId, roles: one.roles, place: one.names }),
  };
}

function seen({ runId, message, route, acceptedAt, state, reason, access: gate = [] }: InboundRow): SeenMessage {
  const {
    address: { channel, accountId, chat, threadId },
    sender,
    text,
  } = message;
  return {
    runId,
    channel,
    accountId,
    chat,
    ...present({ threadId }),
    sender: present({ id: sender.id, name: sender.name }),
    at: acceptedAt,
    state,
    ...present({ reason }),
    sessionKey: route.sessionKey,
    agentId: route.agentId,
    text: cut(maskedCommand(text).replace(/\s+/g, ' ').trim(), MAX_TEXT_CHARS),
    steps: gate,
  };
}
