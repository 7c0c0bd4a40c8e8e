/** The gateway methods a tool may call on behalf of its turn; a closed list. */
import { AppError } from '../core/errors.ts';
import type { ToolContext } from '../core/tool.ts';
import type { Turn } from '../core/turn.ts';
import type { SessionService } from '../gateway/services.ts';
import type { SessionPatch } from '../sessions/entry.ts';
import type { SessionFacts } from './status-card.ts';

export interface ToolRpcDeps { readonly turn: Turn; facts(key: string): Promise<SessionFacts>; readonly sessions: SessionService }

interface Params { readonly sessionKey?: string; readonly key?: string; readonly [name: string]: unknown }

export function createToolRpc({ turn, facts, sessions }: ToolRpcDeps): ToolContext['rpc'] {
  const keyOf = (params: Params): string => sessions.canonicalKey(params.sessionKey ?? params.key ?? turn.route.sessionKey);
  const methods: Readonly<Record<string, (params: Params) => Promise<unknown>>> = {
    'sessions.describe': (params) => facts(keyOf(params)),
    'sessions.patch': ({ sessionKey, key, ...patch }) => sessions.patch(keyOf({ ...(sessionKey ? { sessionKey } : {}), ...(key ? { key } : {}) }), patch as SessionPatch),
  };
  return async (method, params) => {
    const call = methods[method];
    if (!call) throw new AppError('denied', `Tools may not call ${method}.`);
    return call((params ?? {}) as Params);
  };
}
