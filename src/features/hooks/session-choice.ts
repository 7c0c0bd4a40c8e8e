/** Which agent and session a hook may use: the request of the caller, within what the owner allows. Pure. */
import { AppError } from '../../core/errors.ts';
import { normaliseAgentId, parseSessionKey } from '../../core/session-key.ts';
import type { HooksConfig } from './config.ts';
import { fill, holdsPlaceholder, type HookFacts } from './template.ts';

type Rules = Pick<HooksConfig, 'allowedAgentIds' | 'allowRequestSessionKey' | 'defaultSessionKey'>;

/** `defaultId`: who answers when nobody is named. `invalid` lists the choices. */
export function chooseAgent(wanted: string | undefined, { allowedAgentIds }: Rules, defaultId: string): string {
  const id = normaliseAgentId(wanted ?? defaultId);
  if (
    allowedAgentIds === undefined ||
    allowedAgentIds.some((allowed) => allowed.trim() === '*' || normaliseAgentId(allowed) === id)
  )
    return id;
  throw new AppError(
    'invalid',
    `agentId: hooks may not use the agent "${id}". hooks.allowedAgentIds: ${allowedAgentIds.join(', ') || 'none'}.`,
  );
}

const PREFIX = 'hook:';
/** What a key of ours means elsewhere must not come from a caller: `hook:x:group:1` would pass for a group. */
const OWN_WORDS = /:(?:main|group|channel|thread|topic|dm|subagent|cron|hook|node|agent)(?::|$)/;
const HOOK_KEY = /^hook:[a-z0-9_.@+=-]{1,100}(?::[a-z0-9_.@+=-]{1,100}){0,5}$/;

/** The session a request names. Undefined: a new one for this call. */
export function requestedSession(wanted: string | undefined, rules: Rules, agentId: string): string | undefined {
  if (wanted === undefined) return rules.defaultSessionKey;
  const key = wanted.trim().toLowerCase();
  if (key.startsWith(PREFIX)) {
    if (HOOK_KEY.test(key) && !OWN_WORDS.test(key.slice(PREFIX.length - 1))) return key;
    throw new AppError(
      'invalid',
      'sessionKey: use hook: and a name of letters, digits, dots and dashes, for example hook:github:42.',
    );
  }
  if (!rules.allowRequestSessionKey)
    throw new AppError(
      'invalid',
      'sessionKey: a request may only name sessions that begin with hook:. The owner can allow others with ' +
        'hooks.allowRequestSessionKey.',
    );
  const named = parseSessionKey(key)?.agentId;
  if (named !== undefined && normaliseAgentId(named) !== agentId)
    throw new AppError(
      'invalid',
      `sessionKey: it belongs to another agent than "${agentId}"; set agentId to that agent.`,
    );
  return key;
}

/**
 * The session a mapping names: the owner's words stand, what the payload says in them is only ever one part of a hook's
 * key.
 */
export function mappedSession(
  template: string | undefined,
  { facts, rules, agentId }: { readonly facts: HookFacts; readonly rules: Rules; readonly agentId: string },
): string | undefined {
  if (template === undefined) return rules.defaultSessionKey;
  if (!holdsPlaceholder(template)) return template.trim().toLowerCase();
  const filled = fill(template, facts, keyPart).trim().toLowerCase();
  return requestedSession(filled, rules, agentId);
}

/** An empty part would make one session of many. */
const keyPart = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9_.@+=-]+/g, '-')
    .replace(/^-+/, '')
    .slice(0, 100)
    .replace(/(?<!-)-+$/, '') || 'none';
