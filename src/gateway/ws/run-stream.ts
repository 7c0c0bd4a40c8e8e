/** Streams one run to clients: text at a limited rate, the end always complete. */
import { mayDirect, readDirectives, withoutDirectives } from '../../core/directives/read-directives.ts';
import { visibleChatPrefix } from '../../core/directives/visible-prefix.ts';
import { present } from '../../core/present.ts';
import { isSilent, maybeSilent } from '../../core/reply.ts';
import type { Shown } from '../../core/shown.ts';
import { textOf, type Message } from '../../core/transcript.ts';
import type { AgentEvent, TurnOutcome } from '../../core/turn.ts';
import type { Clock, Timer } from '../../platform/clock.ts';
import { CAP_SESSION_SCOPED_EVENTS, CAP_TEXT_DELTAS, CAP_TOOL_EVENTS } from '../../protocol/client-info.ts';
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

export const createRunStream = (run: RunInfo, deps: RunStreamDeps): RunStream => new ClientStream(run, deps);

class ClientStream implements RunStream {
  readonly #run: RunInfo;
  readonly #deps: RunStreamDeps;
  readonly #notices: string[] = [];
  #chatSeq = 0;
  #agentSeq = 0;
  /** The assistant message in progress. */
  #said: Growing = { text: '', sent: 0 };
  #thought: Growing = { text: '', sent: 0 };
  /** The message in progress has ended; the next text begins another one. */
  #messageEnded = false;
  /** The next update replaces what clients show. */
  #replaces = false;
  #flushedAt = -Infinity;
  #timer: Timer | undefined;

  constructor(run: RunInfo, deps: RunStreamDeps) {
    this.#run = run;
    this.#deps = deps;
  }

