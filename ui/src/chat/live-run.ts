/** The state of a live run, built from `chat` and `agent` events. Pure. */
import type { AgentEvent, ChatEvent, StreamedMessage, TextDelta, WireBlock } from '../gateway/wire.ts';
import { record } from '../gateway/record.ts';
import { canvasIn, contentOfTool, contentOfAnswer, textIn as text } from './answer-content.ts';
import type { AnswerItem, AnswerPart, AnswerStatus, ToolPart } from './items.ts';
import { answerKey, imagesOf, textOfMessage } from './transcript.ts';

export interface LiveRun {
  readonly runId: string;
  readonly sessionKey: string;
  readonly status: AnswerStatus;
  readonly parts: readonly AnswerPart[];
  readonly startedAt: number;
  /** The text of the current message so far. */
  readonly said?: string;
  /** Text is missing; the next history contains it. */
  readonly gap?: boolean;
  /** The sequence number of the last `chat` event, to detect a missing one. */
  readonly chatSeq?: number;
  readonly error?: string;
  /** What understanding is reading, until the agent begins. */
  readonly progress?: string;
  readonly model?: string;
}

export const startRun = (run: {
  readonly runId: string;
  readonly sessionKey: string;
  readonly startedAt: number;
  readonly text?: string | undefined;
  readonly progress?: string | undefined;
}): LiveRun => ({
  runId: run.runId,
  sessionKey: run.sessionKey,
  startedAt: run.startedAt,
  status: run.text ? 'streaming' : 'waiting',
  parts: run.text ? [{ type: 'text', text: run.text }] : [],
  ...(run.text ? { said: run.text } : {}),
  ...(run.progress ? { progress: run.progress } : {}),
});

export const isRunning = (run: LiveRun): boolean => run.status === 'waiting' || run.status === 'streaming';

/**
 * After a reload the history already contains the first steps of the run: they come first, and text in both is kept
 * once.
 */
export function seedRun(run: LiveRun, known: AnswerItem): LiveRun {
  const before = known.parts;
  const knownText = textOfParts(before);
  const liveText = textOfParts(run.parts);
  const tools = new Set(before.flatMap((part) => (part.type === 'tool' ? [part.callId] : [])));
  const rest = liveText.startsWith(knownText)
    ? [{ type: 'text', text: liveText.slice(knownText.length) } as const].filter((part) => part.text)
    : run.parts.filter((part) => part.type !== 'tool' || !tools.has(part.callId));
  return { ...run, parts: [...before, ...rest] };
}

export function applyChat(run: LiveRun, event: ChatEvent): LiveRun {
  if (!isRunning(run)) return run;
  const base = { ...run, chatSeq: event.seq };
  switch (event.state) {
    case 'delta': {
      if (run.chatSeq !== undefined && event.seq <= run.chatSeq) return run;
      return withText(base, textOfMessage(event.message), event.replace);
    }
    case 'final':
      return { ...base, status: 'done', parts: finalParts(run.parts, event.message) };
    case 'aborted':
      return { ...base, status: 'aborted', parts: finalParts(run.parts, event.message) };
    case 'error':
      return {
        ...base,
        status: 'failed',
        parts: finalParts(run.parts, undefined),
        error: event.errorMessage,
      };
  }
}

/** Adds the new text; records a gap if text before it is missing. */
export function applyDelta(run: LiveRun, { seq, at, deltaText, replace }: TextDelta): LiveRun {
  if (!isRunning(run) || (run.chatSeq !== undefined && seq <= run.chatSeq)) return run;
  const base = { ...run, chatSeq: seq };
  const said = replace ? '' : (run.said ?? '');
  if (at > said.length) return { ...base, status: 'streaming', gap: true };
  const full = said.slice(0, at) + deltaText;
  // The history may already contain later events.
  return withText(base, said.startsWith(full) ? said : full, replace);
}

function withText(run: LiveRun, full: string, replace: boolean | undefined): LiveRun {
  const parts = settled(run.parts);
  const next = replace ? replaceText(parts, full) : alignText(parts, full);
  return { ...run, status: 'streaming', said: full, parts: next };
}

