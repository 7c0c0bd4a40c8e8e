/** Turns what agents do into `chat`, `agent` and session events: streamed text at a bounded rate, the end always whole. */
import type { AgentEvent, TurnOutcome } from '../../core/turn.ts';
import type { Clock, Timer } from '../../platform/clock.ts';
import { CAP_SESSION_SCOPED_EVENTS, CAP_TOOL_EVENTS } from '../../protocol/client-info.ts';
import type { AgentStream, ChatErrorKind, ChatEvent, ChatMessage } from '../../protocol/events.ts';
import type { ChatService, RunInfo } from '../services.ts';
import type { Connection } from './connection.ts';
import type { Hub } from './hub.ts';

interface RunStream {
  chatSeq: number;
  agentSeq: number;
  /** The assistant message in progress, and how much of it has been sent. */
  text: string;
  sentText: number;
  thinking: string;
  sentThinking: number;
  /** The message in progress has ended; the next text begins another one. */
  messageEnded: boolean;
  /** The next delta replaces what clients show. */
  replaces: boolean;
  notices: string[];
  flushedAt: number;
  timer: Timer | undefined;
}

const newStream = (): RunStream => ({
  chatSeq: 0, agentSeq: 0, text: '', sentText: 0, thinking: '', sentThinking: 0, messageEnded: false, replaces: false, notices: [], flushedAt: -Infinity, timer: undefined,
});

export interface RelayDeps { readonly chat: ChatService; readonly hub: Hub; readonly clock: Clock; readonly deltaIntervalMs: number }

/** Runs until disposed. */
export function relayRuns({ chat, hub, clock, deltaIntervalMs }: RelayDeps): Disposable {
  const streams = new Map<string, RunStream>();

  const streamOf = (runId: string): RunStream => streams.get(runId) ?? streams.set(runId, newStream()).get(runId)!;

  function sendChat(run: RunInfo, stream: RunStream, event: DistributiveOmit<ChatEvent, 'runId' | 'sessionKey' | 'agentId' | 'seq'>): void {
    const { runId, sessionKey, agentId } = run;
    hub.publish('chat', { runId, sessionKey, agentId, seq: stream.chatSeq++, ...event }, { to: hears(run), droppable: event.state === 'delta' });
  }

  function sendAgent(run: RunInfo, stream: RunStream, name: AgentStream, data: Record<string, unknown>): void {
    const to = name === 'tool' || name === 'thinking' ? hearsTools(run) : hears(run);
    const payload = { runId: run.runId, seq: stream.agentSeq++, stream: name, ts: clock.now(), data: { sessionKey: run.sessionKey, ...data } };
    hub.publish('agent', payload, { to, droppable: name === 'assistant' || name === 'thinking' });
  }

  /** Sends what was written since the last time; `end` leaves the chat text to the final event. */
  function flush(run: RunInfo, stream: RunStream, { end = false } = {}): void {
    stream.timer?.cancel();
    stream.timer = undefined;
    stream.flushedAt = clock.monotonic();
    if (stream.thinking.length > stream.sentThinking) {
      const delta = stream.thinking.slice(stream.sentThinking);
      stream.sentThinking = stream.thinking.length;
      sendAgent(run, stream, 'thinking', { text: stream.thinking, delta });
    }
    if (stream.text.length === stream.sentText) return;
    const delta = stream.text.slice(stream.sentText);
    stream.sentText = stream.text.length;
    if (!end) sendChat(run, stream, { state: 'delta', message: assistant(stream.text, clock), deltaText: delta, ...(stream.replaces ? { replace: true } : {}) });
    stream.replaces = false;
    sendAgent(run, stream, 'assistant', { text: stream.text, delta });
  }

  /** The first words go out at once; what follows waits for its interval. */
  function schedule(run: RunInfo, stream: RunStream): void {
    if (stream.timer) return;
    const wait = deltaIntervalMs - (clock.monotonic() - stream.flushedAt);
    if (wait <= 0) flush(run, stream);
    else stream.timer = clock.setTimeout(() => flush(run, stream), wait);
  }

  function beginMessageIfEnded(stream: RunStream): void {
    if (!stream.messageEnded) return;
    Object.assign(stream, { text: '', sentText: 0, thinking: '', sentThinking: 0, messageEnded: false, replaces: true });
  }

  function end(run: RunInfo, stream: RunStream, outcome: TurnOutcome): void {
    streams.delete(run.runId);
    flush(run, stream, { end: true });
    sendChat(run, stream, lastWord(stream, outcome, clock));
    sendAgent(run, stream, 'lifecycle', { phase: outcome.kind === 'failed' ? 'error' : 'end', endedAt: clock.now(), ...(outcome.kind === 'failed' ? { error: outcome.message } : {}), ...(outcome.kind === 'aborted' ? { aborted: true } : {}) });
    hub.publish('sessions.changed', { sessionKey: run.sessionKey, reason: 'turn', ts: clock.now() }, { to: (connection) => connection.followsSessionList });
    for (const connection of hub.connections()) connection.ownRuns.delete(run.runId);
  }

  function relay(run: RunInfo, event: AgentEvent): void {
    const stream = streamOf(run.runId);
    switch (event.type) {
      case 'started': return sendAgent(run, stream, 'lifecycle', { phase: 'start', startedAt: clock.now(), provider: event.provider, model: event.model });
      case 'text':
        beginMessageIfEnded(stream);
        stream.text += event.delta;
        return schedule(run, stream);
      case 'thinking':
        beginMessageIfEnded(stream);
        stream.thinking += event.delta;
        return schedule(run, stream);
      case 'message':
        stream.messageEnded = true;
        return sendMessage(run, event.message);
      case 'tool.started':
        flush(run, stream);
        return sendAgent(run, stream, 'tool', { phase: 'start', name: event.tool, toolCallId: event.callId, args: event.input });
      case 'tool.progress': return sendAgent(run, stream, 'tool', { phase: 'update', name: event.tool, toolCallId: event.callId, partialResult: event.text });
      case 'tool.ended':
        sendAgent(run, stream, 'tool', { phase: 'result', name: event.tool, toolCallId: event.callId, isError: event.result.isError, durationMs: event.ms, result: { content: event.result.content, details: event.result.details } });
        return sendMessage(run, event.result);
      case 'notice':
        stream.notices.push(event.text);
        return sendAgent(run, stream, 'notice', { text: event.text });
      case 'compacted': return sendAgent(run, stream, 'compaction', { phase: 'end', before: event.before, after: event.after });
      case 'ended': return end(run, stream, event.outcome);
    }
  }

  function sendMessage({ runId, sessionKey, agentId }: RunInfo, message: unknown): void {
    hub.publish('session.message', { sessionKey, agentId, runId, message }, { to: ({ followedSessions }) => followedSessions.has(sessionKey) });
  }

  const unsubscribe = chat.subscribe(relay);
  return {
    [Symbol.dispose]() {
      unsubscribe();
      for (const stream of streams.values()) stream.timer?.cancel();
      streams.clear();
    },
  };
}

