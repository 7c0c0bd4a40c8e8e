/** One run on its way to clients: streamed text at a bounded rate, the end always whole. */
import { mayDirect, readDirectives, seenSoFar, withoutDirectives } from '../../core/directives.ts';
import { present } from '../../core/present.ts';
import { isSilent, maybeSilent } from '../../core/reply.ts';
import type { Shown } from '../../core/shown.ts';
import { textOf, type Message } from '../../core/transcript.ts';
import type { AgentEvent, TurnOutcome } from '../../core/turn.ts';
import type { Clock, Timer } from '../../platform/clock.ts';
import { CAP_SESSION_SCOPED_EVENTS, CAP_TOOL_EVENTS } from '../../protocol/client-info.ts';
import type { AgentStream, ChatErrorKind, ChatEvent, ChatMessage } from '../../protocol/answers/messages.ts';
import type { RunInfo } from '../../host/runs.ts';
import type { Connection } from './connection.ts';
import type { Hub } from './hub.ts';

export interface RunStreamDeps {
  readonly hub: Hub;
  readonly clock: Clock;
  /** Milliseconds between two updates of the same run. */
  readonly deltaIntervalMs: number;
}

export interface RunStream extends Disposable {
  notify(event: AgentEvent): void;
}

/**
 * Each update carries the whole text: a long one is sent less often, so that a run costs so many characters a
 * millisecond at most.
 */
const WHOLE_TEXT_PER_MS = 500;

/** Text that grows, and how much of it has been sent. */
interface Growing {
  text: string;
  sent: number;
}

type Done = Extract<TurnOutcome, { kind: 'done' }>;
type Omitting<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;
type ChatState = Omitting<ChatEvent, 'runId' | 'sessionKey' | 'agentId' | 'seq'>;

export function createRunStream(run: RunInfo, { hub, clock, deltaIntervalMs }: RunStreamDeps): RunStream {
  const { runId, sessionKey, agentId, inside } = run;
  /** Of what the model writes; directives are not for people. */
  function seen(written: string, whole: boolean): string {
    if (!inside) return written;
    if (!whole) return seenSoFar(written);
    return mayDirect(written) ? readDirectives(written).text : written;
  }
  let chatSeq = 0;
  let agentSeq = 0;
  /** The assistant message in progress. */
  let said: Growing = { text: '', sent: 0 };
  let thought: Growing = { text: '', sent: 0 };
  /** The message in progress has ended; the next text begins another one. */
  let messageEnded = false;
  /** The next update replaces what clients show. */
  let replaces = false;
  const notices: string[] = [];
  let flushedAt = -Infinity;
  let timer: Timer | undefined;

  function chat(state: ChatState): void {
    hub.publish(
      'chat',
      { runId, sessionKey, agentId, seq: chatSeq++, ...state },
      { to: hears(run), droppable: state.state === 'delta' },
    );
  }

  function agent(stream: AgentStream, data: Record<string, unknown>): void {
    const forThoseWhoAsked = stream === 'tool' || stream === 'thinking';
    const payload = { runId, seq: agentSeq++, stream, ts: clock.now(), data: { sessionKey, ...data } };
    hub.publish('agent', payload, {
      to: forThoseWhoAsked ? hearsTools(run) : hears(run),
      droppable: stream === 'assistant' || stream === 'thinking',
    });
  }

  function message(whole: Message): void {
    const shown = inside && whole.role === 'assistant' ? withoutDirectives(whole) : whole;
    if (shown.role === 'assistant' && isSilent(textOf(shown.content))) return;
    hub.publish(
      'session.message',
      { sessionKey, agentId, runId, message: shown },
      { to: ({ followedSessions }) => followedSessions.has(sessionKey) },
    );
  }

  /** Sends what was written since the last time; at the end the chat text is left to the final event. */
  function flush({ end = false } = {}): void {
    timer?.cancel();
    timer = undefined;
    flushedAt = clock.monotonic();
    const thinking = unsent(thought);
    if (thinking) agent('thinking', { text: thought.text, delta: thinking });
    const withheld = end
      ? isSilent(said.text)
      : maybeSilent(said.text) || run.origin === 'heartbeat' || run.origin === 'session'; // what nobody asked for may come to nothing
    const text = withheld ? '' : seen(said.text, end);
    const words = withheld ? '' : text.slice(said.sent);
    if (!words) return;
    said.sent = text.length;
    if (!end)
      chat(
        present({
          state: 'delta',
          message: assistant(text, clock),
          deltaText: words,
          replace: replaces ? true : undefined,
        }),
      );
    replaces = false;
    agent('assistant', { text, delta: words });
  }

  /** The first words go out at once; what follows waits for its interval. */
  function schedule(): void {
    if (timer) return;
    const wait =
      Math.max(deltaIntervalMs, said.text.length / WHOLE_TEXT_PER_MS, thought.text.length / WHOLE_TEXT_PER_MS) -
      (clock.monotonic() - flushedAt);
    if (wait <= 0) flush();
    else timer = clock.setTimeout(flush, wait);
  }

  function write(to: 'said' | 'thought', delta: string): void {
    if (messageEnded) {
      said = { text: '', sent: 0 };
      thought = { text: '', sent: 0 };
      messageEnded = false;
      replaces = true;
    }
    (to === 'said' ? said : thought).text += delta;
    schedule();
  }

  function end(outcome: TurnOutcome): void {
    flush({ end: true });
    chat(lastWord(outcome));
    agent(
      'lifecycle',
      present({
        phase: outcome.kind === 'failed' ? 'error' : 'end',
        endedAt: clock.now(),
        error: outcome.kind === 'failed' ? outcome.message : undefined,
        aborted: outcome.kind === 'aborted' ? true : undefined,
      }),
    );
  }

  /** What people read, and what they got with it and before it. */
  function doneMessage(outcome: Done, whole: (text: string) => { message?: ChatMessage }): { message?: ChatMessage } {
    const { text, shown, told: sentBefore, silent, mergedInto } = outcome;
    if (mergedInto || silent) return {};
    const { message } = shown ? { message: messageOf(shown, clock) } : whole(text || notices.join('\n\n'));
    return sentBefore
      ? { message: { ...(message ?? messageOf({ text: '', files: [] }, clock)), told: sentBefore } }
      : present({ message });
  }

  /** What the turn said in the end, whatever was streamed on the way; nothing when it was folded into another turn. */
  function lastWord(outcome: TurnOutcome): ChatState {
    const whole = (text: string): { message?: ChatMessage } =>
      text && !isSilent(text) ? { message: assistant(text, clock) } : {};
    switch (outcome.kind) {
      case 'done':
        return finished(outcome, doneMessage(outcome, whole));
      case 'aborted':
        return { state: 'aborted', ...whole(seen(outcome.text || said.text, true)), stopReason: 'aborted' };
      case 'failed':
        return {
          state: 'error',
          ...whole(seen(said.text, true)),
          errorMessage: outcome.message,
          errorKind: ERROR_KINDS[outcome.code] ?? 'unknown',
        };
    }
  }

  function notify(event: AgentEvent): void {
    switch (event.type) {
      case 'understanding':
        return agent('understanding', { text: event.text });
      case 'started':
        return agent('lifecycle', {
          phase: 'start',
          startedAt: clock.now(),
          provider: event.provider,
          model: event.model,
        });
      case 'text':
        return write('said', event.delta);
      case 'thinking':
        return write('thought', event.delta);
      case 'message':
        messageEnded = true;
        return message(event.message);
      case 'tool.started':
        flush();
        return agent('tool', { phase: 'start', name: event.tool, toolCallId: event.callId, args: event.input });
      case 'tool.progress':
        return agent('tool', {
          phase: 'update',
          name: event.tool,
          toolCallId: event.callId,
          partialResult: event.text,
        });
      case 'tool.ended':
        agent('tool', {
          phase: 'result',
          name: event.tool,
          toolCallId: event.callId,
          isError: event.result.isError,
          durationMs: event.ms,
          result: { content: event.result.content, details: event.result.details },
        });
        return message(event.result);
      case 'notice':
        notices.push(event.text);
        return agent('notice', { text: event.text });
      case 'compacted':
        return agent('compaction', { phase: 'end', before: event.before, after: event.after });
      case 'ended':
        return end(event.outcome);
    }
  }

  return { notify, [Symbol.dispose]: () => timer?.cancel() };
}

