/** Runs the agent loop with scripted models and default dependencies. */
import { z } from 'zod';
import type { LanguageModelV4 } from '@ai-sdk/provider';
import { runLoop } from '../agent/loop/run-loop.ts';
import type { LoopInput, LoopModel } from '../agent/loop/loop-input.ts';
import { noSteps } from '../agent/steps.ts';
import { silentLog } from '../core/log.ts';
import type { SessionKey } from '../core/session-key.ts';
import { textResult, type Tool } from '../core/tool.ts';
import type { AssistantMessage, ToolResultMessage, UserMessage } from '../core/transcript.ts';
import { noUsage } from '../core/transcript.ts';
import type { AgentEvent, TurnOutcome } from '../core/turn.ts';
import { systemClock } from '../platform/clock.ts';
import { scriptedModel, type Scripted } from './scripted-model.ts';

export const user = (text: string): UserMessage => ({ role: 'user', content: [{ type: 'text', text }], timestamp: 1 });

export const assistant = (
  content: AssistantMessage['content'],
  extra: Partial<AssistantMessage> = {},
): AssistantMessage => ({
  role: 'assistant',
  content,
  timestamp: 1,
  provider: 'fake',
  model: 'scripted',
  usage: noUsage,
  stopReason: 'stop',
  ...extra,
});

export const toolCall = (id: string, name = 'look', args: unknown = {}): AssistantMessage['content'][number] => ({
  type: 'toolCall',
  id,
  name,
  arguments: args,
});

export const toolResult = (toolCallId: string, text = 'ok', toolName = 'look'): ToolResultMessage => ({
  role: 'toolResult',
  toolCallId,
  toolName,
  content: [{ type: 'text', text }],
  isError: false,
  timestamp: 1,
});

export const candidate = (model: LanguageModelV4, extra: Partial<LoopModel> = {}): LoopModel => ({
  provider: model.provider,
  modelId: model.modelId,
  api: undefined,
  params: {},
  info: { id: model.modelId },
  open: async () => model,
  thinkingOptions: () => undefined,
  ...extra,
});

/** A tool that takes anything and does what it is told. */
export function tool(name: string, run: Tool['run'] = async () => textResult('ok'), extra: Partial<Tool> = {}): Tool {
  return { name, summary: name, description: name, input: z.looseObject({}), run, ...extra };
}

export interface Played {
  readonly events: readonly AgentEvent[];
  readonly outcome: TurnOutcome;
  readonly results: readonly ToolResultMessage[];
  readonly messages: readonly AssistantMessage[];
}

/** Runs a turn to its end. A script makes a model of its own; further models are fallbacks. */
export async function play(script: readonly Scripted[], extra: Partial<LoopInput> = {}): Promise<Played> {
  return collect(runLoop(loopInput(script, extra)));
}

export function loopInput(script: readonly Scripted[], extra: Partial<LoopInput> = {}): LoopInput {
  return {
    turnId: 'turn-1',
    route: {
      agentId: 'main',
      sessionKey: 'agent:main:main' as SessionKey,
      matchedBy: 'default',
      replyTo: { channel: 'webchat', accountId: 'default', chat: { kind: 'direct', id: 'me' } },
    },
    candidates: [candidate(scriptedModel(script))],
    system: 'Be brief.',
    history: [],
    opening: [user('hello')],
    tools: [],
    signal: new AbortController().signal,
    steer: () => [],
    steerWaiting: () => false,
    steps: noSteps,
    retry: { baseMs: 1, maxMs: 2 },
    toolContext: (callId) => ({
      turnId: 'turn-1',
      callId,
      route: undefined as never,
      workspace: '/nowhere',
      log: silentLog,
      rpc: async () => undefined,
    }),
    log: silentLog,
    clock: systemClock,
    random: () => 0,
    ...extra,
  };
}

export async function collect(stream: AsyncIterable<AgentEvent>): Promise<Played> {
  const events: AgentEvent[] = [];
  for await (const event of stream) events.push(event);
  const last = events.at(-1);
  if (last?.type !== 'ended') throw new Error(`The turn did not end: ${last?.type}`);
  return {
    events,
    outcome: last.outcome,
    results: events.flatMap((event) => (event.type === 'tool.ended' ? [event.result] : [])),
    messages: events.flatMap((event) => (event.type === 'message' ? [event.message] : [])),
  };
}

export const textDeltas = (events: readonly AgentEvent[]): string =>
  events.map((event) => (event.type === 'text' ? event.delta : '')).join('');

/** What the model was shown at its nth request, without the system prompt. */
export const rolesOf = (messages: readonly { readonly role: string }[]): string =>
  messages.map((message) => message.role).join(' ');