/** Uses the fetched history of a running run where text is missing. */
export function healed({ gap: _was, ...run }: LiveRun, text: string): LiveRun {
  return { ...run, said: text, parts: alignText(settled(run.parts), text) };
}

export function applyAgent(run: LiveRun, event: AgentEvent): LiveRun {
  if (!isRunning(run)) return run;
  const { data } = event;
  if (event.stream === 'tool') return { ...run, status: 'streaming', parts: applyTool(run.parts, data, event.ts) };
  if (event.stream === 'thinking') return { ...run, status: 'streaming', parts: applyThinking(run.parts, data) };
  if (event.stream === 'notice' && text(data['text']))
    return { ...run, parts: [...settled(run.parts), { type: 'notice', text: text(data['text']) }] };
  if (event.stream === 'understanding') return { ...run, progress: text(data['text']) };
  if (event.stream === 'compaction') return withCompaction(run, data);
  if (event.stream === 'lifecycle' && data['phase'] === 'start')
    return begun(run, [text(data['provider']), text(data['model'])].filter(Boolean).join('/'));
  return run;
}

const begun = ({ progress: _read, ...run }: LiveRun, model: string): LiveRun => ({
  ...run,
  ...(model ? { model } : {}),
});

const COMPACTED = 'Earlier parts of this conversation were summarised to make room.';

const withCompaction = (run: LiveRun, data: Readonly<Record<string, unknown>>): LiveRun =>
  data['phase'] === 'start' || run.parts.some((part) => part.type === 'notice' && part.text === COMPACTED)
    ? run
    : { ...run, parts: [...settled(run.parts), { type: 'notice', text: COMPACTED }] };

function applyThinking(parts: readonly AnswerPart[], data: Readonly<Record<string, unknown>>): readonly AnswerPart[] {
  const last = parts.at(-1);
  const open = last?.type === 'thinking' && last.live ? last : undefined;
  const next = {
    type: 'thinking',
    live: true,
    text: text(data['delta']) ? (open?.text ?? '') + text(data['delta']) : text(data['text']),
  } as const;
  return open ? [...parts.slice(0, -1), next] : [...settled(parts), next];
}

function applyTool(
  parts: readonly AnswerPart[],
  data: Readonly<Record<string, unknown>>,
  at: number,
): readonly AnswerPart[] {
  const callId = text(data['toolCallId']) || text(data['callId']);
  const index = parts.findIndex((part) => part.type === 'tool' && part.callId === callId);
  const known = parts[index];
  const fresh: ToolPart = {
    type: 'tool',
    callId,
    name: text(data['name']) || 'tool',
    args: data['args'] ?? data['input'],
    state: 'running',
    output: '',
    images: [],
    startedAt: at,
  };
  const call = known?.type === 'tool' ? known : fresh;
  const next = toolAfter(call, data, at);
  const input = next.state !== 'running' && call.state === 'running' ? contentOfTool(next.details) : [];
  return known?.type === 'tool' ? parts.toSpliced(index, 1, next, ...input) : [...settled(parts), next, ...input];
}

function toolAfter(call: ToolPart, data: Readonly<Record<string, unknown>>, at: number): ToolPart {
  if (data['phase'] === 'update')
    return { ...call, output: outputText(data['partialResult'] ?? data['text']) || call.output };
  if (data['phase'] !== 'result' && data['phase'] !== 'end') return call;
  const result = data['result'];
  const durationMs = data['durationMs'];
  const ms =
    typeof durationMs === 'number' ? durationMs : call.startedAt === undefined ? undefined : at - call.startedAt;
  return {
    ...call,
    state: data['isError'] === true || record(result)['isError'] === true ? 'error' : 'ok',
    output: outputText(result) || call.output,
    images: imagesOf(contentOf(result)),
    ...(record(result)['details'] === undefined ? {} : { details: record(result)['details'] }),
    ...(ms === undefined ? {} : { ms }),
  };
}

