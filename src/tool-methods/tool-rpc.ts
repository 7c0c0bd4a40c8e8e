/** The closed list of gateway methods that a tool may call for its turn, also on another gateway. */
import type { MessageActRequest, MessageSendRequest } from '../core/message-tool.ts';
import type { Opening } from '../core/access-table.ts';
import { AppError } from '../core/errors.ts';
import { assertAllowed, may, type RecordAccess } from '../core/may.ts';
import type { GatewayAt, ToolContext } from '../core/tool.ts';
import type { Turn } from '../core/turn.ts';
import type { SessionService } from '../host/session-service.ts';
import type { SessionPatch } from '../sessions/entry.ts';
import type { Models } from '../agent/models/create-models.ts';
import type { ToolCall } from '../host/feature.ts';
import type { Features } from '../host/mount-features.ts';
import type { RemoteRpcDeps } from './remote-rpc.ts';
import type { ToolGatewayDeps } from './tool-gateway.ts';
import { createToolMessaging, type ToolMessagingDeps } from './tool-messaging.ts';
import type { ToolSessionsDeps } from './tool-sessions.ts';

/** What each family of tools needs, besides the turn. */
export interface ToolRpcDeps {
  readonly messages: Omit<ToolMessagingDeps, 'turn'>;
  readonly gateway: Omit<ToolGatewayDeps, 'turn'>;
  readonly elsewhere: Omit<RemoteRpcDeps, 'turn' | 'own' | 'goesElsewhere'>;
  readonly talk: Omit<ToolSessionsDeps, 'turn'>;
  readonly features: Pick<Features, 'toolMethods' | 'goesElsewhere'>;
  facts(key: string): Promise<unknown>;
  readonly sessions: Pick<SessionService, 'get' | 'patch'>;
  readonly models: Models;
  /** What `access.open` lists. */
  open(): readonly Opening[];
  /**
   * Told of what was allowed beyond the conversation of a turn, and of what was refused without an error; refusals
   * carry the rest.
   */
  keep?: RecordAccess | undefined;
}

/** Each knows what its tool sends, or validates it as untrusted input. */
type Method = (params: never, call: ToolCall) => Promise<unknown>;
type Family = Readonly<Record<string, Method>>;

/** The code of a family is loaded by the first call to it: most turns make none. */
const FAMILIES: Readonly<Record<string, (turn: Turn, deps: ToolRpcDeps) => Promise<Family>>> = {
  gateway: async (turn, { gateway, keep }) =>
    (await import('./tool-gateway.ts')).createToolGateway({ ...gateway, turn, keep }),
  sessions: sessionMethods,
  message: messageMethods,
};
const FAMILY_OF: Readonly<Record<string, string>> = {
  config: 'gateway',
};

/** For calls that nobody ends. */
const NEVER = new AbortController().signal;

export function createToolRpc(deps: ToolRpcDeps): (turn: Turn) => ToolContext['rpc'] {
  return (turn) => {
    const families = new Map<string, Promise<Family>>(); // what a family remembers, it remembers for the turn
    /** What the gateway has under this word outranks what features add to it. */
    const load = async (name: string): Promise<Family> => ({
      ...(await deps.features.toolMethods(name, turn, deps.keep)),
      ...(Object.hasOwn(FAMILIES, name) ? await FAMILIES[name]!(turn, deps) : {}),
    });
    const familyOf = (name: string): Promise<Family> => {
      const family = families.get(name) ?? load(name);
      families.set(name, family);
      return family;
    };
    const own = async (method: string, params: unknown, at: GatewayAt = {}): Promise<unknown> => {
      const [noun] = method.split('.') as [string];
      const name = FAMILY_OF[noun] ?? noun;
      const methods = await familyOf(name);
      const call = Object.hasOwn(methods, method) ? methods[method] : undefined;
      if (!call) throw new AppError('denied', `Tools may not call ${method}.`);
      const { signal = NEVER, progress = () => undefined } = at;
      return call((params ?? {}) as never, { signal, progress });
    };
    return async (method, params, at) => {
      if (at?.url === undefined) return own(method, params, at);
      const { goesElsewhere } = deps.features;
      const { createRemoteRpc } = await import('./remote-rpc.ts');
      return createRemoteRpc({ ...deps.elsewhere, goesElsewhere, turn, own, keep: deps.keep })(method, params, at);
    };
  };
}

async function messageMethods(turn: Turn, deps: ToolRpcDeps): Promise<Family> {
  const messages = createToolMessaging({ ...deps.messages, turn, keep: deps.keep });
  return {
    'message.send': (params: MessageSendRequest) => messages.send(params),
    'message.act': (params: MessageActRequest) => messages.act(params),
  };
}

interface Named {
  readonly sessionKey?: string;
  readonly key?: string;
}

/** Lists, messages and sub-agents, and what `session_status` shows and changes. */
async function sessionMethods(
  turn: Turn,
  { talk: talkDeps, facts, sessions, models, open, keep }: ToolRpcDeps,
): Promise<Family> {
  const { createToolSessions } = await import('./tool-sessions.ts');
  const talk = createToolSessions({ ...talkDeps, turn, keep });
  /** `provider/model` or an alias; null goes back to the agent's own. A model nobody knows rejects with advice. */
  async function modelPatch(model: unknown): Promise<SessionPatch> {
    if (model === null) return { providerOverride: null, modelOverride: null };
    if (typeof model !== 'string') throw new AppError('invalid', 'Tools may change only the model of a session.');
    const [chosen] = await models.choose(turn.route.agentId, model);
    return { providerOverride: chosen!.provider, modelOverride: chosen!.modelId };
  }
  const keyOf = ({ sessionKey, key }: Named): Promise<string> => talk.keyOf(sessionKey ?? key);
  return {
    ...talk.methods,
    'sessions.describe': async (params: Named) => facts(await keyOf(params)),
    async 'sessions.patch'(params: Named & { readonly model?: unknown }) {
      const key = await keyOf(params);
      const spawnedBy = (await sessions.get(key))?.spawnedBy;
      const check = may(
        turn.authority,
        'change',
        { kind: 'session', of: { sessionKey: key, startedBy: spawnedBy === undefined ? [] : [spawnedBy] } },
        open(),
      );
      assertAllowed(check, 'The model is unchanged.');
      keep?.(turn, check);
      if (!(await sessions.get(key))) throw new AppError('not_found', `Unknown conversation ${key}.`);
      return sessions.patch(key, await modelPatch(params.model));
    },
  };
}
