/** Serves `POST /v1/chat/completions`: an agent behind OpenAI's chat interface. */
import type { HttpRequest } from '../../host/http/surface.ts';
import { asAppError } from '../../core/errors.ts';
import { readJson } from '../../host/http/body.ts';
import { openAiError, sendJson } from '../../host/http/reply.ts';
import { createEventStream } from './platform/event-stream.ts';
import type { ChatRequest } from '../../host/chat.ts';
import { chatFrames, completion, type CompletionFacts } from './chat-answer.ts';
import { chatItems, chatRequest, checkSupported, type ChatCompletionRequest } from './chat-request.ts';
import { readConversation } from './conversation.ts';
import {
  buildTurn,
  MODEL_BODY_LIMIT,
  outlivesConnection,
  requireEnabled,
  runIdOf,
  type EndpointDeps,
} from './endpoint.ts';
import { readTools, toolOptions } from './function-tools.ts';
import { commonOptions, formatInstruction, parseBody } from './parameters.ts';
import { runTurn } from './run-turn.ts';
import { resolveTarget, type Target } from './target.ts';

export function createChatCompletions(deps: EndpointDeps): (request: HttpRequest) => Promise<void> {
  return async function handle(request) {
    requireEnabled('chatCompletions', deps);
    const principal = deps.access.authorize(request, 'operator.write');
    const body = parseBody(chatRequest, await readJson(request, MODEL_BODY_LIMIT));
    checkSupported(body);
    const conversation = readConversation(chatItems(body), 'messages');
    const runId = runIdOf(request);
    const target = await resolveTarget(
      { runId, headers: request.headers, model: body.model, user: body.user ?? undefined, family: 'openai' },
      deps.host,
    );
    const instructions = [
      formatInstruction(
        body.response_format && { type: body.response_format.type, schema: body.response_format.json_schema?.schema },
      ),
    ];
    const turn = await buildTurn(
      { request, runId, principal, target, conversation, options: optionsOf(body), instructions },
      deps,
    );
    request.res.setHeader('x-clawdbot-session-key', target.sessionKey);
    await answer({ request, body, turn, target }, deps);
  };
}

function optionsOf(body: ChatCompletionRequest) {
  const common = commonOptions({
    temperature: body.temperature,
    topP: body.top_p,
    maxOutputTokens: body.max_completion_tokens ?? body.max_tokens,
    effort: body.reasoning_effort,
  });
  return { ...common, ...toolOptions(readTools(body.tools), body.tool_choice) };
}

interface Exchange {
  readonly request: HttpRequest;
  readonly body: ChatCompletionRequest;
  readonly turn: ChatRequest;
  readonly target: Target;
}

async function answer({ request, body, turn, target }: Exchange, deps: EndpointDeps): Promise<void> {
  const facts: CompletionFacts = {
    id: `chatcmpl-${turn.runId}`,
    model: body.model ?? 'clawdbot',
    created: Math.floor(deps.clock.now() / 1000),
  };
  const watch = { signal: request.signal, outlivesConnection: outlivesConnection(request, target) };
  const run = { chat: deps.host.chat, events: deps.events };
  if (!body.stream) return sendJson(request.res, 200, completion(facts, await runTurn(turn, watch, run)));

  const frames = chatFrames(facts, body.stream_options?.include_usage === true);
  const stream = createEventStream(request.res, {
    clock: deps.clock,
    encodeText: frames.text,
    preamble: frames.preamble,
    timing: deps.timing,
  });
  try {
    const done = await runTurn(turn, { ...watch, onText: stream.text }, run);
    stream.end(() => frames.closing(done));
  } catch (error) {
    if (!stream.opened) throw error;
    // The status is gone: an error frame in place of a finish reason tells the client that the answer is not whole.
    stream.end(() => `data: ${JSON.stringify({ error: openAiError(asAppError(error)) })}\n\ndata: [DONE]\n\n`);
  }
}