const contentOf = (result: unknown): readonly WireBlock[] => {
  const content = Array.isArray(result) ? result : record(result)['content'];
  return Array.isArray(content) ? (content as WireBlock[]) : [];
};

/** The output of a tool is text, content blocks, or any other value. */
export function outputText(result: unknown): string {
  if (typeof result === 'string') return result;
  const blocks = contentOf(result);
  if (blocks.length > 0) return blocks.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('');
  if (result === undefined || result === null) return '';
  return text(record(result)['text']) || JSON.stringify(result, null, 2);
}

/** Thinking ends when another part begins. */
const settled = (parts: readonly AnswerPart[]): readonly AnswerPart[] =>
  parts.some((part) => part.type === 'thinking' && part.live)
    ? parts.map((part) => (part.type === 'thinking' && part.live ? { type: 'thinking', text: part.text } : part))
    : parts;

const textOfParts = (parts: readonly AnswerPart[]): string =>
  parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('');

function appendText(parts: readonly AnswerPart[], delta: string): readonly AnswerPart[] {
  if (!delta) return parts;
  const last = parts.at(-1);
  return last?.type === 'text'
    ? [...parts.slice(0, -1), { type: 'text', text: last.text + delta }]
    : [...parts, { type: 'text', text: delta }];
}

/**
 * `full`: the complete text according to the gateway, of the whole run or of the current message. Text before the last
 * tool call stays unchanged; only new or different text is updated.
 */
function alignText(parts: readonly AnswerPart[], full: string): readonly AnswerPart[] {
  const shown = textOfParts(parts);
  if (full.startsWith(shown)) return appendText(parts, full.slice(shown.length));
  const last = parts.at(-1);
  const before = last?.type === 'text' ? parts.slice(0, -1) : parts;
  const earlier = textOfParts(before);
  const own = earlier && full.startsWith(earlier) ? full.slice(earlier.length) : full;
  if (last?.type !== 'text' && shown.endsWith(full)) return parts;
  return own ? [...before, { type: 'text', text: own }] : before;
}

/**
 * `replace`: another message of the run began, or the current one was rewritten, which then begins with the same text.
 */
function replaceText(parts: readonly AnswerPart[], full: string): readonly AnswerPart[] {
  const last = parts.at(-1);
  const rewritten = last?.type === 'text' && full.slice(0, 24) === last.text.slice(0, 24);
  return [...(rewritten ? parts.slice(0, -1) : parts), { type: 'text', text: full }];
}

/** The message of `final` is authoritative; without one, the streamed text is the answer. */
function finalParts(parts: readonly AnswerPart[], message: StreamedMessage | undefined): readonly AnswerPart[] {
  const closed = settled(parts).map((part) =>
    part.type === 'tool' && part.state === 'running'
      ? ({ ...part, state: 'error', output: part.output || 'Stopped before it finished.' } as const)
      : part,
  );
  if (!message) return closed;
  return [...finalWords(closed, textOfMessage(message)), ...canvasIn(message), ...contentOfAnswer(message)];
}

function finalWords(parts: readonly AnswerPart[], full: string): readonly AnswerPart[] {
  // The streamed text was sent by a tool, or was a file.
  if (full === '') return parts.at(-1)?.type === 'text' ? parts.slice(0, -1) : parts;
  // A command is answered only by notices, and its final text repeats them.
  return alignText(
    parts.filter((part) => part.type !== 'notice' || !full.includes(part.text)),
    full,
  );
}

export const itemOfRun = (run: LiveRun): AnswerItem => ({
  kind: 'answer',
  key: answerKey(run.runId),
  runId: run.runId,
  parts: run.parts,
  at: run.startedAt,
  status: run.status,
  ...(run.error === undefined ? {} : { error: run.error }),
  ...(run.model === undefined ? {} : { model: run.model }),
  ...(run.progress && run.parts.every(({ type }) => type === 'notice') ? { progress: run.progress } : {}),
});
