/**
 * What both model endpoints share: whether they are served, for whom, and how a turn is put together from a
 * conversation.
 */
import type { HttpAccess, HttpRequest } from '../../host/http/surface.ts';
import { AppError } from '../../core/errors.ts';
import { isOwnRunId } from '../../core/own-run-id.ts';
import { present } from '../../core/present.ts';
import type { Principal } from '../../core/principal.ts';
import type { TurnOptions } from '../../core/turn.ts';
import type { Clock } from '../../platform/clock.ts';
import { sortedUuid } from '../../platform/ids.ts';
import { productHeader } from '../../host/http/product-header.ts';
import type { StreamTiming } from './platform/event-stream.ts';
import type { ChatRequest } from '../../host/chat.ts';
import { invalid, type Content } from './content.ts';
import { checkToolPairs, seedOf, toolResult, type Conversation } from './conversation.ts';
import type { OpenAiHost } from './openai-host.ts';
import type { RunEvents } from './run-events.ts';
import type { Target } from './target.ts';
import { OWN_COMMAND } from '../../platform/own-command.ts';

export interface EndpointDeps {
  readonly host: OpenAiHost;
  readonly access: HttpAccess;
  readonly events: RunEvents;
  readonly clock: Clock;
  readonly timing?: StreamTiming | undefined;
}

export type EndpointName = 'chatCompletions' | 'responses';

/** Model requests carry images in their body. */
export const MODEL_BODY_LIMIT = 20 * 1024 * 1024;

export function requireEnabled(name: EndpointName, { host }: EndpointDeps): void {
  if (host.endpoints()[name].enabled) return;
  throw new AppError(
    'not_found',
    `This endpoint is disabled. To enable it, set gateway.http.endpoints.${name}.enabled to true: ` +
      `${OWN_COMMAND} config set gateway.http.endpoints.${name}.enabled true`,
    { details: { code: 'endpoint_disabled' } },
  );
}

export interface TurnParts {
  readonly request: HttpRequest;
  readonly runId: string;
  readonly principal: Principal;
  readonly target: Target;
  readonly conversation: Conversation;
  /** Everything but what the conversation and the target decide. */
  readonly options: TurnOptions;
  /** Texts for the system prompt beside the conversation's own, e.g. the answer format. */
  readonly instructions: readonly string[];
}

/**
 * A named session continues from its own transcript and takes only what is current; a stateless request brings its
 * history along.
 * Slash commands stay text unless the caller asks: an app passes its users' words on with its owner's rights. What it
 * put together from several
 * pieces is none of them, whatever it begins with.
 */
export async function buildTurn(parts: TurnParts, { host, clock }: EndpointDeps): Promise<ChatRequest> {
  const { request, principal, target, conversation, options } = parts;
  if (!target.sticky) checkToolPairs(conversation);
  const system = [conversation.system, ...parts.instructions].filter(Boolean).join('\n\n');
  const seed = target.sticky ? [] : seedOf(conversation, clock.now());
  const toolResults = await currentResults(conversation, target, { host, now: clock.now() });
  return {
    runId: parts.runId,
    sessionKey: target.sessionKey,
    text: conversation.said.text,
    principal,
    queue: 'followup',
    commands: productHeader(request.headers, 'commands')?.toLowerCase() === 'on' && conversation.said.texts <= 1,
    ...attachmentsOf(conversation.said),
    options: {
      ...options,
      ...present({
        model: target.model || undefined,
        extraSystemPrompt: system || undefined,
        seed: seed.length > 0 ? seed : undefined,
        toolResults: toolResults.length > 0 ? toolResults : undefined,
      }),
    },
  };
}

function attachmentsOf({ files }: Content): Pick<ChatRequest, 'attachments'> {
  if (files.length === 0) return {};
  return {
    attachments: files.map(({ mime, name, base64 }) =>
      present({ mime, data: Buffer.from(base64, 'base64'), name: name || undefined }),
    ),
  };
}

/** The tool's name comes from the request when it shows the call, else from the session's newest messages. */
async function currentResults(
  { results, calls }: Conversation,
  { sticky, sessionKey }: Target,
  { host, now }: { host: OpenAiHost; now: number },
) {
  if (results.length === 0) return [];
  const remembered =
    sticky && results.some(({ callId }) => !calls.has(callId))
      ? await callsOfSession(sessionKey, host)
      : new Map<string, string>();
  return results.map((result) => {
    const name = calls.get(result.callId)?.name ?? remembered.get(result.callId);
    if (name === undefined)
      throw invalid(`The tool result for "${result.callId}" matches no tool call of this conversation.`, result.param);
    return toolResult(result, name, now);
  });
}

async function callsOfSession(sessionKey: string, { sessions }: OpenAiHost): Promise<Map<string, string>> {
  const tail = await sessions.tail(sessionKey, 20);
  return new Map(
    tail.flatMap((message) =>
      message.role === 'assistant'
        ? message.content.flatMap((block) => (block.type === 'toolCall' ? [[block.id, block.name] as const] : []))
        : [],
    ),
  );
}

/** Nobody asks again for the answer to a stateless request, unless it carries a key to ask with. */
export function outlivesConnection({ headers }: HttpRequest, { sticky }: Target): boolean {
  return sticky || Boolean(headers['idempotency-key']);
}

/** A repeated `Idempotency-Key` answers with what the first request did. */
export function runIdOf({ headers }: HttpRequest): string {
  const key = headers['idempotency-key'];
  if (typeof key !== 'string' || key === '') return sortedUuid();
  if (isOwnRunId(key))
    throw invalid(
      'An Idempotency-Key must not begin like a run id of the gateway; use your own, e.g. a UUID',
      'Idempotency-Key',
    );
  if (/^[\w.:-]{1,128}$/.test(key)) return key;
  throw invalid('An Idempotency-Key must be 1 to 128 characters: letters, digits or any of _ . : -', 'Idempotency-Key');
}
