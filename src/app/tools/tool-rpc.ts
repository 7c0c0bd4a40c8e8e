/** The gateway methods a tool may call on behalf of its turn; a closed list. */
import type { MessageToolConfig } from '../../config/message-tool-config.ts';
import { AppError } from '../../core/errors.ts';
import type { MessageActRequest, MessageSendRequest } from '../../core/message-tool.ts';
import { parseSessionKey } from '../../core/session-key.ts';
import type { ToolContext } from '../../core/tool.ts';
import type { Turn } from '../../core/turn.ts';
import type { ChannelService } from '../../gateway/channel-services.ts';
import type { SessionService } from '../../gateway/services.ts';
import type { SessionPatch } from '../../sessions/entry.ts';
import type { Models } from '../../agent/models/create-models.ts';
import type { SessionFacts } from '../status-card.ts';
import { createToolMessaging } from './tool-messaging.ts';

export interface ToolRpcDeps {
  readonly turn: Turn;
  facts(key: string): Promise<SessionFacts>;
  readonly sessions: SessionService;
  readonly models: Models;
  channels(): ChannelService;
  isDeliverable(channel: string): boolean;
  config(): MessageToolConfig;
}

interface Params { readonly sessionKey?: string; readonly key?: string; readonly [name: string]: unknown }

export function createToolRpc({ turn, facts, sessions, models, ...messaging }: ToolRpcDeps): ToolContext['rpc'] {
  /** `provider/model` or an alias; null goes back to the agent's own. A model nobody knows rejects with advice. */
  async function modelPatch(model: unknown): Promise<SessionPatch> {
    if (model === null) return { providerOverride: null, modelOverride: null };
    if (typeof model !== 'string') throw new AppError('invalid', 'Of a session, tools may change the model only.');
    const [chosen] = await models.choose(turn.route.agentId, model);
    return { providerOverride: chosen!.provider, modelOverride: chosen!.modelId };
  }

  /** What a message makes the model ask for must not reach the conversations of another agent. */
  function keyOf(params: Params): string {
    const key = sessions.canonicalKey(params.sessionKey ?? params.key ?? turn.route.sessionKey);
    if (key !== turn.route.sessionKey && parseSessionKey(key)?.agentId !== turn.route.agentId) throw new AppError('denied', 'Tools reach the conversations of their own agent only.');
    return key;
  }
  async function patch(params: Params): Promise<unknown> {
    const key = keyOf(params);
    if (!(await sessions.get(key))) throw new AppError('not_found', `There is no conversation ${key}.`);
    return sessions.patch(key, await modelPatch(params['model']));
  }

  const messages = createToolMessaging({ turn, ...messaging });
  const methods: Readonly<Record<string, (params: Params) => Promise<unknown>>> = {
    'sessions.describe': async (params) => facts(keyOf(params)),
    'sessions.patch': patch,
    'message.send': async (params) => messages.send(params as unknown as MessageSendRequest),
    'message.act': async (params) => messages.act(params as unknown as MessageActRequest),
  };
  return async (method, params) => {
    const call = Object.hasOwn(methods, method) ? methods[method] : undefined;
    if (!call) throw new AppError('denied', `Tools may not call ${method}.`);
    return call((params ?? {}) as Params);
  };
}
