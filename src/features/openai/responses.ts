/** Serves `POST /v1/responses`: an agent behind the Open Responses interface. */
import type { HttpRequest } from '../../host/http/surface.ts';
import { asAppError } from '../../core/errors.ts';
import { readJson } from '../../host/http/body.ts';
import { sendJson } from '../../host/http/reply.ts';
import { createEventStream } from './platform/event-stream.ts';
import type { ChatRequest } from '../../host/chat.ts';
import { readArguments } from './chat-request.ts';
import { invalid } from './content.ts';
import { readConversation, type Item } from './conversation.ts';
import {
  buildTurn,
  MODEL_BODY_LIMIT,
  outlivesConnection,
  requireEnabled,
  runIdOf,
  type EndpointDeps,
} from './endpoint.ts';
import { readTools, toolOptions, type FunctionTool } from './function-tools.ts';
import { createItemMemory, type ItemMemory } from './item-memory.ts';
import { commonOptions, formatInstruction, parseBody } from './parameters.ts';
import { responseFrames } from './response-frames.ts';
import { responseId, sessionOfResponse } from './response-id.ts';
import { finishedResponse, outputOf, type OutputItem, type ResponseFacts } from './response-resource.ts';
import { checkSupported, responseItems, responsesRequest, type ResponsesRequest } from './responses-request.ts';
import { runTurn, type TurnAnswer } from './run-turn.ts';
import { resolveTarget, type Target } from './target.ts';

export function createResponses(deps: EndpointDeps): (request: HttpRequest) => Promise<void> {
  const memory = createItemMemory<Item>();

  return async function handle(request) {
    requireEnabled('responses', deps);
    const principal = deps.access.authorize(request, 'operator.write');
    const body = parseBody(responsesRequest, await readJson(request, MODEL_BODY_LIMIT));
    checkSupported(body);
    const previousKey = await previousSession(body.previous_response_id, deps);
    const runId = runIdOf(request);
    const target = await resolveTarget(
      {
        runId,
        headers: request.headers,
        model: body.model ?? undefined,
        user: body.user ?? undefined,
        previousKey,
        family: 'openresponses',
      },
      deps.host,
    );
    const conversation = readConversation(responseItems(body, { find: memory.find, sticky: target.sticky }), 'input');
    const tools = readTools(body.tools);
    const turn = await buildTurn(
      {
        request,
        runId,
        principal,
        target,
        conversation,
        options: optionsOf(body, tools),
        instructions: [formatInstruction(body.text?.format)],
      },
      deps,
    );
    request.res.setHeader('x-clawdbot-session-key', target.sessionKey);
    await answer({ request, body, turn, target, tools, memory }, deps);
  };
}

/** The conversation goes on as it stands now: an id names a session, not a point in it. */
async function previousSession(id: string | null | undefined, { host }: EndpointDeps): Promise<string | undefined> {
  if (!id) return undefined;
  const key = sessionOfResponse(id);
  if (key !== undefined && (await host.sessions.get(host.sessions.canonicalKey(key)))) return key;
  throw invalid(`The previous response "${id}" was not found.`, 'previous_response_id', 'previous_response_not_found');
}

function optionsOf(body: ResponsesRequest, tools: readonly FunctionTool[]) {
  const common = commonOptions({
    temperature: body.temperature,
    topP: body.top_p,
    maxOutputTokens: body.max_output_tokens,
    effort: body.reasoning?.effort,
  });
  return { ...common, ...toolOptions(tools, body.tool_choice) };
}

interface Exchange {
  readonly request: HttpRequest;
  readonly body: ResponsesRequest;
  readonly turn: ChatRequest;
  readonly target: Target;
  readonly tools: readonly FunctionTool[];
  readonly memory: ItemMemory<Item>;
}

async function answer({ request, body, turn, target, tools, memory }: Exchange, deps: EndpointDeps): Promise<void> {
  const facts: ResponseFacts = {
    id: responseId(target.sessionKey, turn.runId),
    runId: turn.runId,
    createdAt: Math.floor(deps.clock.now() / 1000),
    body,
    tools,
  };
  const watch = { signal: request.signal, outlivesConnection: outlivesConnection(request, target) };
  const run = { chat: deps.host.chat, events: deps.events };
  const remember = (done: TurnAnswer): TurnAnswer => {
    for (const item of outputOf(facts, done)) keepItem(memory, item);
    return done;
  };
  if (!body.stream)
    return sendJson(
      request.res,
      200,
      finishedResponse(facts, remember(await runTurn(turn, watch, run)), deps.clock.now()),
    );

  const frames = responseFrames(facts);
  const stream = createEventStream(request.res, {
    clock: deps.clock,
    encodeText: frames.text,
    preamble: frames.preamble,
    timing: deps.timing,
  });
  try {
    const done = remember(await runTurn(turn, { ...watch, onText: stream.text }, run));
    stream.end(() => frames.closing(done, deps.clock.now()));
  } catch (error) {
    if (!stream.opened) throw error;
    stream.end(() => frames.failure(asAppError(error)));
  }
}

/** As the item will read when a later request refers to it. */
function keepItem(memory: ItemMemory<Item>, item: OutputItem): void {
  if (item.type === 'message') {
    const text = item.content.map((part) => part.text).join('');
    memory.keep(item.id, { role: 'assistant', text, calls: [], param: item.id }, text.length);
  } else {
    const call = {
      type: 'toolCall',
      id: item.call_id,
      name: item.name,
      arguments: readArguments(item.arguments),
    } as const;
    memory.keep(item.id, { role: 'assistant', text: '', calls: [call], param: item.id }, item.arguments.length);
  }
}
