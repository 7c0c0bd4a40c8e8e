/** Serves `POST <hooks.path>/…`: `/wake`, `/agent` and mapped paths, for programs that hold the hook token. */
import type { HttpRequest } from '../../host/http/surface.ts';
import { asAppError, AppError } from '../../core/errors.ts';
import { inertLine } from '../../core/inert-line.ts';
import type { Clock } from '../../platform/clock.ts';
import { randomId } from '../../platform/ids.ts';
import { readJson } from '../../host/http/body.ts';
import { sendJson, sendText, statusOf } from '../../host/http/reply.ts';
import type { Log } from '../../core/log.ts';
import type { Host } from '../../host/host.ts';
import type { ProgramCallers } from '../../host/http/surface.ts';
import { MIN_HOOK_TOKEN, type HooksConfig } from './config.ts';
import type { HookService } from './hook-service.ts';
import { findMapping, mapCall } from './mapped-call.ts';
import { readAgent, readKey, readWake } from './requests.ts';
import { chooseAgent, requestedSession } from './session-choice.ts';
import { shownHeaders, shownQuery, type HookFacts } from './template.ts';
import { createTransforms, type RunTransform } from './transform.ts';
import { marked, fromOutside } from './untrusted.ts';

export interface HookServer extends AsyncDisposable {
  /** Never rejects. */
  answer(request: HttpRequest): Promise<void>;
}

export interface HookServerDeps {
  readonly hooks: HookService;
  readonly programs: ProgramCallers;
  defaultAgentId(): string;
  mainKey: Host['sessions']['mainKey'];
  readonly log: Log;
  readonly clock: Clock;
  /** Absolute; transforms lie in `hooks/transforms` of it. */
  readonly stateDir: string;
}

/** One part after the other, nothing encoded: a path is a name here, and names have one spelling. */
const SUB_PATH = /^[A-Za-z0-9_~-][A-Za-z0-9._~-]*(?:\/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)*$/;

/** Settings are read at each call, so that a new token holds and an old one dies at once. */
export function createHookServer(deps: HookServerDeps): HookServer {
  const log = deps.log.child({ part: 'hooks' });
  const transforms = createTransforms({ stateDir: deps.stateDir });
  return {
    /** The boundary of a call: whatever went wrong becomes an answer here, in the shape callers of hooks know. */
    async answer(request) {
      try {
        await serve(request, { ...deps, runTransform: transforms.run });
      } catch (thrown) {
        const error = asAppError(thrown);
        logRefusal(log, request, error);
        sendRefusal(request, error);
      }
    },
    [Symbol.asyncDispose]: () => transforms[Symbol.asyncDispose](),
  };
}

interface Serving extends HookServerDeps {
  readonly runTransform: RunTransform;
}

async function serve(request: HttpRequest, serving: Serving): Promise<void> {
  const { hooks, programs } = serving;
  const rules = hooks.config();
  programs.refusePages(request);
  programs.demand(request, usable(rules.token));
  const path = request.path.slice(rules.path.length + 1);
  if (!SUB_PATH.test(path)) throw new AppError('not_found', 'Not Found');
  const body = await bodyOf(request, rules.maxBodyBytes);
  const call: HookCall = { request, rules, path, body };
  const work = path === 'wake' ? wake : path === 'agent' ? agent : mapped;
  const answer = await work(call, serving);
  if (answer === undefined) return void request.res.writeHead(204).end();
  sendJson(request.res, 'runId' in answer ? 202 : 200, { ok: true, ...answer });
}

/** One call whose token was right; `path` is what follows `hooks.path`. */
interface HookCall {
  readonly request: HttpRequest;
  readonly rules: HooksConfig;
  readonly path: string;
  readonly body: unknown;
}

/** What a caller is told of it; undefined: the owner's code wants nothing done. */
type HookAnswer = { readonly mode: string } | { readonly runId: string } | undefined;

async function wake(call: HookCall, { hooks, defaultAgentId }: Serving): Promise<HookAnswer> {
  const { text, mode = 'now', sessionKey } = readWake(call.body);
  const agentId = chooseAgent(undefined, call.rules, defaultAgentId());
  await hooks.wake({
    text: fromOutside(text),
    mode,
    key: keyOf(call),
    sessionKey: sessionKey === undefined ? undefined : requestedSession(sessionKey, call.rules, agentId),
  });
  return { mode };
}