type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;

const hears = ({ runId, sessionKey }: RunInfo) => ({ peer, followedSessions, ownRuns }: Connection): boolean =>
  !peer.caps.includes(CAP_SESSION_SCOPED_EVENTS) || followedSessions.has(sessionKey) || ownRuns.has(runId);

const hearsTools = (run: RunInfo) => (connection: Connection): boolean =>
  connection.followedSessions.has(run.sessionKey) || (connection.peer.caps.includes(CAP_TOOL_EVENTS) && hears(run)(connection));

const assistant = (text: string, clock: Clock): ChatMessage => ({ role: 'assistant', content: [{ type: 'text', text }], timestamp: clock.now() });

/** What the turn said in the end, whatever was streamed on the way; nothing at all when it was folded into another turn. */
function lastWord(stream: RunStream, outcome: TurnOutcome, clock: Clock): DistributiveOmit<ChatEvent, 'runId' | 'sessionKey' | 'agentId' | 'seq'> {
  const message = (text: string): { message?: ChatMessage } => (text ? { message: assistant(text, clock) } : {});
  switch (outcome.kind) {
    case 'done': return { state: 'final', ...message(outcome.text || stream.notices.join('\n\n')), usage: outcome.usage, ...(outcome.stopReason ? { stopReason: outcome.stopReason } : {}) };
    case 'aborted': return { state: 'aborted', ...message(outcome.text || stream.text), stopReason: 'aborted' };
    case 'failed': return { state: 'error', ...message(stream.text), errorMessage: outcome.message, errorKind: ERROR_KINDS[outcome.code] ?? 'unknown' };
  }
}

const ERROR_KINDS: Readonly<Record<string, ChatErrorKind>> = { timeout: 'timeout', rate_limited: 'rate_limit', overloaded: 'rate_limit', context_overflow: 'context_length' };
