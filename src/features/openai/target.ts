/** Which agent and which session a request of the OpenAI-compatible endpoints means. */
import type { HttpRequest } from '../../host/http/surface.ts';
import { AppError } from '../../core/errors.ts';
import { PRODUCT_NAMES } from '../../core/product.ts';
import { agentOfKey, normaliseAgentId } from '../../core/session-key.ts';
import { sha256Hex } from '../../platform/ids.ts';
import { productHeader } from '../../host/http/product-header.ts';
import type { OpenAiHost } from './openai-host.ts';
import { invalid } from './content.ts';

export interface Target {
  readonly agentId: string;
  readonly sessionKey: string;
  /** The caller named the session: its transcript is the history, and a turn outlives a lost connection. */
  readonly sticky: boolean;
  /** `provider/model` for this turn. */
  readonly model?: string;
}

export interface TargetRequest {
  readonly headers: HttpRequest['headers'];
  readonly model?: string | undefined;
  readonly user?: string | undefined;
  /** Named by `previous_response_id`. */
  readonly previousKey?: string | undefined;
  /** A new session is named after the run, so that a repeated request finds the same one. */
  readonly runId: string;
  /** Begins the keys of this endpoint. */
  readonly family: 'openai' | 'openresponses';
}

type Agents = OpenAiHost['agents'];

const MAX_USER_LENGTH = 256;
const MAX_KEY_LENGTH = 512;

/** Session: header > previous response > `user` > a new one. Agent: header > model > the session's > the default. */
export async function resolveTarget(
  request: TargetRequest,
  { agents, sessions }: Pick<OpenAiHost, 'agents' | 'sessions'>,
): Promise<Target> {
  const named = namedAgent(request, agents);
  const model = await turnModel(request, agents);
  const input = namedSession(request);
  if (input === undefined) {
    const agentId = named ?? agents.defaultId();
    return { agentId, ...ownSession(agentId, request), ...model };
  }
  const sessionKey = sessions.canonicalKey(input);
  const agentId = agentOfKey(sessionKey, { mainKey: '', defaultAgentId: agents.defaultId() });
  requireAgent(agentId, agents, 'session');
  if (named !== undefined && named !== agentId)
    throw invalid(
      `The session ${sessionKey} belongs to the agent "${agentId}", but the request names "${named}".`,
      'model',
    );
  return { agentId, sessionKey, sticky: true, ...model };
}

function namedSession({ headers, previousKey }: TargetRequest): string | undefined {
  const key = productHeader(headers, 'session-key') ?? previousKey;
  if (key === undefined) return undefined;
  // Control characters would break logs and files that carry the key.
  if (key.length > MAX_KEY_LENGTH || /[\u0000-\u001f\u007f\s]/.test(key))
    throw invalid(
      `A session key can have at most ${MAX_KEY_LENGTH} characters and no spaces.`,
      'x-clawdbot-session-key',
    );
  return key;
}

function ownSession(agentId: string, { user, family, runId }: TargetRequest): Pick<Target, 'sessionKey' | 'sticky'> {
  if (!user) return { sessionKey: `agent:${agentId}:${family}:${newSessionId(runId)}`, sticky: false };
  if (user.length > MAX_USER_LENGTH) throw invalid(`"user" can have at most ${MAX_USER_LENGTH} characters.`, 'user');
  return { sessionKey: `agent:${agentId}:${family}-user:${encodeUser(user)}`, sticky: true };
}

/** An idempotency key may be spelled in ways a session key must not. */
const newSessionId = (runId: string): string => (/^[0-9a-f-]{36}$/.test(runId) ? runId : sha256Hex(runId).slice(0, 32));

/** Colons and blanks are part of the key grammar, so a user's name may not carry them raw. */
const encodeUser = (user: string): string =>
  encodeURIComponent(user.toWellFormed()).replaceAll('%40', '@').replaceAll('%2B', '+').toLowerCase();

function namedAgent({ headers, model }: TargetRequest, agents: Agents): string | undefined {
  const header = productHeader(headers, 'agent-id');
  if (header !== undefined) return requireAgent(normaliseAgentId(header), agents, 'x-clawdbot-agent-id');
  const id = agentOfModel(model);
  if (id === undefined) return undefined;
  const isDefault = id === 'default' && !agents.ids().includes('default');
  return isDefault ? agents.defaultId() : requireAgent(normaliseAgentId(id), agents, 'model');
}

const AGENT_MODEL = new RegExp(`^(?:(?:${PRODUCT_NAMES.join('|')})[:/]|agent:)(.*)$`);

/**
 * `clawdbot:main`, `clawdbot/main`, `openclaw/main`, `agent:main` → `main`; the bare product name → `default`; other
 * names → undefined.
 */
export function agentOfModel(model: string | undefined): string | undefined {
  const name = model?.trim().toLowerCase() ?? '';
  if (PRODUCT_NAMES.some((product) => product === name)) return 'default';
  return AGENT_MODEL.exec(name)?.[1];
}

function requireAgent(id: string, agents: Agents, param: string): string {
  if (agents.ids().includes(id)) return id;
  throw new AppError('not_found', `Unknown agent "${id}". Agents: ${agents.ids().join(', ')}.`, {
    details: { param, code: 'model_not_found' },
  });
}

/**
 * A model of the catalogue by its full name, from the header or the `model` field. Any other name is left to the agent,
 * as clients hard-code them.
 */
async function turnModel({ headers, model }: TargetRequest, agents: Agents): Promise<{ model?: string }> {
  const header = productHeader(headers, 'model');
  const wanted = header ?? (model?.includes('/') && agentOfModel(model) === undefined ? model : undefined);
  if (wanted === undefined) return {};
  const known = (await agents.models()).map(({ provider, id }) => ({
    id,
    full: id.startsWith(`${provider}/`) ? id : `${provider}/${id}`,
  }));
  const found = known.find(({ id, full }) => full === wanted || id === wanted);
  if (found) return { model: found.full };
  if (header === undefined) return {};
  throw new AppError(
    'not_found',
    `The model "${wanted}" is not configured. Configured: ${known
      .slice(0, 20)
      .map(({ full }) => full)
      .join(', ')}.`,
    { details: { param: 'x-clawdbot-model', code: 'model_not_found' } },
  );
}
