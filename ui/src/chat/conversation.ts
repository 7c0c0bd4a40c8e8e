/** The state of one conversation, and the order in which it is shown. Pure. */
import type { AgentEvent, ChatEvent, ChatHistory, TextDelta, WireMessage } from '../gateway/wire.ts';
import { isPicture } from './file-kind.ts';
import { answerText, type AnswerItem, type ChatItem } from './items.ts';
import {
  applyAgent,
  applyChat,
  applyDelta,
  healed,
  isRunning,
  itemOfRun,
  seedRun,
  startRun,
  type LiveRun,
} from './live-run.ts';
import type { Outbox, Outgoing } from './outbox.ts';
import { itemsOfHistory, personKey } from './transcript.ts';

export interface Conversation {
  readonly key: string;
  readonly loaded: boolean;
  readonly error?: string;
  readonly history: readonly ChatItem[];
  /** The fetched messages, oldest first and without a gap: the newest page, and requested earlier pages. */
  readonly messages: readonly WireMessage[];
  readonly sessionId?: string;
  /** The offset of older messages, counted from the newest; absent: there are none. */
  readonly nextOffset?: number;
  /** Older messages are being fetched. */
  readonly fetchingEarlier?: boolean;
  readonly runs: readonly LiveRun[];
}

export const emptyConversation = (key: string): Conversation => ({
  key,
  loaded: false,
  history: [],
  messages: [],
  runs: [],
});

export const isBusy = (conversation: Conversation): boolean => conversation.runs.some(isRunning);

export function withRun(conversation: Conversation, run: LiveRun): Conversation {
  const known = conversation.runs.some(({ runId }) => runId === run.runId);
  return {
    ...conversation,
    runs: known ? conversation.runs.map((old) => (old.runId === run.runId ? run : old)) : [...conversation.runs, run],
  };
}

const runOf = (conversation: Conversation, event: { readonly runId: string }, now: number): LiveRun =>
  conversation.runs.find(({ runId }) => runId === event.runId) ??
  seeded(conversation, startRun({ runId: event.runId, sessionKey: conversation.key, startedAt: now }));

function seeded(conversation: Conversation, run: LiveRun): LiveRun {
  const known = conversation.history.find(
    (item): item is AnswerItem => item.kind === 'answer' && item.runId === run.runId,
  );
  return known ? seedRun(run, known) : run;
}

export const withChatEvent = (conversation: Conversation, event: ChatEvent, now: number): Conversation =>
  withRun(conversation, applyChat(runOf(conversation, event, now), event));

export const withTextDelta = (conversation: Conversation, delta: TextDelta, now: number): Conversation =>
  withRun(conversation, applyDelta(runOf(conversation, delta, now), delta));

/** Whether this is the first event of a run: understanding or the agent begins. */
export const opensRun = (event: AgentEvent): boolean =>
  event.stream === 'understanding' || (event.stream === 'lifecycle' && event.data['phase'] === 'start');

/**
 * Ignores streams that only repeat text, which `chat` events contain. A run is opened by its start, its tools or its
 * thinking.
 */
export function withAgentEvent(conversation: Conversation, event: AgentEvent, now: number): Conversation {
  const known = conversation.runs.some(({ runId }) => runId === event.runId);
  const opens = event.stream === 'tool' || event.stream === 'thinking' || opensRun(event);
  return known || opens ? withRun(conversation, applyAgent(runOf(conversation, event, now), event)) : conversation;
}

/**
 * Replaces the history with a fetched one. Removes ended runs that it contains, except failed and stopped ones: the
 * transcript has at most a notice of the first, and of the second a tool call that looks completed. A running run
 * continues after what the transcript has of it. `active`: the runs that the gateway reports as running, if it does.
 */