  notify(event: AgentEvent): void {
    switch (event.type) {
      case 'understanding':
        return this.#agent('understanding', { text: event.text });
      case 'started':
        return this.#agent('lifecycle', {
          phase: 'start',
          startedAt: this.#deps.clock.now(),
          provider: event.provider,
          model: event.model,
        });
      case 'text':
        return this.#write('said', event.delta);
      case 'thinking':
        return this.#write('thought', event.delta);
      case 'message':
        this.#messageEnded = true;
        return this.#message(event.message);
      case 'tool.started':
        this.#flush();
        return this.#agent('tool', { phase: 'start', name: event.tool, toolCallId: event.callId, args: event.input });
      case 'tool.progress':
        return this.#agent('tool', {
          phase: 'update',
          name: event.tool,
          toolCallId: event.callId,
          partialResult: event.text,
        });
      case 'tool.ended':
        this.#agent('tool', {
          phase: 'result',
          name: event.tool,
          toolCallId: event.callId,
          isError: event.result.isError,
          durationMs: event.ms,
          result: { content: event.result.content, details: event.result.details },
        });
        return this.#message(event.result);
      case 'notice':
        this.#notices.push(event.text);
        return this.#agent('notice', { text: event.text });
      case 'compacted':
        return this.#agent('compaction', { phase: 'end', before: event.before, after: event.after });
      case 'ended':
        return this.#end(event.outcome);
    }
  }

  [Symbol.dispose](): void {
    this.#timer?.cancel();
  }

  /** Of what the model writes; directives are not for people. */
  #seen(written: string, whole: boolean): string {
    if (!whole) return visibleChatPrefix(written);
    return mayDirect(written) ? readDirectives(written).text : written;
  }

  #chat(state: ChatState): void {
    const { runId, sessionKey, agentId } = this.#run;
    this.#deps.hub.publish(
      'chat',
      { runId, sessionKey, agentId, seq: this.#chatSeq++, ...state },
      { to: receives(this.#run) },
    );
  }

  /** The new words: with the whole text for clients of the published protocol, with their place for those who ask. */
  #delta(words: string, text: string): void {
    const { runId, sessionKey, agentId } = this.#run;
    const head = { runId, sessionKey, agentId, seq: this.#chatSeq++ };
    const rest = present({ deltaText: words, replace: this.#replaces ? true : undefined });
    const { hub, clock } = this.#deps;
    const received = receives(this.#run);
    hub.publish('chat', () => ({ ...head, state: 'delta' as const, message: assistant(text, clock), ...rest }), {
      to: (connection) => received(connection) && !takesDeltas(connection),
      droppable: true,
    });
    hub.publish('chat.delta', () => ({ ...head, at: text.length - words.length, ...rest }), {
      to: (connection) => received(connection) && takesDeltas(connection),
      droppable: true,
    });
  }

  /** `lean`: for those who take new text only; null: nothing. */
  #agent(stream: AgentStream, data: Record<string, unknown>, lean: Record<string, unknown> | null = data): void {
    const { hub, clock } = this.#deps;
    const { runId, sessionKey } = this.#run;
    const isOptIn = stream === 'tool' || stream === 'thinking';
    const received = isOptIn ? receivesTools(this.#run) : receives(this.#run);
    const droppable = stream === 'assistant' || stream === 'thinking';
    const head = { runId, seq: this.#agentSeq++, stream, ts: clock.now() };
    const publish = (said: Record<string, unknown>, to: (connection: Connection) => boolean): void =>
      void hub.publish('agent', () => ({ ...head, data: { sessionKey, ...said } }), { to, droppable });
    if (lean === data) return publish(data, received);
    publish(data, (connection) => received(connection) && !takesDeltas(connection));
    if (lean) publish(lean, (connection) => received(connection) && takesDeltas(connection));
  }

  #message(whole: Message): void {
    const { runId, sessionKey, agentId } = this.#run;
    const shown = whole.role === 'assistant' ? withoutDirectives(whole) : whole;
    if (shown.role === 'assistant' && isSilent(textOf(shown.content))) return;
    this.#deps.hub.publish(
      'session.message',
      { sessionKey, agentId, runId, message: shown },
      { to: ({ followedSessions }) => followedSessions.has(sessionKey) },
    );
  }

  /** Sends what was written since the last time; at the end the chat text is left to the final event. */
  #flush({ end = false } = {}): void {
    const { clock } = this.#deps;
    const { origin } = this.#run;
    this.#timer?.cancel();
    this.#timer = undefined;
    this.#flushedAt = clock.monotonic();
    const thinking = unsent(this.#thought);
    if (thinking) this.#agent('thinking', { text: this.#thought.text, delta: thinking }, { delta: thinking });
    // What nobody asked for may come to nothing.
    const withheld = end
      ? isSilent(this.#said.text)
      : maybeSilent(this.#said.text) || origin === 'heartbeat' || origin === 'session';
    const text = withheld ? '' : this.#seen(this.#said.text, end);
    const words = withheld ? '' : text.slice(this.#said.sent);
    if (!words) return;
    this.#said.sent = text.length;
    if (!end) this.#delta(words, text);
    this.#replaces = false;
    this.#agent('assistant', { text, delta: words }, null);
  }

  /** The first words go out at once; what follows waits for its interval. */
  #schedule(): void {
    if (this.#timer) return;
    const { clock, deltaIntervalMs } = this.#deps;
    const wait =
      Math.max(
        deltaIntervalMs,
        this.#said.text.length / WHOLE_TEXT_PER_MS,
        this.#thought.text.length / WHOLE_TEXT_PER_MS,
      ) -
      (clock.monotonic() - this.#flushedAt);
    if (wait <= 0) this.#flush();
    else this.#timer = clock.setTimeout(() => this.#flush(), wait);
  }

  #write(to: 'said' | 'thought', delta: string): void {
    if (this.#messageEnded) {
      this.#said = { text: '', sent: 0 };
      this.#thought = { text: '', sent: 0 };
      this.#messageEnded = false;
      this.#replaces = true;
    }
    (to === 'said' ? this.#said : this.#thought).text += delta;
    this.#schedule();
  }

  #end(outcome: TurnOutcome): void {
    this.#flush({ end: true });
    this.#chat(this.#lastWord(outcome));
    this.#agent(
      'lifecycle',
      present({
        phase: outcome.kind === 'failed' ? 'error' : 'end',
        endedAt: this.#deps.clock.now(),
        error: outcome.kind === 'failed' ? outcome.message : undefined,
        aborted: outcome.kind === 'aborted' ? true : undefined,
      }),
    );
  }

  /** What people read, and what they got with it and before it. */
  #doneMessage(outcome: Done, whole: (text: string) => { message?: ChatMessage }): { message?: ChatMessage } {
    const { text, shown, told: sentBefore, silent, mergedInto } = outcome;
    if (mergedInto || silent) return {};
    const { clock } = this.#deps;
    const { message } = shown ? { message: messageOf(shown, clock) } : whole(text || this.#notices.join('\n\n'));
    return sentBefore
      ? { message: { ...(message ?? messageOf({ text: '', files: [] }, clock)), told: sentBefore } }
      : present({ message });
  }

  /** What the turn said in the end, whatever was streamed on the way; nothing when it was folded into another turn. */
  #lastWord(outcome: TurnOutcome): ChatState {
    const whole = (written: string): { message?: ChatMessage } => {
      const text = isSilent(written) ? '' : this.#seen(written, true);
      return text ? { message: assistant(text, this.#deps.clock) } : {};
    };
    switch (outcome.kind) {
      case 'done':
        return finished(outcome, this.#doneMessage(outcome, whole));
      case 'aborted':
        return { state: 'aborted', ...whole(outcome.text || this.#said.text), stopReason: 'aborted' };
      case 'failed':
        return {
          state: 'error',
          ...whole(this.#said.text),
          errorMessage: outcome.message,
          errorKind: ERROR_KINDS[outcome.code] ?? 'unknown',
        };
    }
  }
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

const receives =
  ({ runId, sessionKey }: RunInfo) =>
  ({ peer, followedSessions, ownRuns }: Connection): boolean =>
    !peer.caps.includes(CAP_SESSION_SCOPED_EVENTS) || followedSessions.has(sessionKey) || ownRuns.has(runId);

const takesDeltas = ({ peer }: Connection): boolean => peer.caps.includes(CAP_TEXT_DELTAS);

const receivesTools =
  (run: RunInfo) =>
  (connection: Connection): boolean =>
    connection.followedSessions.has(run.sessionKey) ||
    (connection.peer.caps.includes(CAP_TOOL_EVENTS) && receives(run)(connection));

const assistant = (text: string, clock: Clock): ChatMessage => ({
  role: 'assistant',
  content: [{ type: 'text', text }],
  timestamp: clock.now(),
});

const messageOf = ({ text, files, canvas = [] }: Shown, clock: Clock): ChatMessage => ({
  role: 'assistant',
  content: [
    ...(text === '' ? [] : [{ type: 'text' as const, text }]),
    ...canvas.map((preview) => ({ type: 'canvas' as const, preview })),
  ],
  timestamp: clock.now(),
  ...present({ files: files.length > 0 ? files : undefined }),
});

const ERROR_KINDS: Readonly<Record<string, ChatErrorKind>> = {
  timeout: 'timeout',
  rate_limited: 'rate_limit',
  overloaded: 'rate_limit',
  context_overflow: 'context_length',
};
