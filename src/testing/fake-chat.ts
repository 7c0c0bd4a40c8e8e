/** A chat service in memory: accepts, streams a scripted answer, remembers outcomes. */
import type { ChatReceipt, ChatRequest, ChatService, RunSnapshot } from '../host/chat.ts';
import type { RunInfo } from '../host/runs.ts';
import { AppError } from '../core/errors.ts';
import { canonicalSessionKey, agentOfKey } from '../core/session-key.ts';
import { noUsage, textOf, type AssistantMessage, type Message } from '../core/transcript.ts';
import type { AgentEvent, TurnOutcome } from '../core/turn.ts';

/** Plays one turn; what it returns becomes the `ended` event. */
export type FakeTurn = (turn: FakeTurnInput) => Promise<TurnOutcome> | TurnOutcome;
export interface FakeTurnInput {
  readonly request: ChatRequest;
  readonly run: RunInfo;
  readonly signal: AbortSignal;
  emit(event: AgentEvent): void;
}

export interface FakeChat extends ChatService {
  /** Every accepted request, in order. */
  readonly requests: ChatRequest[];
  /** Transcripts by canonical session key. */
  readonly transcripts: Map<string, (Message & { id?: string; turnId?: string })[]>;
  /** By canonical session key, a blank, id. */
  readonly files: Map<string, Uint8Array>;
  /** Replaces what a turn does; the default streams `echo: <text>` word by word. */
  play(turn: FakeTurn): void;
  /** Makes the next `send` fail. */
  failNext(error: Error): void;
  /** Sends an event as if a run had produced it. */
  emit(run: RunInfo, event: AgentEvent): void;
}

export const fakeAssistant = (text: string, patch: Partial<AssistantMessage> = {}): AssistantMessage => ({
  role: 'assistant',
  content: [{ type: 'text', text }],
  timestamp: 1,
  provider: 'fake',
  model: 'echo',
  usage: noUsage,
  stopReason: 'stop',
  ...patch,
});

const echo: FakeTurn = ({ request, run, emit }) => {
  const text = `echo: ${request.text}`;
  emit({ type: 'started', turnId: run.runId, provider: 'fake', model: 'echo' });
  for (const delta of text.split(/(?<= )/)) emit({ type: 'text', delta });
  emit({ type: 'message', message: fakeAssistant(text) });
  return { kind: 'done', text, usage: noUsage };
};

