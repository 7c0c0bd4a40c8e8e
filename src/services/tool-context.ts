/** Builds the context of a direct tool call: the one that the next turn of the session would have. */
import { resolveAgent } from '../agent/resolve-agent.ts';
import type { Models } from '../agent/models/create-models.ts';
import type { AgentsConfig } from '../agent/config.ts';
import { AppError } from '../core/errors.ts';
import type { ChatAddress } from '../core/message.ts';
import { DEFAULT_ACCOUNT_ID } from '../core/product.ts';
import {
  agentOfKey,
  canonicalSessionKey,
  mainSessionKey,
  normaliseAccountId,
  normaliseAgentId,
  type SessionKey,
} from '../core/session-key.ts';
import type { ToolPlace } from '../host/tool-service.ts';
import { keyRules, type RoutingRules } from '../pipeline/routing/route.ts';
import type { SessionEntry } from '../sessions/entry.ts';
import type { Sessions } from '../sessions/sessions.ts';
import { ownChat, rememberedAddress } from '../host/delivery-target.ts';
import type { Workplace } from '../host/tool-environment.ts';
import type { ChatModelFacts } from '../agent/environment/pictures.ts';
import { originsOf } from '../sessions/origins.ts';
import type { ToolboxContext } from '../agent/toolbox/toolbox.ts';
import { modelOverride } from '../sessions/model-override.ts';

export interface ToolPlaceDeps {
  config(): { readonly agents: AgentsConfig };
  readonly models: Pick<Models, 'choose'>;
  readonly sessions: Pick<Sessions, 'get'>;
  rules(): RoutingRules;
  place(at: { readonly agentId: string; readonly sessionKey: string }): Workplace;
  readonly pictures: { available(chat: ChatModelFacts): Promise<boolean | 'text'> };
}

export interface ToolPlaceContext extends ToolboxContext {
  readonly entry: SessionEntry | undefined;
  readonly place: Workplace;
}

/** Unknown agent or model: `AppError`; a session of another agent: `invalid`. */
export async function contextOf(request: ToolPlace, deps: ToolPlaceDeps): Promise<ToolPlaceContext> {
  const { agentId, sessionKey } = whose(request, deps);
  const entry = await deps.sessions.get(sessionKey);
  const [model] = await deps.models.choose(agentId, request.model ?? (entry && modelOverride(entry)));
  const place = deps.place({ agentId, sessionKey });
  return {
    entry,
    place,
    sandbox: place.sandbox,
    origins: await originsOf([entry?.spawnedBy], deps.sessions.get),
    route: { agentId, sessionKey, matchedBy: 'session', replyTo: addressOf(request, sessionKey, entry) },
    senders: request.sender === undefined ? [] : [request.sender],
    model: model!,
    describesPictures: await deps.pictures.available(model!),
  };
}

function whose(
  { agentId, sessionKey }: ToolPlace,
  { config, rules }: ToolPlaceDeps,
): { agentId: string; sessionKey: SessionKey } {
  const keys = keyRules(rules());
  const wanted = agentId === undefined ? undefined : normaliseAgentId(agentId);
  const key =
    sessionKey === undefined
      ? mainSessionKey(wanted ?? keys.defaultAgentId, keys)
      : canonicalSessionKey(sessionKey, wanted === undefined ? keys : { ...keys, defaultAgentId: wanted });
  const owner = key === 'global' ? (wanted ?? keys.defaultAgentId) : agentOfKey(key, keys);
  if (wanted !== undefined && owner !== wanted)
    throw new AppError('invalid', `The session ${key} belongs to the agent "${owner}", not to "${wanted}".`);
  return { agentId: resolveAgent(config(), owner).id, sessionKey: key };
}

/** The place named, else where the session was last answered, else the web chat. */
function addressOf(
  { channel, accountId, groupId, sender }: ToolPlace,
  sessionKey: string,
  entry: SessionEntry | undefined,
): ChatAddress {
  const last = rememberedAddress(entry) ?? ownChat(sessionKey);
  const name = channel?.trim().toLowerCase() ?? last.channel;
  const account = accountId === undefined ? undefined : normaliseAccountId(accountId);
  if (groupId !== undefined)
    return { channel: name, accountId: account ?? DEFAULT_ACCOUNT_ID, chat: { kind: 'group', id: groupId } };
  if (name === last.channel) return account === undefined ? last : { ...last, accountId: account };
  return {
    channel: name,
    accountId: account ?? DEFAULT_ACCOUNT_ID,
    chat: { kind: 'direct', id: sender ?? sessionKey },
  };
}