async function agent(call: HookCall, { hooks, defaultAgentId }: Serving): Promise<HookAnswer> {
  const { rules } = call;
  const request = readAgent(call.body);
  const { message, wakeMode = 'now', deliver = true, channel = 'last', to, model, thinking, timeoutSeconds } = request;
  const agentId = chooseAgent(request.agentId, rules, defaultAgentId());
  const name = inertLine(request.name ?? '') || 'Hook';
  return hooks.agent({
    hook: 'agent',
    key: keyOf(call),
    name,
    agentId,
    wakeMode,
    deliver,
    channel,
    to,
    model,
    thinking,
    timeoutSeconds,
    message: marked({ before: '', outside: message.trim(), after: '' }, { id: newMark(), source: 'Webhook', name }),
    sessionKey: requestedSession(request.sessionKey, rules, agentId),
  });
}

async function mapped({ request, rules, path, body }: HookCall, serving: Serving): Promise<HookAnswer> {
  const { hooks, clock, defaultAgentId, mainKey, runTransform } = serving;
  const facts: HookFacts = {
    payload: body,
    path,
    headers: shownHeaders(request.headers),
    query: shownQuery(request.query),
    now: new Date(clock.now()).toISOString(),
  };
  const mapping = findMapping(facts, rules);
  if (!mapping) throw new AppError('not_found', 'Not Found');
  const call = await mapCall(mapping, facts, { rules, runTransform, newMark, defaultAgentId, signal: request.signal });
  if (call.do === 'nothing') return undefined;
  const key = keyOf({ request, body, path });
  if (call.do === 'agent') return hooks.agent({ ...call.request, key });
  const { agentId, text, mode } = call.wake;
  await hooks.wake({ text, mode, key, sessionKey: mainKey(agentId) });
  return { mode };
}

function logRefusal(log: Log, request: HttpRequest, error: AppError): void {
  const facts = {
    requestId: request.id,
    path: request.path,
    ip: request.client.ip,
    code: error.code,
    error: error.message,
  };
  if (error.code === 'internal' || error.code === 'unavailable')
    log.error('hooks.failed', { ...facts, cause: error.cause instanceof Error ? error.cause.message : undefined });
  else log.info('hooks.refused', facts);
}

function usable(token: string | undefined): string {
  if (token !== undefined && token.length >= MIN_HOOK_TOKEN) return token;
  throw new AppError('unavailable', 'Hooks are not available.', {
    cause: new Error('hooks.token is missing or too short'),
  });
}

/** For marks around what comes from outside. */
const newMark = (): string => randomId().slice(0, 16);

/** Whatever its type says it is read as JSON: many senders do not say. Nothing at all is an empty object. */
async function bodyOf(request: HttpRequest, limitBytes: number): Promise<unknown> {
  const { headers } = request;
  if (headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0) return {};
  const encoding = headers['content-encoding'];
  const payload = await readJson(
    { ...request, headers: encoding === undefined ? {} : { 'content-encoding': encoding } },
    limitBytes,
  );
  if (typeof payload === 'object' && payload !== null) return payload;
  throw new AppError('invalid', 'The body must be a JSON object.');
}

const MAX_KEY = 200;

/** By header or in the body; the same words on another path are another key. */
function keyOf({ request, body, path }: Pick<HookCall, 'request' | 'body' | 'path'>): string | undefined {
  const header = request.headers['idempotency-key'];
  const presented = (typeof header === 'string' ? header.trim() : '') || readKey(body);
  if (presented === undefined || presented === '') return undefined;
  if (presented.length > MAX_KEY) throw new AppError('invalid', `Idempotency-Key: at most ${MAX_KEY} characters.`);
  return `${path}:${presented}`;
}

const PLAIN: Readonly<Partial<Record<AppError['code'], string>>> = { auth: 'Unauthorized', not_found: 'Not Found' };

function sendRefusal({ res }: HttpRequest, error: AppError): void {
  if (res.headersSent) return void res.destroy();
  if (res.destroyed) return;
  const retry =
    error.retryAfterMs === undefined
      ? {}
      : { 'retry-after': String(Math.max(1, Math.ceil(error.retryAfterMs / 1000))) };
  const plain = PLAIN[error.code];
  if (plain !== undefined)
    return sendText(
      res,
      statusOf(error),
      `${plain}\n`,
      error.code === 'auth' ? { 'www-authenticate': 'Bearer realm="hooks"' } : retry,
    );
  const message = error.code === 'internal' ? 'The hook failed; see the log of the gateway.' : error.message;
  sendJson(res, statusOf(error), { ok: false, error: message }, retry);
}