export function createFakeChat(): FakeChat {
  const runs = new Map<
    string,
    { info: RunInfo; stop: AbortController; ended: Promise<RunSnapshot>; outcome?: TurnOutcome; text: string }
  >();
  const listeners = new Set<(run: RunInfo, event: AgentEvent) => void>();
  const transcripts: FakeChat['transcripts'] = new Map();
  const requests: ChatRequest[] = [];
  let turn = echo;
  let failure: Error | undefined;

  const files = new Map<string, Uint8Array>();
  const transcript = (key: string) => transcripts.get(key) ?? transcripts.set(key, []).get(key)!;
  const emit = (run: RunInfo, event: AgentEvent): void => {
    const state = runs.get(run.runId);
    if (state && event.type === 'text') state.text += event.delta;
    if (event.type === 'message')
      transcript(run.sessionKey).push({
        ...event.message,
        id: `m${transcript(run.sessionKey).length}`,
        turnId: run.runId,
      });
    for (const listener of listeners) listener(run, event);
  };

  async function run(request: ChatRequest, info: RunInfo, signal: AbortSignal): Promise<RunSnapshot> {
    // A turn starts after the receipt is out, as it does behind the journal.
    await new Promise<void>((resolve) => setImmediate(resolve));
    const outcome = await turn({ request, run: info, signal, emit: (event) => emit(info, event) });
    const state = runs.get(info.runId)!;
    state.outcome = outcome;
    emit(info, { type: 'ended', outcome });
    return { ...info, outcome, startedAt: 1, endedAt: 2 };
  }

  const receipt = (runId: string): ChatReceipt | undefined => {
    const known = runs.get(runId);
    if (!known) return undefined;
    const { sessionKey } = known.info;
    return known.outcome
      ? { runId, sessionKey, status: 'done', outcome: known.outcome }
      : { runId, sessionKey, status: 'in_flight' };
  };

  return {
    requests,
    transcripts,
    files,
    emit,
    play: (next) => void (turn = next),
    failNext: (error) => void (failure = error),
    async send(request) {
      const refused = failure;
      failure = undefined;
      if (refused) throw refused;
      const known = receipt(request.runId);
      if (known) return known;
      const sessionKey = canonicalSessionKey(request.sessionKey);
      const info: RunInfo = { runId: request.runId, sessionKey, agentId: agentOfKey(sessionKey), origin: 'message' };
      requests.push(request);
      transcript(sessionKey).push({
        role: 'user',
        content: [{ type: 'text', text: request.text }],
        timestamp: 1,
        id: `m${transcript(sessionKey).length}`,
        turnId: request.runId,
      });
      const stop = new AbortController();
      const state = { info, stop, text: '', ended: undefined as unknown as Promise<RunSnapshot> };
      runs.set(request.runId, state);
      state.ended = run(request, info, stop.signal);
      return { runId: request.runId, sessionKey, status: 'started' };
    },
    async file({ sessionKey, id }, { offset, bytes }) {
      const data = files.get(`${sessionKey} ${id}`);
      if (!data) throw new AppError('not_found', 'The file no longer exists, or belongs to another session.');
      return { data: data.subarray(offset, offset + bytes), size: data.length };
    },
    async wait(runId, timeoutMs, signal) {
      const known = runs.get(runId);
      if (!known) throw new AppError('not_found', `No run ${runId}.`);
      const timeout =
        timeoutMs === 0
          ? Promise.resolve(undefined)
          : new Promise<undefined>((resolve, reject) => {
              const timer = setTimeout(() => resolve(undefined), timeoutMs);
              void known.ended.then(() => clearTimeout(timer));
              signal?.addEventListener(
                'abort',
                () => {
                  clearTimeout(timer);
                  reject(new AppError('aborted', 'The wait was cut short.'));
                },
                { once: true },
              );
            });
      return Promise.race([known.ended, timeout]);
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    async abort({ sessionKey, runId }) {
      const key = canonicalSessionKey(sessionKey);
      if (runId && runs.has(runId) && runs.get(runId)!.info.sessionKey !== key)
        throw new AppError('invalid', `Run ${runId} belongs to another session.`);
      const hit = [...runs.values()].filter(
        (state) => !state.outcome && state.info.sessionKey === key && (!runId || state.info.runId === runId),
      );
      for (const state of hit) state.stop.abort();
      return { aborted: hit.length > 0, runIds: hit.map((state) => state.info.runId) };
    },
    async inject({ sessionKey, message, label }) {
      const lines = transcripts.get(canonicalSessionKey(sessionKey));
      if (!lines) throw new AppError('not_found', `No session ${sessionKey}.`);
      const messageId = `m${lines.length}`;
      lines.push({
        ...fakeAssistant(label ? `[${label}]\n\n${message}` : message, { stopReason: 'injected' }),
        id: messageId,
      });
      return { messageId };
    },
    async history({ sessionKey, limit }) {
      const key = canonicalSessionKey(sessionKey);
      return { sessionKey: key, sessionId: `id-${key}`, messages: (transcripts.get(key) ?? []).slice(-limit) };
    },
    active: (sessionKey) =>
      [...runs.values()]
        .filter((state) => !state.outcome && (!sessionKey || state.info.sessionKey === sessionKey))
        .map((state) => ({ ...state.info, text: state.text, queued: false })),
    async timeline(runId) {
      if (!runs.has(runId)) throw new AppError('not_found', `No run ${runId}.`);
      return [
        { stage: 'accepted', at: 1 },
        { stage: 'ended', at: 2, ms: 1, ok: true },
      ];
    },
  };
}

/** The text of a transcript's last message. */
export const lastText = (chat: FakeChat, key: string): string =>
  textOf(chat.transcripts.get(key)?.at(-1)?.content ?? []);