/** No end is without a word: where nothing is to be read, the reason says so. */
function finished({ usage, stopReason, mergedInto }: Done, said: { readonly message?: ChatMessage }): ChatState {
  const reason = mergedInto ? 'merged' : said.message ? stopReason : 'silent';
  return { state: 'final', ...said, usage, ...present({ stopReason: reason }) };
}

/** Takes what has not been sent yet. */
function unsent(growing: Growing): string {
  const rest = growing.text.slice(growing.sent);
  growing.sent = growing.text.length;
  return rest;
}

const hears =
  ({ runId, sessionKey }: RunInfo) =>
  ({ peer, followedSessions, ownRuns }: Connection): boolean =>
    !peer.caps.includes(CAP_SESSION_SCOPED_EVENTS) || followedSessions.has(sessionKey) || ownRuns.has(runId);

const hearsTools =
  (run: RunInfo) =>
  (connection: Connection): boolean =>
    connection.followedSessions.has(run.sessionKey) ||
    (connection.peer.caps.includes(CAP_TOOL_EVENTS) && hears(run)(connection));

const assistant = (text: string, clock: Clock): ChatMessage => ({
  role: 'assistant',
  content: [{ type: 'text', text }],
  timestamp: clock.now(),
});

const messageOf = ({ text, files }: Shown, clock: Clock): ChatMessage => ({
  role: 'assistant',
  content: text === '' ? [] : [{ type: 'text', text }],
  timestamp: clock.now(),
  ...present({ files: files.length > 0 ? files : undefined }),
});

const ERROR_KINDS: Readonly<Record<string, ChatErrorKind>> = {
  timeout: 'timeout',
  rate_limited: 'rate_limit',
  overloaded: 'rate_limit',
  context_overflow: 'context_length',
};