export function withHistory(
  conversation: Conversation,
  fetched: Pick<ChatHistory, 'messages' | 'sessionId' | 'nextOffset' | 'inFlightRun'>,
  now: number,
): Conversation {
  const active = fetched.inFlightRun;
  const { messages, ...page } = joined(conversation, fetched);
  const history = itemsOfHistory(messages);
  const answered = new Set(history.flatMap((item) => (item.kind === 'answer' && item.runId ? [item.runId] : [])));
  const kept = conversation.runs.filter(
    (run) =>
      isRunning(run) ||
      run.status === 'failed' ||
      ((run.status === 'aborted' || (!answered.has(run.runId) && run.parts.length > 0)) && !tailHas(history, run)),
  );
  const { error: _gone, nextOffset: _before, sessionId: _was, ...rest } = conversation;
  // The next run of a gateway counts from the start.
  const next: Conversation = {
    ...rest,
    ...page,
    loaded: true,
    history,
    messages,
    runs: kept.map(({ chatSeq: _counted, ...run }) =>
      run.gap && active?.runId === run.runId ? healed(run, active.text) : run,
    ),
  };
  if (!active || kept.some(({ runId }) => runId === active.runId)) return next;
  return withRun(
    next,
    seeded(
      next,
      startRun({
        runId: active.runId,
        sessionKey: conversation.key,
        startedAt: now,
        text: active.text,
        progress: active.progress,
      }),
    ),
  );
}

export interface Page {
  readonly messages: readonly WireMessage[];
  readonly sessionId?: string;
  readonly nextOffset?: number;
}

/** Replaces the newest messages; keeps older pages if the two overlap, because otherwise there would be a gap. */
function joined({ messages: known, nextOffset, sessionId }: Conversation, fetched: Page): Page {
  const of = fetched.sessionId === undefined ? {} : { sessionId: fetched.sessionId };
  const first = idOf(fetched.messages[0]);
  const at =
    first === undefined || sessionId !== fetched.sessionId ? -1 : known.findIndex((message) => idOf(message) === first);
  if (at <= 0)
    return {
      ...of,
      messages: fetched.messages,
      ...(fetched.nextOffset === undefined ? {} : { nextOffset: fetched.nextOffset }),
    };
  return {
    ...of,
    messages: [...known.slice(0, at), ...fetched.messages],
    ...(nextOffset === undefined ? {} : { nextOffset }),
  };
}

export const idOf = (message: WireMessage | undefined): string | undefined => message?.__openclaw?.id;

/** For gateways whose history contains no run ids: compares the text of the last answer. */
function tailHas(history: readonly ChatItem[], run: LiveRun): boolean {
  const last = history.at(-1);
  return last?.kind === 'answer' && last.runId === undefined && answerText(last) === answerText(run);
}

/** Run ids of the person's messages in the history. */
export const knownMessages = (conversation: Conversation): ReadonlySet<string> =>
  new Set(conversation.history.flatMap((item) => (item.kind === 'person' && item.runId ? [item.runId] : [])));

/** The history, then unsent messages, then running answers, each after its message. */
export function itemsOf(conversation: Conversation, outbox: Outbox): readonly ChatItem[] {
  const live = new Map(conversation.runs.map((run) => [run.runId, run]));
  const mine = outbox.filter(
    (message) =>
      message.sessionKey === conversation.key && (message.state === 'sending' || message.state === 'accepted'),
  );
  const items: ChatItem[] = [];
  for (const item of conversation.history) {
    if (item.kind === 'answer' && item.runId && live.has(item.runId)) continue;
    items.push(item);
  }
  const known = knownMessages(conversation);
  for (const message of mine) if (!known.has(message.id)) items.push(personOf(message));
  // A run without any content, e.g. because it was merged into another, is not shown.
  for (const run of live.values())
    if (run.status !== 'done' || run.parts.length > 0) insertAfterQuestion(items, itemOfRun(run));
  return items;
}

function insertAfterQuestion(items: ChatItem[], answer: AnswerItem): void {
  const question = items.findLastIndex((item) => item.kind === 'person' && item.runId === answer.runId);
  if (question === -1) items.push(answer);
  else items.splice(question + 1, 0, answer);
}

const personOf = (message: Outgoing): ChatItem => ({
  kind: 'person',
  key: personKey(message.id),
  runId: message.id,
  text: message.text,
  images: message.files.filter(isPicture),
  files: message.files.filter((file) => !isPicture(file)),
  at: message.at,
  ...(message.state === 'sending' ? { pending: 'sending' } : {}),
});
